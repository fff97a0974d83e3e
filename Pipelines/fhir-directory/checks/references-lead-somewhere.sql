-- What a record refers to is in the directory, too: by kind and identifier, on whichever server and in whichever version, or
-- by an identifier of its own; what is in the record itself ('#...') where it has a row. Those that are not are in
-- directory.reference, where is_there is false.
WITH every AS (
  SELECT 'PractitionerRole' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.practitioner_role_reference}
  UNION ALL SELECT 'HealthcareService' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.healthcare_service_reference}
  UNION ALL SELECT 'OrganizationAffiliation' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.organization_affiliation_reference}
  UNION ALL SELECT 'InsurancePlan' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.insurance_plan_reference}
  UNION ALL SELECT 'Organization' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.organization_reference}
  UNION ALL SELECT 'Organization' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.network_reference}
  UNION ALL SELECT 'Location' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.practice_location_reference}
  UNION ALL SELECT 'Endpoint' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.endpoint_reference}
  UNION ALL SELECT 'Practitioner' AS kind, source_id, path, reference, identifier_system, identifier, source_line FROM {directory.provider_reference}),
resource (name, id) AS (
  SELECT 'PractitionerRole/' || source_id AS name, source_id AS id FROM {directory.practitioner_role}
  UNION ALL SELECT 'HealthcareService/' || source_id AS name, source_id AS id FROM {directory.healthcare_service}
  UNION ALL SELECT 'OrganizationAffiliation/' || source_id AS name, source_id AS id FROM {directory.organization_affiliation}
  UNION ALL SELECT 'InsurancePlan/' || source_id AS name, source_id AS id FROM {directory.insurance_plan}
  UNION ALL SELECT 'Organization/' || source_id AS name, source_id AS id FROM {directory.organization}
  UNION ALL SELECT 'Organization/' || source_id AS name, source_id AS id FROM {directory.network}
  UNION ALL SELECT 'Location/' || source_id AS name, source_id AS id FROM {directory.practice_location}
  UNION ALL SELECT 'Endpoint/' || source_id AS name, source_id AS id FROM {directory.endpoint}
  UNION ALL SELECT 'Practitioner/' || source_id AS name, source_id AS id FROM {directory.provider}),
target (name) AS (
  SELECT name FROM resource
  UNION ALL SELECT 'urn:uuid:' || lower(id) AS name FROM resource
  UNION ALL SELECT id AS name FROM resource WHERE id LIKE '%#%'),
identified (kind, identifier) AS (
  SELECT kind, identifier FROM {directory.provider_identifier}
  UNION ALL SELECT kind, identifier FROM {directory.organization_identifier}
  UNION ALL SELECT kind, identifier FROM {directory.network_identifier}
  UNION ALL SELECT kind, identifier FROM {directory.practice_location_identifier}
  UNION ALL SELECT kind, identifier FROM {directory.practitioner_role_identifier}
  UNION ALL SELECT kind, identifier FROM {directory.organization_affiliation_identifier}
  UNION ALL SELECT kind, identifier FROM {directory.insurance_plan_identifier})
SELECT kind, source_id, path, reference, source_line FROM every e
WHERE reference IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM target t
    WHERE t.name = CASE
      WHEN e.reference LIKE '#%' THEN e.source_id || e.reference ELSE directory.reference_target(e.reference) END)
UNION ALL SELECT kind, source_id, path, identifier, source_line FROM every e
WHERE reference IS NULL AND identifier IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM identified i
    WHERE i.identifier = e.identifier AND coalesce(i.kind, '') = coalesce(e.identifier_system, ''))
