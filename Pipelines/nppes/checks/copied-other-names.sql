-- Other names that say the same as another of their file: each is kept once.
SELECT source_file_id, source_line
FROM (
  SELECT source_file_id, source_line, row_number() OVER (
    PARTITION BY npi, organization, type
    ORDER BY source_file_id, source_line) AS place
  FROM {directory.provider_other_name}) numbered
WHERE place > 1
