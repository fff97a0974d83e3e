-- A social security number is among the identifiers of a record. It is left out at reading; column withheld says so.
SELECT source_file_id, source_line FROM {directory.provider} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.organization} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.network} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.practitioner_role} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.healthcare_service} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.practice_location} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.endpoint} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.organization_affiliation} WHERE withheld IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.insurance_plan} WHERE withheld IS NOT NULL
