-- Whether a reference leads somewhere: one to what is in its own record only if that has a row, and none that says
-- nothing but how to show what it means.
-- rivulet:datasets fhir-directory, qhp-providers, directory-csv

-- rivulet:up
CREATE OR REPLACE VIEW directory.reference AS
WITH every (release, kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier) AS (
SELECT release, 'PractitionerRole'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.practitioner_role_reference
UNION ALL SELECT release, 'HealthcareService'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.healthcare_service_reference
UNION ALL SELECT release, 'OrganizationAffiliation'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.organization_affiliation_reference
UNION ALL SELECT release, 'InsurancePlan'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.insurance_plan_reference
UNION ALL SELECT release, 'Organization'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.organization_reference
UNION ALL SELECT release, 'Organization'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.network_reference
UNION ALL SELECT release, 'Location'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.practice_location_reference
UNION ALL SELECT release, 'Endpoint'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.endpoint_reference
UNION ALL SELECT release, 'Practitioner'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.provider_reference),
resource (release, name, id) AS (
SELECT release, 'PractitionerRole/' || source_id, source_id FROM directory.practitioner_role
UNION ALL SELECT release, 'HealthcareService/' || source_id, source_id FROM directory.healthcare_service
UNION ALL SELECT release, 'OrganizationAffiliation/' || source_id, source_id FROM directory.organization_affiliation
UNION ALL SELECT release, 'InsurancePlan/' || source_id, source_id FROM directory.insurance_plan
UNION ALL SELECT release, 'Organization/' || source_id, source_id FROM directory.organization
UNION ALL SELECT release, 'Organization/' || source_id, source_id FROM directory.network
UNION ALL SELECT release, 'Location/' || source_id, source_id FROM directory.practice_location
UNION ALL SELECT release, 'Endpoint/' || source_id, source_id FROM directory.endpoint
UNION ALL SELECT release, 'Practitioner/' || source_id, source_id FROM directory.provider),
target (release, name) AS (
SELECT release, name FROM resource
UNION SELECT release, 'urn:uuid:' || lower(id) FROM resource
-- What is contained in a record has the record's identifier before its own.
UNION SELECT release, id FROM resource WHERE id LIKE '%#%'),
identified (release, kind, identifier) AS (
SELECT release, kind, identifier FROM directory.provider_identifier
UNION ALL SELECT release, kind, identifier FROM directory.organization_identifier
UNION ALL SELECT release, kind, identifier FROM directory.network_identifier
UNION ALL SELECT release, kind, identifier FROM directory.practice_location_identifier
UNION ALL SELECT release, kind, identifier FROM directory.practitioner_role_identifier
UNION ALL SELECT release, kind, identifier FROM directory.organization_affiliation_identifier
UNION ALL SELECT release, kind, identifier FROM directory.insurance_plan_identifier)
SELECT e.release, e.kind, e.source_id, e.slot, e.path, e.reference, e.display, e.source_file_id, e.source_line,
  CASE
    WHEN e.reference IS NOT NULL THEN r.name IS NOT NULL
    WHEN e.identifier IS NOT NULL THEN i.identifier IS NOT NULL END AS is_there,
  e.identifier_system, e.identifier
FROM every e
LEFT JOIN target r ON r.release = e.release
  AND r.name = CASE
    WHEN e.reference LIKE '#%' THEN e.source_id || e.reference ELSE directory.reference_target(e.reference) END
LEFT JOIN (SELECT DISTINCT release, kind, identifier FROM identified) i
  ON e.reference IS NULL AND i.release = e.release AND i.identifier = e.identifier
  AND i.kind IS NOT DISTINCT FROM e.identifier_system;
COMMENT ON COLUMN directory.reference.is_there IS
  'Whether the reference, or the identifier in place of one, leads to a record of the same release; null where there is nothing but a display';

-- rivulet:down
CREATE OR REPLACE VIEW directory.reference AS
WITH every (release, kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier) AS (
SELECT release, 'PractitionerRole'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.practitioner_role_reference
UNION ALL SELECT release, 'HealthcareService'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.healthcare_service_reference
UNION ALL SELECT release, 'OrganizationAffiliation'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.organization_affiliation_reference
UNION ALL SELECT release, 'InsurancePlan'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.insurance_plan_reference
UNION ALL SELECT release, 'Organization'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.organization_reference
UNION ALL SELECT release, 'Organization'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.network_reference
UNION ALL SELECT release, 'Location'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.practice_location_reference
UNION ALL SELECT release, 'Endpoint'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.endpoint_reference
UNION ALL SELECT release, 'Practitioner'::text, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.provider_reference),
resource (release, name, id) AS (
SELECT release, 'PractitionerRole/' || source_id, source_id FROM directory.practitioner_role
UNION ALL SELECT release, 'HealthcareService/' || source_id, source_id FROM directory.healthcare_service
UNION ALL SELECT release, 'OrganizationAffiliation/' || source_id, source_id FROM directory.organization_affiliation
UNION ALL SELECT release, 'InsurancePlan/' || source_id, source_id FROM directory.insurance_plan
UNION ALL SELECT release, 'Organization/' || source_id, source_id FROM directory.organization
UNION ALL SELECT release, 'Organization/' || source_id, source_id FROM directory.network
UNION ALL SELECT release, 'Location/' || source_id, source_id FROM directory.practice_location
UNION ALL SELECT release, 'Endpoint/' || source_id, source_id FROM directory.endpoint
UNION ALL SELECT release, 'Practitioner/' || source_id, source_id FROM directory.provider),
target (release, name) AS (
SELECT release, name FROM resource
UNION SELECT release, 'urn:uuid:' || lower(id) FROM resource),
identified (release, kind, identifier) AS (
SELECT release, kind, identifier FROM directory.provider_identifier
UNION ALL SELECT release, kind, identifier FROM directory.organization_identifier
UNION ALL SELECT release, kind, identifier FROM directory.network_identifier
UNION ALL SELECT release, kind, identifier FROM directory.practice_location_identifier
UNION ALL SELECT release, kind, identifier FROM directory.practitioner_role_identifier
UNION ALL SELECT release, kind, identifier FROM directory.organization_affiliation_identifier
UNION ALL SELECT release, kind, identifier FROM directory.insurance_plan_identifier)
SELECT e.release, e.kind, e.source_id, e.slot, e.path, e.reference, e.display, e.source_file_id, e.source_line,
  CASE
    WHEN e.reference IS NOT NULL THEN r.name IS NOT NULL OR e.reference LIKE '#%'
    WHEN e.identifier IS NOT NULL THEN i.identifier IS NOT NULL
    ELSE true END AS is_there,
  e.identifier_system, e.identifier
FROM every e
LEFT JOIN target r ON r.release = e.release AND r.name = directory.reference_target(e.reference)
LEFT JOIN (SELECT DISTINCT release, kind, identifier FROM identified) i
  ON e.reference IS NULL AND i.release = e.release AND i.identifier = e.identifier
  AND i.kind IS NOT DISTINCT FROM e.identifier_system;
COMMENT ON COLUMN directory.reference.is_there IS
  'Whether the reference, or the identifier in place of one, leads to a record of the same release';

-- rivulet:verify
SELECT is_there FROM directory.reference WHERE false;
