-- Endpoints that say the same as another of their file: each is kept once.
SELECT source_file_id, source_line
FROM (
  SELECT source_file_id, source_line, row_number() OVER (
    PARTITION BY npi, type, type_description, address, is_affiliated, name, affiliation, use, use_description, other_use,
      content_type, content_description, other_content, line_1, line_2, city, state, postal_code, zip4, country
    ORDER BY source_file_id, source_line) AS place
  FROM {directory.endpoint}) numbered
WHERE place > 1
