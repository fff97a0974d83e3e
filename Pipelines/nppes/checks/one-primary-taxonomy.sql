-- Providers with more than one primary taxonomy; directory.primary_taxonomy gives the first.
SELECT DISTINCT later.source_file_id, later.source_line
FROM {directory.provider_taxonomy} later
WHERE later.primary_switch = 'Y' AND later.slot > 1
  AND EXISTS (
    SELECT FROM {directory.provider_taxonomy} first
    WHERE first.source_id = later.source_id AND first.slot < later.slot AND first.primary_switch = 'Y')
