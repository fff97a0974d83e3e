-- A deactivated provider has nothing but its NPI and the day. The newest event counts: what the provider's own record
-- tells of that day or a later one stays as it is, reactivations among it, however new the report is that repeats it.
WITH known AS MATERIALIZED (
  SELECT source_id, greatest(deactivated_on, reactivated_on) AS last_on
  FROM directory.provider
  -- The release is asked for once, so that no other month is opened.
  WHERE release = (SELECT release FROM {directory.npi_deactivation} LIMIT 1)
    AND (deactivated_on IS NOT NULL OR reactivated_on IS NOT NULL)
)
INSERT INTO {directory.provider} (release, source_id, npi, deactivated_on, source_file_id, source_line)
SELECT d.release, d.npi::text, d.npi, d.deactivated_on, d.source_file_id, d.source_line
FROM {directory.npi_deactivation} d
WHERE NOT EXISTS (SELECT FROM known k WHERE k.source_id = d.npi::text AND k.last_on >= d.deactivated_on);
