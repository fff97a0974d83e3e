-- NPIs that are deactivated by the report, and not by the record of the provider.
SELECT p.source_file_id, p.source_line
FROM {directory.npi_deactivation} d
JOIN {directory.provider} p ON p.npi = d.npi
WHERE p.deactivated_on IS NULL OR p.reactivated_on >= p.deactivated_on
