-- Taxonomies that no release of the code set has. Nothing is found before the pipeline nucc has loaded one.
SELECT t.source_file_id, t.source_line
FROM {directory.provider_taxonomy} t
WHERE t.taxonomy IS NOT NULL AND EXISTS (SELECT FROM directory.taxonomy)
  AND NOT EXISTS (SELECT FROM directory.taxonomy known WHERE known.code = t.taxonomy)
