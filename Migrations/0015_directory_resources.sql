-- What provider directories publish beside their providers: organisations, roles, services, networks and plans, with what
-- each of them refers to.
-- rivulet:datasets fhir-directory, qhp-providers, directory-csv

-- rivulet:up
CREATE TABLE directory.organization (
  release text NOT NULL,
  source_id text NOT NULL,
  npi bigint,
  active text,
  type text,
  name text,
  part_of text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization IS 'Organisations of a directory: facilities, groups, payers';
COMMENT ON COLUMN directory.organization.npi IS 'National Provider Identifier; null where the source gives none';
COMMENT ON COLUMN directory.organization.active IS 'Whether it is in use, in the words of the source: true or false';
COMMENT ON COLUMN directory.organization.type IS 'First kind that the source gives, in its code';
COMMENT ON COLUMN directory.organization.name IS 'What it is called';
COMMENT ON COLUMN directory.organization.part_of IS 'Organisation that it is a part of, as the source refers to it';

CREATE TABLE directory.network (
  release text NOT NULL,
  source_id text NOT NULL,
  active text,
  name text,
  part_of text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT network_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.network IS 'Networks of providers that plans offer';
COMMENT ON COLUMN directory.network.active IS 'Whether it is in use, in the words of the source: true or false';
COMMENT ON COLUMN directory.network.name IS 'What it is called';
COMMENT ON COLUMN directory.network.part_of IS 'Organisation whose network it is, as the source refers to it';

CREATE TABLE directory.practitioner_role (
  release text NOT NULL,
  source_id text NOT NULL,
  active text,
  practitioner text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role IS 'What practitioners do, where and for whom';
COMMENT ON COLUMN directory.practitioner_role.active IS 'Whether it is in use, in the words of the source: true or false';
COMMENT ON COLUMN directory.practitioner_role.practitioner IS 'Who does it, as the source refers to it';
COMMENT ON COLUMN directory.practitioner_role.organization IS 'For whom, as the source refers to it';
COMMENT ON COLUMN directory.practitioner_role.period_start IS 'First day';
COMMENT ON COLUMN directory.practitioner_role.period_end IS 'Last day';

CREATE TABLE directory.healthcare_service (
  release text NOT NULL,
  source_id text NOT NULL,
  active text,
  name text,
  provided_by text,
  comment text,
  appointment_required text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service IS 'Services that organisations offer';
COMMENT ON COLUMN directory.healthcare_service.active IS 'Whether it is in use, in the words of the source: true or false';
COMMENT ON COLUMN directory.healthcare_service.name IS 'What it is called';
COMMENT ON COLUMN directory.healthcare_service.provided_by IS 'Organisation that offers it, as the source refers to it';
COMMENT ON COLUMN directory.healthcare_service.comment IS 'What else is said of it';
COMMENT ON COLUMN directory.healthcare_service.appointment_required IS 'Whether an appointment is needed: true or false';

CREATE TABLE directory.organization_affiliation (
  release text NOT NULL,
  source_id text NOT NULL,
  active text,
  organization text,
  participating_organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_affiliation_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_affiliation IS 'Organisations that work for others';
COMMENT ON COLUMN directory.organization_affiliation.active IS 'Whether it is in use, in the words of the source: true or false';
COMMENT ON COLUMN directory.organization_affiliation.organization IS 'For whom, as the source refers to it';
COMMENT ON COLUMN directory.organization_affiliation.participating_organization IS 'Who does, as the source refers to it';
COMMENT ON COLUMN directory.organization_affiliation.period_start IS 'First day';
COMMENT ON COLUMN directory.organization_affiliation.period_end IS 'Last day';

CREATE TABLE directory.insurance_plan (
  release text NOT NULL,
  source_id text NOT NULL,
  status text,
  name text,
  owned_by text,
  administered_by text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT insurance_plan_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.insurance_plan IS 'Insurance plans and the products that they are';
COMMENT ON COLUMN directory.insurance_plan.status IS 'Whether it is offered, in the words of the source';
COMMENT ON COLUMN directory.insurance_plan.name IS 'What it is called';
COMMENT ON COLUMN directory.insurance_plan.owned_by IS 'Who owns it, as the source refers to it';
COMMENT ON COLUMN directory.insurance_plan.administered_by IS 'Who runs it, as the source refers to it';
COMMENT ON COLUMN directory.insurance_plan.period_start IS 'First day';
COMMENT ON COLUMN directory.insurance_plan.period_end IS 'Last day';

CREATE TABLE directory.practitioner_role_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role_reference IS 'What records of directory.practitioner_role refer to';
COMMENT ON COLUMN directory.practitioner_role_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.practitioner_role_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.practitioner_role_reference.display IS 'What the source calls it';

CREATE TABLE directory.healthcare_service_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service_reference IS 'What records of directory.healthcare_service refer to';
COMMENT ON COLUMN directory.healthcare_service_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.healthcare_service_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.healthcare_service_reference.display IS 'What the source calls it';

CREATE TABLE directory.organization_affiliation_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_affiliation_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_affiliation_reference IS 'What records of directory.organization_affiliation refer to';
COMMENT ON COLUMN directory.organization_affiliation_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.organization_affiliation_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.organization_affiliation_reference.display IS 'What the source calls it';

CREATE TABLE directory.insurance_plan_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT insurance_plan_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.insurance_plan_reference IS 'What records of directory.insurance_plan refer to';
COMMENT ON COLUMN directory.insurance_plan_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.insurance_plan_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.insurance_plan_reference.display IS 'What the source calls it';

CREATE TABLE directory.organization_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_reference IS 'What records of directory.organization refer to';
COMMENT ON COLUMN directory.organization_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.organization_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.organization_reference.display IS 'What the source calls it';

CREATE TABLE directory.network_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT network_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.network_reference IS 'What records of directory.network refer to';
COMMENT ON COLUMN directory.network_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.network_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.network_reference.display IS 'What the source calls it';

CREATE TABLE directory.practice_location_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practice_location_reference IS 'What records of directory.practice_location refer to';
COMMENT ON COLUMN directory.practice_location_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.practice_location_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.practice_location_reference.display IS 'What the source calls it';

CREATE TABLE directory.endpoint_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT endpoint_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.endpoint_reference IS 'What records of directory.endpoint refer to';
COMMENT ON COLUMN directory.endpoint_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.endpoint_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.endpoint_reference.display IS 'What the source calls it';

CREATE TABLE directory.provider_reference (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  reference text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_reference_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_reference IS 'What records of directory.provider refer to';
COMMENT ON COLUMN directory.provider_reference.path IS 'Names that lead to the reference within the record';
COMMENT ON COLUMN directory.provider_reference.reference IS 'Kind and identifier of what is meant, as the source writes it';
COMMENT ON COLUMN directory.provider_reference.display IS 'What the source calls it';

CREATE TABLE directory.practitioner_role_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role_concept IS 'Coded values of records of directory.practitioner_role';
COMMENT ON COLUMN directory.practitioner_role_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.practitioner_role_concept.system IS 'Code system';
COMMENT ON COLUMN directory.practitioner_role_concept.code IS 'Code';
COMMENT ON COLUMN directory.practitioner_role_concept.display IS 'The code in words';

CREATE TABLE directory.healthcare_service_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service_concept IS 'Coded values of records of directory.healthcare_service';
COMMENT ON COLUMN directory.healthcare_service_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.healthcare_service_concept.system IS 'Code system';
COMMENT ON COLUMN directory.healthcare_service_concept.code IS 'Code';
COMMENT ON COLUMN directory.healthcare_service_concept.display IS 'The code in words';

CREATE TABLE directory.organization_affiliation_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_affiliation_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_affiliation_concept IS 'Coded values of records of directory.organization_affiliation';
COMMENT ON COLUMN directory.organization_affiliation_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.organization_affiliation_concept.system IS 'Code system';
COMMENT ON COLUMN directory.organization_affiliation_concept.code IS 'Code';
COMMENT ON COLUMN directory.organization_affiliation_concept.display IS 'The code in words';

CREATE TABLE directory.insurance_plan_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT insurance_plan_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.insurance_plan_concept IS 'Coded values of records of directory.insurance_plan';
COMMENT ON COLUMN directory.insurance_plan_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.insurance_plan_concept.system IS 'Code system';
COMMENT ON COLUMN directory.insurance_plan_concept.code IS 'Code';
COMMENT ON COLUMN directory.insurance_plan_concept.display IS 'The code in words';

CREATE TABLE directory.organization_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_concept IS 'Coded values of records of directory.organization';
COMMENT ON COLUMN directory.organization_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.organization_concept.system IS 'Code system';
COMMENT ON COLUMN directory.organization_concept.code IS 'Code';
COMMENT ON COLUMN directory.organization_concept.display IS 'The code in words';

CREATE TABLE directory.practice_location_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practice_location_concept IS 'Coded values of records of directory.practice_location';
COMMENT ON COLUMN directory.practice_location_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.practice_location_concept.system IS 'Code system';
COMMENT ON COLUMN directory.practice_location_concept.code IS 'Code';
COMMENT ON COLUMN directory.practice_location_concept.display IS 'The code in words';

CREATE TABLE directory.endpoint_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT endpoint_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.endpoint_concept IS 'Coded values of records of directory.endpoint';
COMMENT ON COLUMN directory.endpoint_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.endpoint_concept.system IS 'Code system';
COMMENT ON COLUMN directory.endpoint_concept.code IS 'Code';
COMMENT ON COLUMN directory.endpoint_concept.display IS 'The code in words';

CREATE TABLE directory.provider_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_concept IS 'Coded values of records of directory.provider';
COMMENT ON COLUMN directory.provider_concept.path IS 'Names that lead to the value within the record';
COMMENT ON COLUMN directory.provider_concept.system IS 'Code system';
COMMENT ON COLUMN directory.provider_concept.code IS 'Code';
COMMENT ON COLUMN directory.provider_concept.display IS 'The code in words';

CREATE TABLE directory.practitioner_role_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role_identifier IS 'Identifiers that others have given to records of directory.practitioner_role';
COMMENT ON COLUMN directory.practitioner_role_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.practitioner_role_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.practitioner_role_identifier.issuer IS 'Who gave it';

CREATE TABLE directory.organization_affiliation_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_affiliation_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_affiliation_identifier IS 'Identifiers that others have given to records of directory.organization_affiliation';
COMMENT ON COLUMN directory.organization_affiliation_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.organization_affiliation_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.organization_affiliation_identifier.issuer IS 'Who gave it';

CREATE TABLE directory.insurance_plan_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT insurance_plan_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.insurance_plan_identifier IS 'Identifiers that others have given to records of directory.insurance_plan';
COMMENT ON COLUMN directory.insurance_plan_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.insurance_plan_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.insurance_plan_identifier.issuer IS 'Who gave it';

CREATE TABLE directory.organization_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_identifier IS 'Identifiers that others have given to records of directory.organization';
COMMENT ON COLUMN directory.organization_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.organization_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.organization_identifier.issuer IS 'Who gave it';

CREATE TABLE directory.network_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT network_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.network_identifier IS 'Identifiers that others have given to records of directory.network';
COMMENT ON COLUMN directory.network_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.network_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.network_identifier.issuer IS 'Who gave it';

CREATE TABLE directory.practice_location_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practice_location_identifier IS 'Identifiers that others have given to records of directory.practice_location';
COMMENT ON COLUMN directory.practice_location_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.practice_location_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.practice_location_identifier.issuer IS 'Who gave it';

CREATE TABLE directory.practitioner_role_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role_telecom IS 'Telephone numbers and the like of records of directory.practitioner_role';
COMMENT ON COLUMN directory.practitioner_role_telecom.system IS 'phone, fax, email, url';
COMMENT ON COLUMN directory.practitioner_role_telecom.value IS 'As the source writes it';
COMMENT ON COLUMN directory.practitioner_role_telecom.use IS 'What it is for, in the words of the source';

CREATE TABLE directory.healthcare_service_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service_telecom IS 'Telephone numbers and the like of records of directory.healthcare_service';
COMMENT ON COLUMN directory.healthcare_service_telecom.system IS 'phone, fax, email, url';
COMMENT ON COLUMN directory.healthcare_service_telecom.value IS 'As the source writes it';
COMMENT ON COLUMN directory.healthcare_service_telecom.use IS 'What it is for, in the words of the source';

CREATE TABLE directory.organization_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_telecom IS 'Telephone numbers and the like of records of directory.organization';
COMMENT ON COLUMN directory.organization_telecom.system IS 'phone, fax, email, url';
COMMENT ON COLUMN directory.organization_telecom.value IS 'As the source writes it';
COMMENT ON COLUMN directory.organization_telecom.use IS 'What it is for, in the words of the source';

CREATE TABLE directory.practice_location_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practice_location_telecom IS 'Telephone numbers and the like of records of directory.practice_location';
COMMENT ON COLUMN directory.practice_location_telecom.system IS 'phone, fax, email, url';
COMMENT ON COLUMN directory.practice_location_telecom.value IS 'As the source writes it';
COMMENT ON COLUMN directory.practice_location_telecom.use IS 'What it is for, in the words of the source';

CREATE TABLE directory.endpoint_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT endpoint_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.endpoint_telecom IS 'Telephone numbers and the like of records of directory.endpoint';
COMMENT ON COLUMN directory.endpoint_telecom.system IS 'phone, fax, email, url';
COMMENT ON COLUMN directory.endpoint_telecom.value IS 'As the source writes it';
COMMENT ON COLUMN directory.endpoint_telecom.use IS 'What it is for, in the words of the source';

CREATE TABLE directory.provider_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_telecom IS 'Telephone numbers and the like of records of directory.provider';
COMMENT ON COLUMN directory.provider_telecom.system IS 'phone, fax, email, url';
COMMENT ON COLUMN directory.provider_telecom.value IS 'As the source writes it';
COMMENT ON COLUMN directory.provider_telecom.use IS 'What it is for, in the words of the source';

CREATE TABLE directory.organization_address (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  use text,
  line_1 text,
  line_2 text,
  city text,
  state text,
  postal_code text,
  country text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_address_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_address IS 'Addresses of organisations';
COMMENT ON COLUMN directory.organization_address.use IS 'What it is for, in the words of the source';
COMMENT ON COLUMN directory.organization_address.line_1 IS 'First line';
COMMENT ON COLUMN directory.organization_address.line_2 IS 'Second line';
COMMENT ON COLUMN directory.organization_address.city IS 'City';
COMMENT ON COLUMN directory.organization_address.state IS 'State, as written';
COMMENT ON COLUMN directory.organization_address.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.organization_address.country IS 'Country, as written';

CREATE TABLE directory.provider_plan (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  plan_id text,
  plan_id_type text,
  network_tier text,
  years text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_plan_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_plan IS 'Plans whose networks providers are in';
COMMENT ON COLUMN directory.provider_plan.plan_id IS 'Identifier of the plan';
COMMENT ON COLUMN directory.provider_plan.plan_id_type IS 'Kind of that identifier';
COMMENT ON COLUMN directory.provider_plan.network_tier IS 'Tier of the network';
COMMENT ON COLUMN directory.provider_plan.years IS 'Years that it holds for';

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

-- rivulet:down
DROP VIEW directory.reference;
DROP TABLE directory.provider_plan;
DROP TABLE directory.organization_address;
DROP TABLE directory.provider_telecom;
DROP TABLE directory.endpoint_telecom;
DROP TABLE directory.practice_location_telecom;
DROP TABLE directory.organization_telecom;
DROP TABLE directory.healthcare_service_telecom;
DROP TABLE directory.practitioner_role_telecom;
DROP TABLE directory.practice_location_identifier;
DROP TABLE directory.network_identifier;
DROP TABLE directory.organization_identifier;
DROP TABLE directory.insurance_plan_identifier;
DROP TABLE directory.organization_affiliation_identifier;
DROP TABLE directory.practitioner_role_identifier;
DROP TABLE directory.provider_concept;
DROP TABLE directory.endpoint_concept;
DROP TABLE directory.practice_location_concept;
DROP TABLE directory.organization_concept;
DROP TABLE directory.insurance_plan_concept;
DROP TABLE directory.organization_affiliation_concept;
DROP TABLE directory.healthcare_service_concept;
DROP TABLE directory.practitioner_role_concept;
DROP TABLE directory.provider_reference;
DROP TABLE directory.endpoint_reference;
DROP TABLE directory.practice_location_reference;
DROP TABLE directory.network_reference;
DROP TABLE directory.organization_reference;
DROP TABLE directory.insurance_plan_reference;
DROP TABLE directory.organization_affiliation_reference;
DROP TABLE directory.healthcare_service_reference;
DROP TABLE directory.practitioner_role_reference;
DROP TABLE directory.insurance_plan;
DROP TABLE directory.organization_affiliation;
DROP TABLE directory.healthcare_service;
DROP TABLE directory.practitioner_role;
DROP TABLE directory.network;
DROP TABLE directory.organization;

-- rivulet:verify
SELECT release, kind, source_id, slot, path, reference, display, source_file_id, source_line, is_there
FROM directory.reference WHERE false;
