-- The references in a form that also answers where providers are distributed over several servers: those know a column
-- of a common table expression by the name that its SELECT gives it.
-- rivulet:datasets fhir-directory, qhp-providers, directory-csv

-- rivulet:up
CREATE OR REPLACE VIEW directory.reference AS
WITH every (release, kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier) AS (
SELECT release, 'PractitionerRole'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.practitioner_role_reference
UNION ALL SELECT release, 'HealthcareService'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.healthcare_service_reference
UNION ALL SELECT release, 'OrganizationAffiliation'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.organization_affiliation_reference
UNION ALL SELECT release, 'InsurancePlan'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.insurance_plan_reference
UNION ALL SELECT release, 'Organization'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.organization_reference
UNION ALL SELECT release, 'Organization'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.network_reference
UNION ALL SELECT release, 'Location'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.practice_location_reference
UNION ALL SELECT release, 'Endpoint'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.endpoint_reference
UNION ALL SELECT release, 'Practitioner'::text AS kind, source_id, slot, path, reference, display, source_file_id, source_line, identifier_system, identifier
FROM directory.provider_reference),
resource (release, name, id) AS (
SELECT release, 'PractitionerRole/' || source_id AS name, source_id AS id FROM directory.practitioner_role
UNION ALL SELECT release, 'HealthcareService/' || source_id AS name, source_id AS id FROM directory.healthcare_service
UNION ALL SELECT release, 'OrganizationAffiliation/' || source_id AS name, source_id AS id FROM directory.organization_affiliation
UNION ALL SELECT release, 'InsurancePlan/' || source_id AS name, source_id AS id FROM directory.insurance_plan
UNION ALL SELECT release, 'Organization/' || source_id AS name, source_id AS id FROM directory.organization
UNION ALL SELECT release, 'Organization/' || source_id AS name, source_id AS id FROM directory.network
UNION ALL SELECT release, 'Location/' || source_id AS name, source_id AS id FROM directory.practice_location
UNION ALL SELECT release, 'Endpoint/' || source_id AS name, source_id AS id FROM directory.endpoint
UNION ALL SELECT release, 'Practitioner/' || source_id AS name, source_id AS id FROM directory.provider),
target (release, name) AS (
SELECT release, name FROM resource
UNION SELECT release, 'urn:uuid:' || lower(id) AS name FROM resource
-- What is contained in a record has the record's identifier before its own.
UNION SELECT release, id AS name FROM resource WHERE id LIKE '%#%'),
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

-- rivulet:verify
SELECT is_there FROM directory.reference WHERE false;
