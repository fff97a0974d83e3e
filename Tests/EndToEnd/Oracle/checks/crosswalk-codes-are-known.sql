-- Taxonomies of the crosswalk that the code set does not have.
SELECT c.source_file_id, c.source_line
FROM {directory.specialty_crosswalk} c
WHERE c.taxonomy IS NOT NULL
  AND NOT EXISTS (SELECT FROM {directory.taxonomy} t WHERE t.code = c.taxonomy)
