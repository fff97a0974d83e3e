-- NPIs that are deactivated by the report, and active by the record of the provider, which tells of nothing since then.
SELECT p.source_file_id, p.source_line
FROM {directory.npi_deactivation} d
JOIN {directory.provider} p ON p.npi = d.npi
WHERE (p.deactivated_on IS NULL OR p.reactivated_on >= p.deactivated_on)
  AND coalesce(p.reactivated_on, '-infinity') < d.deactivated_on
