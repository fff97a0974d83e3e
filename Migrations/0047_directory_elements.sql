-- What directories in FHIR say beside names and places: whose new patients are taken, when somebody is there, whom to ask,
-- what a qualification is worth where, and which extensions change what a record means.
-- rivulet:datasets fhir-directory, qhp-providers, directory-csv

-- rivulet:up
CREATE FUNCTION directory.has_npi_form(identifier text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN identifier ~ '^[12][0-9]{9}$' THEN (
    SELECT (24 + sum(CASE WHEN place % 2 = 1 THEN digit * 2 / 10 + digit * 2 % 10 ELSE digit END)) % 10 = 0
    FROM (
      SELECT place, substr(identifier, place, 1)::int AS digit FROM generate_series(1, 10) place
    ) digits) ELSE false END;
COMMENT ON FUNCTION directory.has_npi_form IS
  'Whether a text has ten digits, the first of them 1 or 2, and the last as it follows from the others: by the formula of Luhn over 80840 and the number';

ALTER TABLE directory.provider
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN active text,
  ADD COLUMN deceased text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.provider.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.provider.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.provider.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.provider.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.provider.language IS 'Language of the record';
COMMENT ON COLUMN directory.provider.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.provider.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.provider.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.provider.active IS 'Whether the record is in use, in the words of the source: true or false';
COMMENT ON COLUMN directory.provider.deceased IS 'Whether or when the person died, in the words of the source';
COMMENT ON COLUMN directory.provider.period_start IS 'First day on which the person practises';
COMMENT ON COLUMN directory.provider.period_end IS 'Last day of it';

ALTER TABLE directory.organization
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN aliases text,
  ADD COLUMN description text;
COMMENT ON COLUMN directory.organization.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.organization.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.organization.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.organization.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.organization.language IS 'Language of the record';
COMMENT ON COLUMN directory.organization.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.organization.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.organization.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.organization.aliases IS 'Other names, parted by semicolons';
COMMENT ON COLUMN directory.organization.description IS 'What the source says of it';

ALTER TABLE directory.network
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN aliases text,
  ADD COLUMN description text;
COMMENT ON COLUMN directory.network.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.network.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.network.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.network.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.network.language IS 'Language of the record';
COMMENT ON COLUMN directory.network.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.network.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.network.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.network.aliases IS 'Other names, parted by semicolons';
COMMENT ON COLUMN directory.network.description IS 'What the source says of it';

ALTER TABLE directory.practitioner_role
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN availability_exceptions text;
COMMENT ON COLUMN directory.practitioner_role.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.practitioner_role.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.practitioner_role.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.practitioner_role.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.practitioner_role.language IS 'Language of the record';
COMMENT ON COLUMN directory.practitioner_role.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.practitioner_role.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.practitioner_role.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.practitioner_role.availability_exceptions IS 'When it is otherwise than the hours say, in words';

ALTER TABLE directory.healthcare_service
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN extra_details text,
  ADD COLUMN availability_exceptions text,
  ADD COLUMN eligibility text;
COMMENT ON COLUMN directory.healthcare_service.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.healthcare_service.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.healthcare_service.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.healthcare_service.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.healthcare_service.language IS 'Language of the record';
COMMENT ON COLUMN directory.healthcare_service.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.healthcare_service.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.healthcare_service.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.healthcare_service.extra_details IS 'What else the source says, at length';
COMMENT ON COLUMN directory.healthcare_service.availability_exceptions IS 'When it is otherwise than the hours say, in words';
COMMENT ON COLUMN directory.healthcare_service.eligibility IS 'Who may use it, in words, parted by semicolons';

ALTER TABLE directory.practice_location
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN description text,
  ADD COLUMN mode text,
  ADD COLUMN aliases text,
  ADD COLUMN availability_exceptions text,
  ADD COLUMN address_use text,
  ADD COLUMN address_type text,
  ADD COLUMN address_text text,
  ADD COLUMN district text,
  ADD COLUMN address_start text,
  ADD COLUMN address_end text,
  ADD COLUMN managed_by text,
  ADD COLUMN part_of text,
  ADD COLUMN altitude numeric,
  ADD COLUMN virtual_address text,
  ADD COLUMN virtual_information text,
  ADD COLUMN virtual_participants text;
COMMENT ON COLUMN directory.practice_location.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.practice_location.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.practice_location.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.practice_location.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.practice_location.language IS 'Language of the record';
COMMENT ON COLUMN directory.practice_location.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.practice_location.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.practice_location.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.practice_location.description IS 'What the source says of it';
COMMENT ON COLUMN directory.practice_location.mode IS 'Whether it is one place or a kind of place: instance, kind';
COMMENT ON COLUMN directory.practice_location.aliases IS 'Other names, parted by semicolons';
COMMENT ON COLUMN directory.practice_location.availability_exceptions IS 'When it is otherwise than the hours say, in words';
COMMENT ON COLUMN directory.practice_location.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.practice_location.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.practice_location.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.practice_location.district IS 'District or county';
COMMENT ON COLUMN directory.practice_location.address_start IS 'First day of the address';
COMMENT ON COLUMN directory.practice_location.address_end IS 'Last day of the address';
COMMENT ON COLUMN directory.practice_location.managed_by IS 'Organisation that runs it, as the source refers to it';
COMMENT ON COLUMN directory.practice_location.part_of IS 'Place that it is a part of, as the source refers to it';
COMMENT ON COLUMN directory.practice_location.altitude IS 'Metres above the sea';
COMMENT ON COLUMN directory.practice_location.virtual_address IS 'Where it is met without going there, parted by blanks';
COMMENT ON COLUMN directory.practice_location.virtual_information IS 'More about that, as addresses of the web parted by blanks';
COMMENT ON COLUMN directory.practice_location.virtual_participants IS 'How many may take part';

ALTER TABLE directory.endpoint
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN description text,
  ADD COLUMN mime_types text,
  ADD COLUMN payload_profiles text,
  ADD COLUMN managed_by text,
  ADD COLUMN usecase_standards text;
COMMENT ON COLUMN directory.endpoint.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.endpoint.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.endpoint.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.endpoint.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.endpoint.language IS 'Language of the record';
COMMENT ON COLUMN directory.endpoint.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.endpoint.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.endpoint.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.endpoint.period_start IS 'First day';
COMMENT ON COLUMN directory.endpoint.period_end IS 'Last day';
COMMENT ON COLUMN directory.endpoint.description IS 'What the source says of it';
COMMENT ON COLUMN directory.endpoint.mime_types IS 'Forms of what is sent, parted by blanks: application/fhir+json';
COMMENT ON COLUMN directory.endpoint.payload_profiles IS 'Profiles that what is sent keeps to, parted by blanks';
COMMENT ON COLUMN directory.endpoint.managed_by IS 'Organisation that runs it, as the source refers to it';
COMMENT ON COLUMN directory.endpoint.usecase_standards IS 'Standards of what it is used for, parted by blanks';

ALTER TABLE directory.organization_affiliation
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text;
COMMENT ON COLUMN directory.organization_affiliation.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.organization_affiliation.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.organization_affiliation.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.organization_affiliation.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.organization_affiliation.language IS 'Language of the record';
COMMENT ON COLUMN directory.organization_affiliation.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.organization_affiliation.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.organization_affiliation.withheld IS 'System or kind of an identifier that is never stored: a social security number';

ALTER TABLE directory.insurance_plan
  ADD COLUMN last_updated timestamptz,
  ADD COLUMN version_id text,
  ADD COLUMN profiles text,
  ADD COLUMN origin text,
  ADD COLUMN language text,
  ADD COLUMN implicit_rules text,
  ADD COLUMN modifiers text,
  ADD COLUMN withheld text,
  ADD COLUMN aliases text;
COMMENT ON COLUMN directory.insurance_plan.last_updated IS 'When its publisher changed the record last';
COMMENT ON COLUMN directory.insurance_plan.version_id IS 'Version of the record, as its server counts them';
COMMENT ON COLUMN directory.insurance_plan.profiles IS 'Profiles that the record says it keeps to, parted by blanks';
COMMENT ON COLUMN directory.insurance_plan.origin IS 'System that the record came from, where the source tells it';
COMMENT ON COLUMN directory.insurance_plan.language IS 'Language of the record';
COMMENT ON COLUMN directory.insurance_plan.implicit_rules IS 'Rules under which the record was made and must be read';
COMMENT ON COLUMN directory.insurance_plan.modifiers IS 'Extensions that change what the record means, by their addresses; without knowing them it must not be relied on';
COMMENT ON COLUMN directory.insurance_plan.withheld IS 'System or kind of an identifier that is never stored: a social security number';
COMMENT ON COLUMN directory.insurance_plan.aliases IS 'Other names, parted by semicolons';

ALTER TABLE directory.provider_identifier
  ADD COLUMN type_system text,
  ADD COLUMN type_code text,
  ADD COLUMN type_text text,
  ADD COLUMN use text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.provider_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.provider_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.provider_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.provider_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.provider_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.provider_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.provider_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.organization_identifier
  ADD COLUMN type_system text,
  ADD COLUMN type_code text,
  ADD COLUMN type_text text,
  ADD COLUMN use text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.organization_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.organization_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.organization_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.organization_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.organization_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.organization_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.organization_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.network_identifier
  ADD COLUMN type_system text,
  ADD COLUMN type_code text,
  ADD COLUMN type_text text,
  ADD COLUMN use text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.network_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.network_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.network_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.network_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.network_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.network_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.network_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.practitioner_role_identifier
  ADD COLUMN type_system text,
  ADD COLUMN type_code text,
  ADD COLUMN type_text text,
  ADD COLUMN use text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.practitioner_role_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.practitioner_role_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.practitioner_role_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.practitioner_role_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.practitioner_role_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.practitioner_role_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.practitioner_role_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

CREATE TABLE directory.healthcare_service_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  type_system text,
  type_code text,
  type_text text,
  use text,
  period_start text,
  period_end text,
  issuer_reference text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service_identifier IS 'Identifiers of services';
COMMENT ON COLUMN directory.healthcare_service_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.healthcare_service_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.healthcare_service_identifier.issuer IS 'Who gave it';
COMMENT ON COLUMN directory.healthcare_service_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.healthcare_service_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.healthcare_service_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.healthcare_service_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.healthcare_service_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.healthcare_service_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.healthcare_service_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.practice_location_identifier
  ADD COLUMN type_system text,
  ADD COLUMN type_code text,
  ADD COLUMN type_text text,
  ADD COLUMN use text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.practice_location_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.practice_location_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.practice_location_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.practice_location_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.practice_location_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.practice_location_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.practice_location_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

CREATE TABLE directory.endpoint_identifier (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  identifier text,
  kind text,
  issuer text,
  type_system text,
  type_code text,
  type_text text,
  use text,
  period_start text,
  period_end text,
  issuer_reference text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT endpoint_identifier_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.endpoint_identifier IS 'Identifiers of endpoints';
COMMENT ON COLUMN directory.endpoint_identifier.identifier IS 'The identifier';
COMMENT ON COLUMN directory.endpoint_identifier.kind IS 'System that it belongs to';
COMMENT ON COLUMN directory.endpoint_identifier.issuer IS 'Who gave it';
COMMENT ON COLUMN directory.endpoint_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.endpoint_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.endpoint_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.endpoint_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.endpoint_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.endpoint_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.endpoint_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.organization_affiliation_identifier
  ADD COLUMN type_system text,
  ADD COLUMN type_code text,
  ADD COLUMN type_text text,
  ADD COLUMN use text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.organization_affiliation_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.organization_affiliation_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.organization_affiliation_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.organization_affiliation_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.organization_affiliation_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.organization_affiliation_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.organization_affiliation_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.insurance_plan_identifier
  ADD COLUMN path text,
  ADD COLUMN type_system text,
  ADD COLUMN type_code text,
  ADD COLUMN type_text text,
  ADD COLUMN use text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.insurance_plan_identifier.path IS 'Names that lead to it within the record';
COMMENT ON COLUMN directory.insurance_plan_identifier.type_system IS 'Code system of its type';
COMMENT ON COLUMN directory.insurance_plan_identifier.type_code IS 'Code of its type, as NPI or MD';
COMMENT ON COLUMN directory.insurance_plan_identifier.type_text IS 'Its type in words';
COMMENT ON COLUMN directory.insurance_plan_identifier.use IS 'What it is for, in the words of the source: old is out of use';
COMMENT ON COLUMN directory.insurance_plan_identifier.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.insurance_plan_identifier.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.insurance_plan_identifier.issuer_reference IS 'Who gave it, as the source refers to it';

ALTER TABLE directory.provider_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.provider_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.provider_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.provider_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.organization_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.organization_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.organization_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.organization_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

CREATE TABLE directory.network_concept (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  system text,
  code text,
  display text,
  version text,
  is_chosen boolean,
  text text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT network_concept_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.network_concept IS 'Coded values of records of directory.network';
COMMENT ON COLUMN directory.network_concept.path IS 'Names that lead to it within the record';
COMMENT ON COLUMN directory.network_concept.system IS 'Code system';
COMMENT ON COLUMN directory.network_concept.code IS 'Code';
COMMENT ON COLUMN directory.network_concept.display IS 'The code in words';
COMMENT ON COLUMN directory.network_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.network_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.network_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.practitioner_role_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.practitioner_role_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.practitioner_role_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.practitioner_role_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.healthcare_service_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.healthcare_service_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.healthcare_service_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.healthcare_service_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.practice_location_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.practice_location_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.practice_location_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.practice_location_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.endpoint_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.endpoint_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.endpoint_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.endpoint_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.organization_affiliation_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.organization_affiliation_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.organization_affiliation_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.organization_affiliation_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.insurance_plan_concept
  ADD COLUMN version text,
  ADD COLUMN is_chosen boolean,
  ADD COLUMN text text;
COMMENT ON COLUMN directory.insurance_plan_concept.version IS 'Version of the code system';
COMMENT ON COLUMN directory.insurance_plan_concept.is_chosen IS 'Whether somebody chose the code, rather than a program';
COMMENT ON COLUMN directory.insurance_plan_concept.text IS 'What the source says of the concept as a whole, in a row of its own after those of the codes; all that there is of one without a code';

ALTER TABLE directory.provider_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.provider_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.organization_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.organization_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.network_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.network_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.practitioner_role_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.practitioner_role_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.healthcare_service_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.healthcare_service_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.practice_location_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.practice_location_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.endpoint_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.endpoint_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.organization_affiliation_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.organization_affiliation_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.insurance_plan_reference
  ADD COLUMN type text;
COMMENT ON COLUMN directory.insurance_plan_reference.type IS 'Kind of what is meant, where the source says it beside the reference';

ALTER TABLE directory.provider_telecom
  ADD COLUMN rank integer,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.provider_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.provider_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.provider_telecom.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.organization_telecom
  ADD COLUMN rank integer,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.organization_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.organization_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.organization_telecom.period_end IS 'Last day on which it is in use';

CREATE TABLE directory.network_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  rank integer,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT network_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.network_telecom IS 'Telephone numbers and addresses of networks';
COMMENT ON COLUMN directory.network_telecom.system IS 'phone, fax, email, url or what else it is';
COMMENT ON COLUMN directory.network_telecom.value IS 'Number, in E.164 with its extension where it is one, or address';
COMMENT ON COLUMN directory.network_telecom.use IS 'What it is for, in the words of the source';
COMMENT ON COLUMN directory.network_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.network_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.network_telecom.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.practitioner_role_telecom
  ADD COLUMN rank integer,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.practitioner_role_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.practitioner_role_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.practitioner_role_telecom.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.healthcare_service_telecom
  ADD COLUMN rank integer,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.healthcare_service_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.healthcare_service_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.healthcare_service_telecom.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.practice_location_telecom
  ADD COLUMN rank integer,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.practice_location_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.practice_location_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.practice_location_telecom.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.endpoint_telecom
  ADD COLUMN rank integer,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.endpoint_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.endpoint_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.endpoint_telecom.period_end IS 'Last day on which it is in use';

CREATE TABLE directory.organization_affiliation_telecom (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  value text,
  use text,
  rank integer,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_affiliation_telecom_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_affiliation_telecom IS 'Telephone numbers and addresses of affiliations';
COMMENT ON COLUMN directory.organization_affiliation_telecom.system IS 'phone, fax, email, url or what else it is';
COMMENT ON COLUMN directory.organization_affiliation_telecom.value IS 'Number, in E.164 with its extension where it is one, or address';
COMMENT ON COLUMN directory.organization_affiliation_telecom.use IS 'What it is for, in the words of the source';
COMMENT ON COLUMN directory.organization_affiliation_telecom.rank IS 'Which is to be tried first: 1 before 2';
COMMENT ON COLUMN directory.organization_affiliation_telecom.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.organization_affiliation_telecom.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.provider_name
  ADD COLUMN full_name text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text;
COMMENT ON COLUMN directory.provider_name.full_name IS 'The whole name, as the source writes it in one text';
COMMENT ON COLUMN directory.provider_name.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.provider_name.period_end IS 'Last day on which it is in use';

ALTER TABLE directory.provider_address
  ADD COLUMN type text,
  ADD COLUMN text text,
  ADD COLUMN district text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN latitude numeric,
  ADD COLUMN longitude numeric;
COMMENT ON COLUMN directory.provider_address.type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.provider_address.text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.provider_address.district IS 'District or county';
COMMENT ON COLUMN directory.provider_address.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.provider_address.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.provider_address.latitude IS 'Degrees north';
COMMENT ON COLUMN directory.provider_address.longitude IS 'Degrees east';

ALTER TABLE directory.organization_address
  ADD COLUMN type text,
  ADD COLUMN text text,
  ADD COLUMN district text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN latitude numeric,
  ADD COLUMN longitude numeric;
COMMENT ON COLUMN directory.organization_address.type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.organization_address.text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.organization_address.district IS 'District or county';
COMMENT ON COLUMN directory.organization_address.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.organization_address.period_end IS 'Last day on which it is in use';
COMMENT ON COLUMN directory.organization_address.latitude IS 'Degrees north';
COMMENT ON COLUMN directory.organization_address.longitude IS 'Degrees east';

CREATE TABLE directory.network_address (
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
  type text,
  text text,
  district text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT network_address_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.network_address IS 'Addresses of networks';
COMMENT ON COLUMN directory.network_address.use IS 'What it is for, in the words of the source';
COMMENT ON COLUMN directory.network_address.line_1 IS 'First line';
COMMENT ON COLUMN directory.network_address.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.network_address.city IS 'City';
COMMENT ON COLUMN directory.network_address.state IS 'State, as written';
COMMENT ON COLUMN directory.network_address.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.network_address.country IS 'Country, as written';
COMMENT ON COLUMN directory.network_address.type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.network_address.text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.network_address.district IS 'District or county';
COMMENT ON COLUMN directory.network_address.period_start IS 'First day on which it is in use';
COMMENT ON COLUMN directory.network_address.period_end IS 'Last day on which it is in use';

CREATE TABLE directory.organization_contact (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  purpose_system text,
  purpose text,
  purpose_text text,
  full_name text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  name_use text,
  phone text,
  fax text,
  email text,
  url text,
  other text,
  address_use text,
  address_type text,
  address_text text,
  line_1 text,
  line_2 text,
  city text,
  district text,
  state text,
  postal_code text,
  country text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_contact_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_contact IS 'Whom to ask about organisations';
COMMENT ON COLUMN directory.organization_contact.purpose_system IS 'Code system of what the contact is for';
COMMENT ON COLUMN directory.organization_contact.purpose IS 'What the contact is for, in its code';
COMMENT ON COLUMN directory.organization_contact.purpose_text IS 'The same in words';
COMMENT ON COLUMN directory.organization_contact.full_name IS 'Whom to ask for, as the source writes it in one text';
COMMENT ON COLUMN directory.organization_contact.last_name IS 'Last name';
COMMENT ON COLUMN directory.organization_contact.first_name IS 'First name';
COMMENT ON COLUMN directory.organization_contact.middle_name IS 'Other given names';
COMMENT ON COLUMN directory.organization_contact.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.organization_contact.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.organization_contact.name_use IS 'What the name is for, in the words of the source';
COMMENT ON COLUMN directory.organization_contact.phone IS 'Telephone numbers as written, parted by commas';
COMMENT ON COLUMN directory.organization_contact.fax IS 'Fax numbers as written, parted by commas';
COMMENT ON COLUMN directory.organization_contact.email IS 'Addresses of mail, parted by commas';
COMMENT ON COLUMN directory.organization_contact.url IS 'Addresses of the web, parted by commas';
COMMENT ON COLUMN directory.organization_contact.other IS 'Other numbers and addresses, parted by commas';
COMMENT ON COLUMN directory.organization_contact.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.organization_contact.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.organization_contact.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.organization_contact.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.organization_contact.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.organization_contact.city IS 'City';
COMMENT ON COLUMN directory.organization_contact.district IS 'District or county';
COMMENT ON COLUMN directory.organization_contact.state IS 'State, as written';
COMMENT ON COLUMN directory.organization_contact.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.organization_contact.country IS 'Country, as written';
COMMENT ON COLUMN directory.organization_contact.organization IS 'Organisation that answers, as the source refers to it';
COMMENT ON COLUMN directory.organization_contact.period_start IS 'First day on which it answers';
COMMENT ON COLUMN directory.organization_contact.period_end IS 'Last day on which it answers';

CREATE TABLE directory.network_contact (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  purpose_system text,
  purpose text,
  purpose_text text,
  full_name text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  name_use text,
  phone text,
  fax text,
  email text,
  url text,
  other text,
  address_use text,
  address_type text,
  address_text text,
  line_1 text,
  line_2 text,
  city text,
  district text,
  state text,
  postal_code text,
  country text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT network_contact_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.network_contact IS 'Whom to ask about networks';
COMMENT ON COLUMN directory.network_contact.purpose_system IS 'Code system of what the contact is for';
COMMENT ON COLUMN directory.network_contact.purpose IS 'What the contact is for, in its code';
COMMENT ON COLUMN directory.network_contact.purpose_text IS 'The same in words';
COMMENT ON COLUMN directory.network_contact.full_name IS 'Whom to ask for, as the source writes it in one text';
COMMENT ON COLUMN directory.network_contact.last_name IS 'Last name';
COMMENT ON COLUMN directory.network_contact.first_name IS 'First name';
COMMENT ON COLUMN directory.network_contact.middle_name IS 'Other given names';
COMMENT ON COLUMN directory.network_contact.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.network_contact.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.network_contact.name_use IS 'What the name is for, in the words of the source';
COMMENT ON COLUMN directory.network_contact.phone IS 'Telephone numbers as written, parted by commas';
COMMENT ON COLUMN directory.network_contact.fax IS 'Fax numbers as written, parted by commas';
COMMENT ON COLUMN directory.network_contact.email IS 'Addresses of mail, parted by commas';
COMMENT ON COLUMN directory.network_contact.url IS 'Addresses of the web, parted by commas';
COMMENT ON COLUMN directory.network_contact.other IS 'Other numbers and addresses, parted by commas';
COMMENT ON COLUMN directory.network_contact.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.network_contact.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.network_contact.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.network_contact.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.network_contact.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.network_contact.city IS 'City';
COMMENT ON COLUMN directory.network_contact.district IS 'District or county';
COMMENT ON COLUMN directory.network_contact.state IS 'State, as written';
COMMENT ON COLUMN directory.network_contact.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.network_contact.country IS 'Country, as written';
COMMENT ON COLUMN directory.network_contact.organization IS 'Organisation that answers, as the source refers to it';
COMMENT ON COLUMN directory.network_contact.period_start IS 'First day on which it answers';
COMMENT ON COLUMN directory.network_contact.period_end IS 'Last day on which it answers';

CREATE TABLE directory.practitioner_role_contact (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  purpose_system text,
  purpose text,
  purpose_text text,
  full_name text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  name_use text,
  phone text,
  fax text,
  email text,
  url text,
  other text,
  address_use text,
  address_type text,
  address_text text,
  line_1 text,
  line_2 text,
  city text,
  district text,
  state text,
  postal_code text,
  country text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_contact_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role_contact IS 'Whom to ask about roles';
COMMENT ON COLUMN directory.practitioner_role_contact.purpose_system IS 'Code system of what the contact is for';
COMMENT ON COLUMN directory.practitioner_role_contact.purpose IS 'What the contact is for, in its code';
COMMENT ON COLUMN directory.practitioner_role_contact.purpose_text IS 'The same in words';
COMMENT ON COLUMN directory.practitioner_role_contact.full_name IS 'Whom to ask for, as the source writes it in one text';
COMMENT ON COLUMN directory.practitioner_role_contact.last_name IS 'Last name';
COMMENT ON COLUMN directory.practitioner_role_contact.first_name IS 'First name';
COMMENT ON COLUMN directory.practitioner_role_contact.middle_name IS 'Other given names';
COMMENT ON COLUMN directory.practitioner_role_contact.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.practitioner_role_contact.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.practitioner_role_contact.name_use IS 'What the name is for, in the words of the source';
COMMENT ON COLUMN directory.practitioner_role_contact.phone IS 'Telephone numbers as written, parted by commas';
COMMENT ON COLUMN directory.practitioner_role_contact.fax IS 'Fax numbers as written, parted by commas';
COMMENT ON COLUMN directory.practitioner_role_contact.email IS 'Addresses of mail, parted by commas';
COMMENT ON COLUMN directory.practitioner_role_contact.url IS 'Addresses of the web, parted by commas';
COMMENT ON COLUMN directory.practitioner_role_contact.other IS 'Other numbers and addresses, parted by commas';
COMMENT ON COLUMN directory.practitioner_role_contact.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.practitioner_role_contact.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.practitioner_role_contact.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.practitioner_role_contact.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.practitioner_role_contact.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.practitioner_role_contact.city IS 'City';
COMMENT ON COLUMN directory.practitioner_role_contact.district IS 'District or county';
COMMENT ON COLUMN directory.practitioner_role_contact.state IS 'State, as written';
COMMENT ON COLUMN directory.practitioner_role_contact.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.practitioner_role_contact.country IS 'Country, as written';
COMMENT ON COLUMN directory.practitioner_role_contact.organization IS 'Organisation that answers, as the source refers to it';
COMMENT ON COLUMN directory.practitioner_role_contact.period_start IS 'First day on which it answers';
COMMENT ON COLUMN directory.practitioner_role_contact.period_end IS 'Last day on which it answers';

CREATE TABLE directory.healthcare_service_contact (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  purpose_system text,
  purpose text,
  purpose_text text,
  full_name text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  name_use text,
  phone text,
  fax text,
  email text,
  url text,
  other text,
  address_use text,
  address_type text,
  address_text text,
  line_1 text,
  line_2 text,
  city text,
  district text,
  state text,
  postal_code text,
  country text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_contact_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service_contact IS 'Whom to ask about services';
COMMENT ON COLUMN directory.healthcare_service_contact.purpose_system IS 'Code system of what the contact is for';
COMMENT ON COLUMN directory.healthcare_service_contact.purpose IS 'What the contact is for, in its code';
COMMENT ON COLUMN directory.healthcare_service_contact.purpose_text IS 'The same in words';
COMMENT ON COLUMN directory.healthcare_service_contact.full_name IS 'Whom to ask for, as the source writes it in one text';
COMMENT ON COLUMN directory.healthcare_service_contact.last_name IS 'Last name';
COMMENT ON COLUMN directory.healthcare_service_contact.first_name IS 'First name';
COMMENT ON COLUMN directory.healthcare_service_contact.middle_name IS 'Other given names';
COMMENT ON COLUMN directory.healthcare_service_contact.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.healthcare_service_contact.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.healthcare_service_contact.name_use IS 'What the name is for, in the words of the source';
COMMENT ON COLUMN directory.healthcare_service_contact.phone IS 'Telephone numbers as written, parted by commas';
COMMENT ON COLUMN directory.healthcare_service_contact.fax IS 'Fax numbers as written, parted by commas';
COMMENT ON COLUMN directory.healthcare_service_contact.email IS 'Addresses of mail, parted by commas';
COMMENT ON COLUMN directory.healthcare_service_contact.url IS 'Addresses of the web, parted by commas';
COMMENT ON COLUMN directory.healthcare_service_contact.other IS 'Other numbers and addresses, parted by commas';
COMMENT ON COLUMN directory.healthcare_service_contact.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.healthcare_service_contact.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.healthcare_service_contact.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.healthcare_service_contact.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.healthcare_service_contact.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.healthcare_service_contact.city IS 'City';
COMMENT ON COLUMN directory.healthcare_service_contact.district IS 'District or county';
COMMENT ON COLUMN directory.healthcare_service_contact.state IS 'State, as written';
COMMENT ON COLUMN directory.healthcare_service_contact.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.healthcare_service_contact.country IS 'Country, as written';
COMMENT ON COLUMN directory.healthcare_service_contact.organization IS 'Organisation that answers, as the source refers to it';
COMMENT ON COLUMN directory.healthcare_service_contact.period_start IS 'First day on which it answers';
COMMENT ON COLUMN directory.healthcare_service_contact.period_end IS 'Last day on which it answers';

CREATE TABLE directory.practice_location_contact (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  purpose_system text,
  purpose text,
  purpose_text text,
  full_name text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  name_use text,
  phone text,
  fax text,
  email text,
  url text,
  other text,
  address_use text,
  address_type text,
  address_text text,
  line_1 text,
  line_2 text,
  city text,
  district text,
  state text,
  postal_code text,
  country text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_contact_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practice_location_contact IS 'Whom to ask about places';
COMMENT ON COLUMN directory.practice_location_contact.purpose_system IS 'Code system of what the contact is for';
COMMENT ON COLUMN directory.practice_location_contact.purpose IS 'What the contact is for, in its code';
COMMENT ON COLUMN directory.practice_location_contact.purpose_text IS 'The same in words';
COMMENT ON COLUMN directory.practice_location_contact.full_name IS 'Whom to ask for, as the source writes it in one text';
COMMENT ON COLUMN directory.practice_location_contact.last_name IS 'Last name';
COMMENT ON COLUMN directory.practice_location_contact.first_name IS 'First name';
COMMENT ON COLUMN directory.practice_location_contact.middle_name IS 'Other given names';
COMMENT ON COLUMN directory.practice_location_contact.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.practice_location_contact.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.practice_location_contact.name_use IS 'What the name is for, in the words of the source';
COMMENT ON COLUMN directory.practice_location_contact.phone IS 'Telephone numbers as written, parted by commas';
COMMENT ON COLUMN directory.practice_location_contact.fax IS 'Fax numbers as written, parted by commas';
COMMENT ON COLUMN directory.practice_location_contact.email IS 'Addresses of mail, parted by commas';
COMMENT ON COLUMN directory.practice_location_contact.url IS 'Addresses of the web, parted by commas';
COMMENT ON COLUMN directory.practice_location_contact.other IS 'Other numbers and addresses, parted by commas';
COMMENT ON COLUMN directory.practice_location_contact.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.practice_location_contact.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.practice_location_contact.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.practice_location_contact.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.practice_location_contact.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.practice_location_contact.city IS 'City';
COMMENT ON COLUMN directory.practice_location_contact.district IS 'District or county';
COMMENT ON COLUMN directory.practice_location_contact.state IS 'State, as written';
COMMENT ON COLUMN directory.practice_location_contact.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.practice_location_contact.country IS 'Country, as written';
COMMENT ON COLUMN directory.practice_location_contact.organization IS 'Organisation that answers, as the source refers to it';
COMMENT ON COLUMN directory.practice_location_contact.period_start IS 'First day on which it answers';
COMMENT ON COLUMN directory.practice_location_contact.period_end IS 'Last day on which it answers';

CREATE TABLE directory.organization_affiliation_contact (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  purpose_system text,
  purpose text,
  purpose_text text,
  full_name text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  name_use text,
  phone text,
  fax text,
  email text,
  url text,
  other text,
  address_use text,
  address_type text,
  address_text text,
  line_1 text,
  line_2 text,
  city text,
  district text,
  state text,
  postal_code text,
  country text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_affiliation_contact_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_affiliation_contact IS 'Whom to ask about affiliations';
COMMENT ON COLUMN directory.organization_affiliation_contact.purpose_system IS 'Code system of what the contact is for';
COMMENT ON COLUMN directory.organization_affiliation_contact.purpose IS 'What the contact is for, in its code';
COMMENT ON COLUMN directory.organization_affiliation_contact.purpose_text IS 'The same in words';
COMMENT ON COLUMN directory.organization_affiliation_contact.full_name IS 'Whom to ask for, as the source writes it in one text';
COMMENT ON COLUMN directory.organization_affiliation_contact.last_name IS 'Last name';
COMMENT ON COLUMN directory.organization_affiliation_contact.first_name IS 'First name';
COMMENT ON COLUMN directory.organization_affiliation_contact.middle_name IS 'Other given names';
COMMENT ON COLUMN directory.organization_affiliation_contact.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.organization_affiliation_contact.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.organization_affiliation_contact.name_use IS 'What the name is for, in the words of the source';
COMMENT ON COLUMN directory.organization_affiliation_contact.phone IS 'Telephone numbers as written, parted by commas';
COMMENT ON COLUMN directory.organization_affiliation_contact.fax IS 'Fax numbers as written, parted by commas';
COMMENT ON COLUMN directory.organization_affiliation_contact.email IS 'Addresses of mail, parted by commas';
COMMENT ON COLUMN directory.organization_affiliation_contact.url IS 'Addresses of the web, parted by commas';
COMMENT ON COLUMN directory.organization_affiliation_contact.other IS 'Other numbers and addresses, parted by commas';
COMMENT ON COLUMN directory.organization_affiliation_contact.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.organization_affiliation_contact.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.organization_affiliation_contact.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.organization_affiliation_contact.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.organization_affiliation_contact.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.organization_affiliation_contact.city IS 'City';
COMMENT ON COLUMN directory.organization_affiliation_contact.district IS 'District or county';
COMMENT ON COLUMN directory.organization_affiliation_contact.state IS 'State, as written';
COMMENT ON COLUMN directory.organization_affiliation_contact.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.organization_affiliation_contact.country IS 'Country, as written';
COMMENT ON COLUMN directory.organization_affiliation_contact.organization IS 'Organisation that answers, as the source refers to it';
COMMENT ON COLUMN directory.organization_affiliation_contact.period_start IS 'First day on which it answers';
COMMENT ON COLUMN directory.organization_affiliation_contact.period_end IS 'Last day on which it answers';

CREATE TABLE directory.insurance_plan_contact (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  purpose_system text,
  purpose text,
  purpose_text text,
  full_name text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  name_use text,
  phone text,
  fax text,
  email text,
  url text,
  other text,
  address_use text,
  address_type text,
  address_text text,
  line_1 text,
  line_2 text,
  city text,
  district text,
  state text,
  postal_code text,
  country text,
  organization text,
  period_start text,
  period_end text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT insurance_plan_contact_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.insurance_plan_contact IS 'Whom to ask about plans';
COMMENT ON COLUMN directory.insurance_plan_contact.purpose_system IS 'Code system of what the contact is for';
COMMENT ON COLUMN directory.insurance_plan_contact.purpose IS 'What the contact is for, in its code';
COMMENT ON COLUMN directory.insurance_plan_contact.purpose_text IS 'The same in words';
COMMENT ON COLUMN directory.insurance_plan_contact.full_name IS 'Whom to ask for, as the source writes it in one text';
COMMENT ON COLUMN directory.insurance_plan_contact.last_name IS 'Last name';
COMMENT ON COLUMN directory.insurance_plan_contact.first_name IS 'First name';
COMMENT ON COLUMN directory.insurance_plan_contact.middle_name IS 'Other given names';
COMMENT ON COLUMN directory.insurance_plan_contact.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.insurance_plan_contact.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.insurance_plan_contact.name_use IS 'What the name is for, in the words of the source';
COMMENT ON COLUMN directory.insurance_plan_contact.phone IS 'Telephone numbers as written, parted by commas';
COMMENT ON COLUMN directory.insurance_plan_contact.fax IS 'Fax numbers as written, parted by commas';
COMMENT ON COLUMN directory.insurance_plan_contact.email IS 'Addresses of mail, parted by commas';
COMMENT ON COLUMN directory.insurance_plan_contact.url IS 'Addresses of the web, parted by commas';
COMMENT ON COLUMN directory.insurance_plan_contact.other IS 'Other numbers and addresses, parted by commas';
COMMENT ON COLUMN directory.insurance_plan_contact.address_use IS 'What the address is for, in the words of the source';
COMMENT ON COLUMN directory.insurance_plan_contact.address_type IS 'Whether it can be visited or is for mail: physical, postal, both';
COMMENT ON COLUMN directory.insurance_plan_contact.address_text IS 'The whole address, as the source writes it in one text';
COMMENT ON COLUMN directory.insurance_plan_contact.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.insurance_plan_contact.line_2 IS 'Other lines, parted by commas';
COMMENT ON COLUMN directory.insurance_plan_contact.city IS 'City';
COMMENT ON COLUMN directory.insurance_plan_contact.district IS 'District or county';
COMMENT ON COLUMN directory.insurance_plan_contact.state IS 'State, as written';
COMMENT ON COLUMN directory.insurance_plan_contact.postal_code IS 'Postal code, as written';
COMMENT ON COLUMN directory.insurance_plan_contact.country IS 'Country, as written';
COMMENT ON COLUMN directory.insurance_plan_contact.organization IS 'Organisation that answers, as the source refers to it';
COMMENT ON COLUMN directory.insurance_plan_contact.period_start IS 'First day on which it answers';
COMMENT ON COLUMN directory.insurance_plan_contact.period_end IS 'Last day on which it answers';

CREATE TABLE directory.practitioner_role_new_patients (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  code text,
  display text,
  text text,
  network text,
  network_display text,
  network_identifier_system text,
  network_identifier text,
  characteristics text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_new_patients_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role_new_patients IS 'Whether roles take new patients';
COMMENT ON COLUMN directory.practitioner_role_new_patients.system IS 'Code system';
COMMENT ON COLUMN directory.practitioner_role_new_patients.code IS 'Whether new patients are taken: newpt, nopt, existptonly, existptfam; true or false where the source says no more';
COMMENT ON COLUMN directory.practitioner_role_new_patients.display IS 'The code in words';
COMMENT ON COLUMN directory.practitioner_role_new_patients.text IS 'What the source says in words';
COMMENT ON COLUMN directory.practitioner_role_new_patients.network IS 'Network of whose patients it is said, as the source refers to it; null where it holds for all';
COMMENT ON COLUMN directory.practitioner_role_new_patients.network_display IS 'What the source calls the network';
COMMENT ON COLUMN directory.practitioner_role_new_patients.network_identifier_system IS 'System of the identifier by which the network is meant';
COMMENT ON COLUMN directory.practitioner_role_new_patients.network_identifier IS 'Identifier of the network, where the source names it by that';
COMMENT ON COLUMN directory.practitioner_role_new_patients.characteristics IS 'Which patients are taken, in the words of the source, parted by semicolons';

CREATE TABLE directory.practice_location_new_patients (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  code text,
  display text,
  text text,
  network text,
  network_display text,
  network_identifier_system text,
  network_identifier text,
  characteristics text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_new_patients_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practice_location_new_patients IS 'Whether places take new patients';
COMMENT ON COLUMN directory.practice_location_new_patients.system IS 'Code system';
COMMENT ON COLUMN directory.practice_location_new_patients.code IS 'Whether new patients are taken: newpt, nopt, existptonly, existptfam; true or false where the source says no more';
COMMENT ON COLUMN directory.practice_location_new_patients.display IS 'The code in words';
COMMENT ON COLUMN directory.practice_location_new_patients.text IS 'What the source says in words';
COMMENT ON COLUMN directory.practice_location_new_patients.network IS 'Network of whose patients it is said, as the source refers to it; null where it holds for all';
COMMENT ON COLUMN directory.practice_location_new_patients.network_display IS 'What the source calls the network';
COMMENT ON COLUMN directory.practice_location_new_patients.network_identifier_system IS 'System of the identifier by which the network is meant';
COMMENT ON COLUMN directory.practice_location_new_patients.network_identifier IS 'Identifier of the network, where the source names it by that';
COMMENT ON COLUMN directory.practice_location_new_patients.characteristics IS 'Which patients are taken, in the words of the source, parted by semicolons';

CREATE TABLE directory.healthcare_service_new_patients (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  code text,
  display text,
  text text,
  network text,
  network_display text,
  network_identifier_system text,
  network_identifier text,
  characteristics text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_new_patients_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service_new_patients IS 'Whether services take new patients';
COMMENT ON COLUMN directory.healthcare_service_new_patients.system IS 'Code system';
COMMENT ON COLUMN directory.healthcare_service_new_patients.code IS 'Whether new patients are taken: newpt, nopt, existptonly, existptfam; true or false where the source says no more';
COMMENT ON COLUMN directory.healthcare_service_new_patients.display IS 'The code in words';
COMMENT ON COLUMN directory.healthcare_service_new_patients.text IS 'What the source says in words';
COMMENT ON COLUMN directory.healthcare_service_new_patients.network IS 'Network of whose patients it is said, as the source refers to it; null where it holds for all';
COMMENT ON COLUMN directory.healthcare_service_new_patients.network_display IS 'What the source calls the network';
COMMENT ON COLUMN directory.healthcare_service_new_patients.network_identifier_system IS 'System of the identifier by which the network is meant';
COMMENT ON COLUMN directory.healthcare_service_new_patients.network_identifier IS 'Identifier of the network, where the source names it by that';
COMMENT ON COLUMN directory.healthcare_service_new_patients.characteristics IS 'Which patients are taken, in the words of the source, parted by semicolons';

CREATE TABLE directory.practitioner_role_hours (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  days text,
  all_day boolean,
  start_time time,
  end_time time,
  description text,
  from_day text,
  to_day text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practitioner_role_hours_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practitioner_role_hours IS 'When roles are available, and by path when not';
COMMENT ON COLUMN directory.practitioner_role_hours.path IS 'Names that lead to it within the record';
COMMENT ON COLUMN directory.practitioner_role_hours.days IS 'Days of the week, parted by blanks: mon tue';
COMMENT ON COLUMN directory.practitioner_role_hours.all_day IS 'Whether it is so all day long';
COMMENT ON COLUMN directory.practitioner_role_hours.start_time IS 'Time of day from which on';
COMMENT ON COLUMN directory.practitioner_role_hours.end_time IS 'Time of day until which';
COMMENT ON COLUMN directory.practitioner_role_hours.description IS 'Of a time in which nobody is there, why';
COMMENT ON COLUMN directory.practitioner_role_hours.from_day IS 'First day or moment of such a time';
COMMENT ON COLUMN directory.practitioner_role_hours.to_day IS 'Last day or moment of it';

CREATE TABLE directory.healthcare_service_hours (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  days text,
  all_day boolean,
  start_time time,
  end_time time,
  description text,
  from_day text,
  to_day text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT healthcare_service_hours_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.healthcare_service_hours IS 'When services are available, and by path when not';
COMMENT ON COLUMN directory.healthcare_service_hours.path IS 'Names that lead to it within the record';
COMMENT ON COLUMN directory.healthcare_service_hours.days IS 'Days of the week, parted by blanks: mon tue';
COMMENT ON COLUMN directory.healthcare_service_hours.all_day IS 'Whether it is so all day long';
COMMENT ON COLUMN directory.healthcare_service_hours.start_time IS 'Time of day from which on';
COMMENT ON COLUMN directory.healthcare_service_hours.end_time IS 'Time of day until which';
COMMENT ON COLUMN directory.healthcare_service_hours.description IS 'Of a time in which nobody is there, why';
COMMENT ON COLUMN directory.healthcare_service_hours.from_day IS 'First day or moment of such a time';
COMMENT ON COLUMN directory.healthcare_service_hours.to_day IS 'Last day or moment of it';

CREATE TABLE directory.practice_location_hours (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  days text,
  all_day boolean,
  start_time time,
  end_time time,
  description text,
  from_day text,
  to_day text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_hours_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.practice_location_hours IS 'When places are open, and by path when not';
COMMENT ON COLUMN directory.practice_location_hours.path IS 'Names that lead to it within the record';
COMMENT ON COLUMN directory.practice_location_hours.days IS 'Days of the week, parted by blanks: mon tue';
COMMENT ON COLUMN directory.practice_location_hours.all_day IS 'Whether it is so all day long';
COMMENT ON COLUMN directory.practice_location_hours.start_time IS 'Time of day from which on';
COMMENT ON COLUMN directory.practice_location_hours.end_time IS 'Time of day until which';
COMMENT ON COLUMN directory.practice_location_hours.description IS 'Of a time in which nobody is there, why';
COMMENT ON COLUMN directory.practice_location_hours.from_day IS 'First day or moment of such a time';
COMMENT ON COLUMN directory.practice_location_hours.to_day IS 'Last day or moment of it';

ALTER TABLE directory.provider_taxonomy
  ADD COLUMN system text,
  ADD COLUMN code text,
  ADD COLUMN display text,
  ADD COLUMN text text,
  ADD COLUMN license_system text,
  ADD COLUMN status text,
  ADD COLUMN valid_in text,
  ADD COLUMN period_start text,
  ADD COLUMN period_end text,
  ADD COLUMN issuer text,
  ADD COLUMN issuer_reference text;
COMMENT ON COLUMN directory.provider_taxonomy.system IS 'Code system of the qualification';
COMMENT ON COLUMN directory.provider_taxonomy.code IS 'Code of the qualification; of the code set of specialties it is in taxonomy, too';
COMMENT ON COLUMN directory.provider_taxonomy.display IS 'The code in words';
COMMENT ON COLUMN directory.provider_taxonomy.text IS 'What the source says of the qualification in words';
COMMENT ON COLUMN directory.provider_taxonomy.license_system IS 'System that the licence number belongs to';
COMMENT ON COLUMN directory.provider_taxonomy.status IS 'Whether the qualification holds, in the code of the source';
COMMENT ON COLUMN directory.provider_taxonomy.valid_in IS 'All states or places in which it holds, parted by blanks';
COMMENT ON COLUMN directory.provider_taxonomy.period_start IS 'First day on which it holds';
COMMENT ON COLUMN directory.provider_taxonomy.period_end IS 'Last day on which it holds';
COMMENT ON COLUMN directory.provider_taxonomy.issuer IS 'Who gave it, in words';
COMMENT ON COLUMN directory.provider_taxonomy.issuer_reference IS 'Who gave it, as the source refers to it';

CREATE TABLE directory.provider_language (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  code text,
  display text,
  text text,
  is_preferred boolean,
  proficiency text,
  proficiency_text text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_language_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_language IS 'Languages that providers speak with patients';
COMMENT ON COLUMN directory.provider_language.system IS 'Code system';
COMMENT ON COLUMN directory.provider_language.code IS 'Language, as es or es-MX';
COMMENT ON COLUMN directory.provider_language.display IS 'The language in words';
COMMENT ON COLUMN directory.provider_language.text IS 'What the source says in words';
COMMENT ON COLUMN directory.provider_language.is_preferred IS 'Whether the person prefers it';
COMMENT ON COLUMN directory.provider_language.proficiency IS 'How well the person speaks it, in the code of the source';
COMMENT ON COLUMN directory.provider_language.proficiency_text IS 'The same in words';

CREATE TABLE directory.organization_qualification (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  system text,
  code text,
  display text,
  text text,
  identifier_system text,
  identifier text,
  period_start text,
  period_end text,
  issuer text,
  issuer_reference text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT organization_qualification_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.organization_qualification IS 'Accreditations and licences of organisations';
COMMENT ON COLUMN directory.organization_qualification.system IS 'Code system';
COMMENT ON COLUMN directory.organization_qualification.code IS 'What it is accredited or licensed for, in its code';
COMMENT ON COLUMN directory.organization_qualification.display IS 'The code in words';
COMMENT ON COLUMN directory.organization_qualification.text IS 'What the source says in words';
COMMENT ON COLUMN directory.organization_qualification.identifier_system IS 'System that the number belongs to';
COMMENT ON COLUMN directory.organization_qualification.identifier IS 'Number of the accreditation or licence';
COMMENT ON COLUMN directory.organization_qualification.period_start IS 'First day on which it holds';
COMMENT ON COLUMN directory.organization_qualification.period_end IS 'Last day on which it holds';
COMMENT ON COLUMN directory.organization_qualification.issuer IS 'Who gave it, in words';
COMMENT ON COLUMN directory.organization_qualification.issuer_reference IS 'Who gave it, as the source refers to it';

CREATE TABLE directory.insurance_plan_benefit (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  category_system text,
  category text,
  category_text text,
  requirement text,
  limits text,
  limit_comparators text,
  limit_units text,
  limit_codes text,
  limit_texts text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT insurance_plan_benefit_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.insurance_plan_benefit IS 'What plans cover, and up to which limits';
COMMENT ON COLUMN directory.insurance_plan_benefit.path IS 'Names that lead to it within the record';
COMMENT ON COLUMN directory.insurance_plan_benefit.category_system IS 'Code system of the kind of benefit';
COMMENT ON COLUMN directory.insurance_plan_benefit.category IS 'Kind of benefit, in its code';
COMMENT ON COLUMN directory.insurance_plan_benefit.category_text IS 'The same in words';
COMMENT ON COLUMN directory.insurance_plan_benefit.requirement IS 'What must be done to have it';
COMMENT ON COLUMN directory.insurance_plan_benefit.limits IS 'How much of it there is, in numbers parted by semicolons';
COMMENT ON COLUMN directory.insurance_plan_benefit.limit_comparators IS 'Whether a limit is less or more than its number, parted by semicolons: <, <=, >=, >';
COMMENT ON COLUMN directory.insurance_plan_benefit.limit_units IS 'Units of these numbers, parted by semicolons';
COMMENT ON COLUMN directory.insurance_plan_benefit.limit_codes IS 'What kinds of limits they are, parted by blanks';
COMMENT ON COLUMN directory.insurance_plan_benefit.limit_texts IS 'The same in words, parted by semicolons';

CREATE TABLE directory.insurance_plan_cost (
  release text NOT NULL,
  source_id text NOT NULL,
  slot integer NOT NULL,
  path text NOT NULL,
  kind text,
  kind_text text,
  group_size text,
  amount numeric,
  comparator text,
  unit text,
  applicability text,
  qualifiers text,
  comment text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT insurance_plan_cost_key PRIMARY KEY (release, source_id, slot)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.insurance_plan_cost IS 'What plans cost';
COMMENT ON COLUMN directory.insurance_plan_cost.path IS 'Names that lead to it within the record';
COMMENT ON COLUMN directory.insurance_plan_cost.kind IS 'Kind of cost, in its code';
COMMENT ON COLUMN directory.insurance_plan_cost.kind_text IS 'The same in words';
COMMENT ON COLUMN directory.insurance_plan_cost.group_size IS 'Number of people that it is for';
COMMENT ON COLUMN directory.insurance_plan_cost.amount IS 'How much';
COMMENT ON COLUMN directory.insurance_plan_cost.comparator IS 'Whether it is less or more than that: <, <=, >=, >';
COMMENT ON COLUMN directory.insurance_plan_cost.unit IS 'Currency, or unit of the amount';
COMMENT ON COLUMN directory.insurance_plan_cost.applicability IS 'Whose care it is for, in its code: in-network, out-of-network, other';
COMMENT ON COLUMN directory.insurance_plan_cost.qualifiers IS 'What else it depends on, in codes parted by blanks';
COMMENT ON COLUMN directory.insurance_plan_cost.comment IS 'What the source says of it';

-- rivulet:down
DROP TABLE directory.insurance_plan_cost;
DROP TABLE directory.insurance_plan_benefit;
DROP TABLE directory.organization_qualification;
DROP TABLE directory.provider_language;
ALTER TABLE directory.provider_taxonomy
  DROP COLUMN system,
  DROP COLUMN code,
  DROP COLUMN display,
  DROP COLUMN text,
  DROP COLUMN license_system,
  DROP COLUMN status,
  DROP COLUMN valid_in,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer,
  DROP COLUMN issuer_reference;
DROP TABLE directory.practice_location_hours;
DROP TABLE directory.healthcare_service_hours;
DROP TABLE directory.practitioner_role_hours;
DROP TABLE directory.healthcare_service_new_patients;
DROP TABLE directory.practice_location_new_patients;
DROP TABLE directory.practitioner_role_new_patients;
DROP TABLE directory.insurance_plan_contact;
DROP TABLE directory.organization_affiliation_contact;
DROP TABLE directory.practice_location_contact;
DROP TABLE directory.healthcare_service_contact;
DROP TABLE directory.practitioner_role_contact;
DROP TABLE directory.network_contact;
DROP TABLE directory.organization_contact;
DROP TABLE directory.network_address;
ALTER TABLE directory.organization_address
  DROP COLUMN type,
  DROP COLUMN text,
  DROP COLUMN district,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN latitude,
  DROP COLUMN longitude;
ALTER TABLE directory.provider_address
  DROP COLUMN type,
  DROP COLUMN text,
  DROP COLUMN district,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN latitude,
  DROP COLUMN longitude;
ALTER TABLE directory.provider_name
  DROP COLUMN full_name,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
DROP TABLE directory.organization_affiliation_telecom;
ALTER TABLE directory.endpoint_telecom
  DROP COLUMN rank,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
ALTER TABLE directory.practice_location_telecom
  DROP COLUMN rank,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
ALTER TABLE directory.healthcare_service_telecom
  DROP COLUMN rank,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
ALTER TABLE directory.practitioner_role_telecom
  DROP COLUMN rank,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
DROP TABLE directory.network_telecom;
ALTER TABLE directory.organization_telecom
  DROP COLUMN rank,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
ALTER TABLE directory.provider_telecom
  DROP COLUMN rank,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
ALTER TABLE directory.insurance_plan_reference
  DROP COLUMN type;
ALTER TABLE directory.organization_affiliation_reference
  DROP COLUMN type;
ALTER TABLE directory.endpoint_reference
  DROP COLUMN type;
ALTER TABLE directory.practice_location_reference
  DROP COLUMN type;
ALTER TABLE directory.healthcare_service_reference
  DROP COLUMN type;
ALTER TABLE directory.practitioner_role_reference
  DROP COLUMN type;
ALTER TABLE directory.network_reference
  DROP COLUMN type;
ALTER TABLE directory.organization_reference
  DROP COLUMN type;
ALTER TABLE directory.provider_reference
  DROP COLUMN type;
ALTER TABLE directory.insurance_plan_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
ALTER TABLE directory.organization_affiliation_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
ALTER TABLE directory.endpoint_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
ALTER TABLE directory.practice_location_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
ALTER TABLE directory.healthcare_service_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
ALTER TABLE directory.practitioner_role_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
DROP TABLE directory.network_concept;
ALTER TABLE directory.organization_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
ALTER TABLE directory.provider_concept
  DROP COLUMN version,
  DROP COLUMN is_chosen,
  DROP COLUMN text;
ALTER TABLE directory.insurance_plan_identifier
  DROP COLUMN path,
  DROP COLUMN type_system,
  DROP COLUMN type_code,
  DROP COLUMN type_text,
  DROP COLUMN use,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer_reference;
ALTER TABLE directory.organization_affiliation_identifier
  DROP COLUMN type_system,
  DROP COLUMN type_code,
  DROP COLUMN type_text,
  DROP COLUMN use,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer_reference;
DROP TABLE directory.endpoint_identifier;
ALTER TABLE directory.practice_location_identifier
  DROP COLUMN type_system,
  DROP COLUMN type_code,
  DROP COLUMN type_text,
  DROP COLUMN use,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer_reference;
DROP TABLE directory.healthcare_service_identifier;
ALTER TABLE directory.practitioner_role_identifier
  DROP COLUMN type_system,
  DROP COLUMN type_code,
  DROP COLUMN type_text,
  DROP COLUMN use,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer_reference;
ALTER TABLE directory.network_identifier
  DROP COLUMN type_system,
  DROP COLUMN type_code,
  DROP COLUMN type_text,
  DROP COLUMN use,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer_reference;
ALTER TABLE directory.organization_identifier
  DROP COLUMN type_system,
  DROP COLUMN type_code,
  DROP COLUMN type_text,
  DROP COLUMN use,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer_reference;
ALTER TABLE directory.provider_identifier
  DROP COLUMN type_system,
  DROP COLUMN type_code,
  DROP COLUMN type_text,
  DROP COLUMN use,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN issuer_reference;
ALTER TABLE directory.insurance_plan
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN aliases;
ALTER TABLE directory.organization_affiliation
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld;
ALTER TABLE directory.endpoint
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN period_start,
  DROP COLUMN period_end,
  DROP COLUMN description,
  DROP COLUMN mime_types,
  DROP COLUMN payload_profiles,
  DROP COLUMN managed_by,
  DROP COLUMN usecase_standards;
ALTER TABLE directory.practice_location
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN description,
  DROP COLUMN mode,
  DROP COLUMN aliases,
  DROP COLUMN availability_exceptions,
  DROP COLUMN address_use,
  DROP COLUMN address_type,
  DROP COLUMN address_text,
  DROP COLUMN district,
  DROP COLUMN address_start,
  DROP COLUMN address_end,
  DROP COLUMN managed_by,
  DROP COLUMN part_of,
  DROP COLUMN altitude,
  DROP COLUMN virtual_address,
  DROP COLUMN virtual_information,
  DROP COLUMN virtual_participants;
ALTER TABLE directory.healthcare_service
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN extra_details,
  DROP COLUMN availability_exceptions,
  DROP COLUMN eligibility;
ALTER TABLE directory.practitioner_role
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN availability_exceptions;
ALTER TABLE directory.network
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN aliases,
  DROP COLUMN description;
ALTER TABLE directory.organization
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN aliases,
  DROP COLUMN description;
ALTER TABLE directory.provider
  DROP COLUMN last_updated,
  DROP COLUMN version_id,
  DROP COLUMN profiles,
  DROP COLUMN origin,
  DROP COLUMN language,
  DROP COLUMN implicit_rules,
  DROP COLUMN modifiers,
  DROP COLUMN withheld,
  DROP COLUMN active,
  DROP COLUMN deceased,
  DROP COLUMN period_start,
  DROP COLUMN period_end;
DROP FUNCTION directory.has_npi_form(text);

-- rivulet:verify
SELECT 1 / (directory.has_npi_form('1234567893') AND NOT directory.has_npi_form('1234567890')
  AND NOT directory.has_npi_form('3234567893'))::int;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, active, deceased, period_start, period_end FROM directory.provider WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, aliases, description FROM directory.organization WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, aliases, description FROM directory.network WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, availability_exceptions FROM directory.practitioner_role WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, extra_details, availability_exceptions, eligibility FROM directory.healthcare_service WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, description, mode, aliases, availability_exceptions, address_use, address_type, address_text, district, address_start, address_end, managed_by, part_of, altitude, virtual_address, virtual_information, virtual_participants FROM directory.practice_location WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, period_start, period_end, description, mime_types, payload_profiles, managed_by, usecase_standards FROM directory.endpoint WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld FROM directory.organization_affiliation WHERE false;
SELECT last_updated, version_id, profiles, origin, language, implicit_rules, modifiers, withheld, aliases FROM directory.insurance_plan WHERE false;
SELECT type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.provider_identifier WHERE false;
SELECT type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.organization_identifier WHERE false;
SELECT type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.network_identifier WHERE false;
SELECT type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.practitioner_role_identifier WHERE false;
SELECT identifier, kind, issuer, type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.healthcare_service_identifier WHERE false;
SELECT type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.practice_location_identifier WHERE false;
SELECT identifier, kind, issuer, type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.endpoint_identifier WHERE false;
SELECT type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.organization_affiliation_identifier WHERE false;
SELECT path, type_system, type_code, type_text, use, period_start, period_end, issuer_reference FROM directory.insurance_plan_identifier WHERE false;
SELECT version, is_chosen, text FROM directory.provider_concept WHERE false;
SELECT version, is_chosen, text FROM directory.organization_concept WHERE false;
SELECT path, system, code, display, version, is_chosen, text FROM directory.network_concept WHERE false;
SELECT version, is_chosen, text FROM directory.practitioner_role_concept WHERE false;
SELECT version, is_chosen, text FROM directory.healthcare_service_concept WHERE false;
SELECT version, is_chosen, text FROM directory.practice_location_concept WHERE false;
SELECT version, is_chosen, text FROM directory.endpoint_concept WHERE false;
SELECT version, is_chosen, text FROM directory.organization_affiliation_concept WHERE false;
SELECT version, is_chosen, text FROM directory.insurance_plan_concept WHERE false;
SELECT type FROM directory.provider_reference WHERE false;
SELECT type FROM directory.organization_reference WHERE false;
SELECT type FROM directory.network_reference WHERE false;
SELECT type FROM directory.practitioner_role_reference WHERE false;
SELECT type FROM directory.healthcare_service_reference WHERE false;
SELECT type FROM directory.practice_location_reference WHERE false;
SELECT type FROM directory.endpoint_reference WHERE false;
SELECT type FROM directory.organization_affiliation_reference WHERE false;
SELECT type FROM directory.insurance_plan_reference WHERE false;
SELECT rank, period_start, period_end FROM directory.provider_telecom WHERE false;
SELECT rank, period_start, period_end FROM directory.organization_telecom WHERE false;
SELECT system, value, use, rank, period_start, period_end FROM directory.network_telecom WHERE false;
SELECT rank, period_start, period_end FROM directory.practitioner_role_telecom WHERE false;
SELECT rank, period_start, period_end FROM directory.healthcare_service_telecom WHERE false;
SELECT rank, period_start, period_end FROM directory.practice_location_telecom WHERE false;
SELECT rank, period_start, period_end FROM directory.endpoint_telecom WHERE false;
SELECT system, value, use, rank, period_start, period_end FROM directory.organization_affiliation_telecom WHERE false;
SELECT full_name, period_start, period_end FROM directory.provider_name WHERE false;
SELECT type, text, district, period_start, period_end, latitude, longitude FROM directory.provider_address WHERE false;
SELECT type, text, district, period_start, period_end, latitude, longitude FROM directory.organization_address WHERE false;
SELECT use, line_1, line_2, city, state, postal_code, country, type, text, district, period_start, period_end FROM directory.network_address WHERE false;
SELECT purpose_system, purpose, purpose_text, full_name, last_name, first_name, middle_name, prefix, suffix, name_use, phone, fax, email, url, other, address_use, address_type, address_text, line_1, line_2, city, district, state, postal_code, country, organization, period_start, period_end FROM directory.organization_contact WHERE false;
SELECT purpose_system, purpose, purpose_text, full_name, last_name, first_name, middle_name, prefix, suffix, name_use, phone, fax, email, url, other, address_use, address_type, address_text, line_1, line_2, city, district, state, postal_code, country, organization, period_start, period_end FROM directory.network_contact WHERE false;
SELECT purpose_system, purpose, purpose_text, full_name, last_name, first_name, middle_name, prefix, suffix, name_use, phone, fax, email, url, other, address_use, address_type, address_text, line_1, line_2, city, district, state, postal_code, country, organization, period_start, period_end FROM directory.practitioner_role_contact WHERE false;
SELECT purpose_system, purpose, purpose_text, full_name, last_name, first_name, middle_name, prefix, suffix, name_use, phone, fax, email, url, other, address_use, address_type, address_text, line_1, line_2, city, district, state, postal_code, country, organization, period_start, period_end FROM directory.healthcare_service_contact WHERE false;
SELECT purpose_system, purpose, purpose_text, full_name, last_name, first_name, middle_name, prefix, suffix, name_use, phone, fax, email, url, other, address_use, address_type, address_text, line_1, line_2, city, district, state, postal_code, country, organization, period_start, period_end FROM directory.practice_location_contact WHERE false;
SELECT purpose_system, purpose, purpose_text, full_name, last_name, first_name, middle_name, prefix, suffix, name_use, phone, fax, email, url, other, address_use, address_type, address_text, line_1, line_2, city, district, state, postal_code, country, organization, period_start, period_end FROM directory.organization_affiliation_contact WHERE false;
SELECT purpose_system, purpose, purpose_text, full_name, last_name, first_name, middle_name, prefix, suffix, name_use, phone, fax, email, url, other, address_use, address_type, address_text, line_1, line_2, city, district, state, postal_code, country, organization, period_start, period_end FROM directory.insurance_plan_contact WHERE false;
SELECT system, code, display, text, network, network_display, network_identifier_system, network_identifier, characteristics FROM directory.practitioner_role_new_patients WHERE false;
SELECT system, code, display, text, network, network_display, network_identifier_system, network_identifier, characteristics FROM directory.practice_location_new_patients WHERE false;
SELECT system, code, display, text, network, network_display, network_identifier_system, network_identifier, characteristics FROM directory.healthcare_service_new_patients WHERE false;
SELECT path, days, all_day, start_time, end_time, description, from_day, to_day FROM directory.practitioner_role_hours WHERE false;
SELECT path, days, all_day, start_time, end_time, description, from_day, to_day FROM directory.healthcare_service_hours WHERE false;
SELECT path, days, all_day, start_time, end_time, description, from_day, to_day FROM directory.practice_location_hours WHERE false;
SELECT system, code, display, text, license_system, status, valid_in, period_start, period_end, issuer, issuer_reference FROM directory.provider_taxonomy WHERE false;
SELECT system, code, display, text, is_preferred, proficiency, proficiency_text FROM directory.provider_language WHERE false;
SELECT system, code, display, text, identifier_system, identifier, period_start, period_end, issuer, issuer_reference FROM directory.organization_qualification WHERE false;
SELECT path, category_system, category, category_text, requirement, limits, limit_comparators, limit_units, limit_codes, limit_texts FROM directory.insurance_plan_benefit WHERE false;
SELECT path, kind, kind_text, group_size, amount, comparator, unit, applicability, qualifiers, comment FROM directory.insurance_plan_cost WHERE false;
