-- References of directories in FHIR that name what is meant by an identifier of its own, and those that are whole addresses
-- or name a version.
-- rivulet:datasets fhir-directory, qhp-providers, directory-csv

-- rivulet:up
CREATE FUNCTION directory.reference_target(reference text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN reference ~* '^urn:uuid:' THEN lower(reference)
    ELSE coalesce(substring(regexp_replace(reference, '/_history/[^/]*$', '') FROM '([A-Za-z]+/[^/]+)$'), reference) END;
COMMENT ON FUNCTION directory.reference_target IS
  'Kind and identifier that a reference means, whatever server it names and whichever version: https://ex.org/fhir/Location/1/_history/2 is Location/1';

ALTER TABLE directory.practitioner_role_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.healthcare_service_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.organization_affiliation_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.insurance_plan_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.organization_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.network_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.practice_location_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.endpoint_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
ALTER TABLE directory.provider_reference ADD COLUMN identifier_system text, ADD COLUMN identifier text;
COMMENT ON COLUMN directory.practitioner_role_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.practitioner_role_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.healthcare_service_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.healthcare_service_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.organization_affiliation_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.organization_affiliation_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.insurance_plan_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.insurance_plan_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.organization_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.organization_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.network_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.network_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.practice_location_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.practice_location_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.endpoint_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.endpoint_reference.identifier IS 'Identifier of what is meant, where the source names it by that';
COMMENT ON COLUMN directory.provider_reference.identifier_system IS 'System of the identifier by which something is meant, where the source tells it';
COMMENT ON COLUMN directory.provider_reference.identifier IS 'Identifier of what is meant, where the source names it by that';

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

-- rivulet:down
DROP VIEW directory.reference;
CREATE VIEW directory.reference AS
WITH every (release, kind, source_id, slot, path, reference, display, source_file_id, source_line) AS (
SELECT release, 'PractitionerRole'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.practitioner_role_reference
UNION ALL SELECT release, 'HealthcareService'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.healthcare_service_reference
UNION ALL SELECT release, 'OrganizationAffiliation'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.organization_affiliation_reference
UNION ALL SELECT release, 'InsurancePlan'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.insurance_plan_reference
UNION ALL SELECT release, 'Organization'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.organization_reference
UNION ALL SELECT release, 'Organization'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.network_reference
UNION ALL SELECT release, 'Location'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.practice_location_reference
UNION ALL SELECT release, 'Endpoint'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.endpoint_reference
UNION ALL SELECT release, 'Practitioner'::text, source_id, slot, path, reference, display, source_file_id, source_line
FROM directory.provider_reference),
resource (release, name) AS (
SELECT release, 'PractitionerRole/' || source_id FROM directory.practitioner_role
UNION ALL SELECT release, 'HealthcareService/' || source_id FROM directory.healthcare_service
UNION ALL SELECT release, 'OrganizationAffiliation/' || source_id FROM directory.organization_affiliation
UNION ALL SELECT release, 'InsurancePlan/' || source_id FROM directory.insurance_plan
UNION ALL SELECT release, 'Organization/' || source_id FROM directory.organization
UNION ALL SELECT release, 'Organization/' || source_id FROM directory.network
UNION ALL SELECT release, 'Location/' || source_id FROM directory.practice_location
UNION ALL SELECT release, 'Endpoint/' || source_id FROM directory.endpoint
UNION ALL SELECT release, 'Practitioner/' || source_id FROM directory.provider)
SELECT e.*, e.reference IS NULL OR r.name IS NOT NULL AS is_there
FROM every e LEFT JOIN (SELECT DISTINCT release, name FROM resource) r
  ON r.release = e.release AND r.name = e.reference;

COMMENT ON VIEW directory.reference IS 'What records refer to, and whether that is in the same release';
COMMENT ON COLUMN directory.reference.kind IS 'What refers, in the words of FHIR';
COMMENT ON COLUMN directory.reference.is_there IS 'Whether the reference leads to a record of the same release';

ALTER TABLE directory.practitioner_role_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.healthcare_service_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.organization_affiliation_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.insurance_plan_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.organization_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.network_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.practice_location_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.endpoint_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
ALTER TABLE directory.provider_reference DROP COLUMN identifier_system, DROP COLUMN identifier;
DROP FUNCTION directory.reference_target(text);

-- rivulet:verify
SELECT 1 / (directory.reference_target('https://ex.org/fhir/Location/1/_history/2') = 'Location/1'
  AND directory.reference_target('Location/1') = 'Location/1'
  AND directory.reference_target('urn:uuid:0A') = 'urn:uuid:0a')::int;
SELECT identifier_system, identifier, is_there FROM directory.reference WHERE false;
