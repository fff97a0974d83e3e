-- Places of practice that say the same as another of their file: each is kept once.
SELECT source_file_id, source_line
FROM (
  SELECT source_file_id, source_line, row_number() OVER (
    PARTITION BY npi, line_1, line_2, city, state, postal_code, zip4, country, phone, phone_extension, fax
    ORDER BY source_file_id, source_line) AS place
  FROM {directory.practice_location}) numbered
WHERE place > 1
