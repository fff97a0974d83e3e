-- Providers with more than one primary taxonomy; directory.primary_taxonomy gives the first.
SELECT min(source_file_id) AS source_file_id, source_line
FROM {directory.provider_taxonomy}
WHERE primary_switch = 'Y'
GROUP BY source_line
HAVING count(*) > 1
