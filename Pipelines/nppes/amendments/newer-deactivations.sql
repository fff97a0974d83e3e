-- A record of the week that knows nothing yet of what the report has said of a later day: it stays deactivated.
WITH d AS MATERIALIZED (
  SELECT npi, deactivated_on FROM directory.npi_deactivation
  WHERE release = (SELECT release FROM {directory.provider} LIMIT 1)
), behind AS (
  DELETE FROM {directory.provider} p USING d
  WHERE d.npi = p.npi
    AND coalesce(greatest(p.deactivated_on, p.reactivated_on), '-infinity') < d.deactivated_on
  RETURNING p.release, p.source_id, p.npi, d.deactivated_on, p.source_file_id, p.source_line
), names AS (
  DELETE FROM {directory.provider_name} c USING behind b WHERE c.source_id = b.source_id
), addresses AS (
  DELETE FROM {directory.provider_address} c USING behind b WHERE c.source_id = b.source_id
), taxonomies AS (
  DELETE FROM {directory.provider_taxonomy} c USING behind b WHERE c.source_id = b.source_id
), identifiers AS (
  DELETE FROM {directory.provider_identifier} c USING behind b WHERE c.source_id = b.source_id
)
INSERT INTO {directory.provider} (release, source_id, npi, deactivated_on, source_file_id, source_line)
SELECT release, source_id, npi, deactivated_on, source_file_id, source_line FROM behind;
