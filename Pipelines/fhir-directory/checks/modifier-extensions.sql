-- Extensions that change what a record means, such as that it holds no longer, are not known here: column modifiers has
-- their addresses.
SELECT source_file_id, source_line FROM {directory.provider} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.organization} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.network} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.practitioner_role} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.healthcare_service} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.practice_location} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.endpoint} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.organization_affiliation} WHERE modifiers IS NOT NULL
UNION ALL SELECT source_file_id, source_line FROM {directory.insurance_plan} WHERE modifiers IS NOT NULL
