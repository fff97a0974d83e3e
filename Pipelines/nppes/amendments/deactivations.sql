-- A deactivated provider has nothing but its NPI and the day.
INSERT INTO {directory.provider} (release, source_id, npi, deactivated_on, source_file_id, source_line)
SELECT release, npi::text, npi, deactivated_on, source_file_id, source_line FROM {directory.npi_deactivation};
