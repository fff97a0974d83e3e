-- Taxonomies that no release of the code set has. Nothing is found before the pipeline nucc has loaded one.
WITH known AS MATERIALIZED (SELECT DISTINCT code FROM directory.taxonomy)
SELECT t.source_file_id, t.source_line
FROM {directory.provider_taxonomy} t
WHERE t.taxonomy IS NOT NULL AND EXISTS (SELECT FROM known)
  AND NOT EXISTS (SELECT FROM known k WHERE k.code = t.taxonomy)
