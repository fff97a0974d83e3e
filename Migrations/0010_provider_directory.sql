-- Provider directories: who gives care, as each source tells of it.
--
-- The indexes of keys begin with what tells the rows of a partition apart, in which the release is always the same, and
-- identifiers are compared byte by byte: what sorts millions of rows several times as fast. A query that names no
-- release finds a provider in every one by the same index.
-- rivulet:datasets nppes, nucc, fhir-directory, qhp-providers, directory-csv, oig-leie, state-exclusions, cms-opt-out, cms-order-referring, cms-enrolment, cms-revalidation, cms-dac

-- rivulet:up
CREATE SCHEMA directory;
COMMENT ON SCHEMA directory IS 'Provider directories, one row as each source tells it, a partition per release';

CREATE TABLE directory.provider (
  release text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  npi bigint,
  entity_type text CONSTRAINT provider_entity_type CHECK (entity_type IN ('individual', 'organization')),
  replacement_npi bigint,
  ein text,
  sex text,
  enumerated_on date,
  updated_on date,
  deactivation_reason text,
  deactivated_on date,
  reactivated_on date,
  certified_on date,
  sole_proprietor text,
  is_subpart text,
  parent_organization text,
  parent_tin text,
  official_last_name text,
  official_first_name text,
  official_middle_name text,
  official_prefix text,
  official_suffix text,
  official_credential text,
  official_title text,
  official_phone text,
  official_phone_extension text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_key PRIMARY KEY (source_id, release)
) PARTITION BY LIST (release);

CREATE INDEX provider_npi_idx ON directory.provider (npi);

COMMENT ON TABLE directory.provider IS 'Who gives care: a row per person or organisation as one source tells of it';
COMMENT ON COLUMN directory.provider.release IS 'Release the row belongs to, as nppes-2025-11';
COMMENT ON COLUMN directory.provider.source_id IS 'What the source calls the record: the NPI in NPPES';
COMMENT ON COLUMN directory.provider.npi IS 'National Provider Identifier; null where the source gives none';
COMMENT ON COLUMN directory.provider.entity_type IS 'Person or organisation; null of a provider whose NPI is deactivated';
COMMENT ON COLUMN directory.provider.replacement_npi IS 'NPI that took the place of this one';
COMMENT ON COLUMN directory.provider.ein IS 'Employer identification number, where it is public';
COMMENT ON COLUMN directory.provider.sex IS 'As the source gives it: F, M, U, X';
COMMENT ON COLUMN directory.provider.enumerated_on IS 'Day the NPI was given';
COMMENT ON COLUMN directory.provider.updated_on IS 'Day the source changed the record last';
COMMENT ON COLUMN directory.provider.deactivation_reason IS 'Code of the reason, where it is public';
COMMENT ON COLUMN directory.provider.deactivated_on IS 'Day the NPI was deactivated';
COMMENT ON COLUMN directory.provider.reactivated_on IS 'Day it was made active again';
COMMENT ON COLUMN directory.provider.certified_on IS 'Day the provider last certified the record';
COMMENT ON COLUMN directory.provider.sole_proprietor IS 'Y, N, or X for not answered';
COMMENT ON COLUMN directory.provider.is_subpart IS 'Whether the organisation is a subpart: Y, N, or X for not answered';
COMMENT ON COLUMN directory.provider.parent_organization IS 'Legal name of the organisation that a subpart belongs to';
COMMENT ON COLUMN directory.provider.parent_tin IS 'Its taxpayer identification number, where it is public';
COMMENT ON COLUMN directory.provider.official_last_name IS 'Authorised official: last name';
COMMENT ON COLUMN directory.provider.official_first_name IS 'Authorised official: first name';
COMMENT ON COLUMN directory.provider.official_middle_name IS 'Authorised official: middle name';
COMMENT ON COLUMN directory.provider.official_prefix IS 'Authorised official: prefix';
COMMENT ON COLUMN directory.provider.official_suffix IS 'Authorised official: suffix';
COMMENT ON COLUMN directory.provider.official_credential IS 'Authorised official: credentials';
COMMENT ON COLUMN directory.provider.official_title IS 'Authorised official: title or position';
COMMENT ON COLUMN directory.provider.official_phone IS 'Authorised official: phone, E.164';
COMMENT ON COLUMN directory.provider.official_phone_extension IS 'Authorised official: what is dialled after the phone';
COMMENT ON COLUMN directory.provider.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.provider.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.provider_name (
  release text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  kind text NOT NULL,
  organization_type text,
  last_name_type text,
  organization text,
  last_name text,
  first_name text,
  middle_name text,
  prefix text,
  suffix text,
  credential text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_name_key PRIMARY KEY (source_id, slot, release)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_name IS 'Names of providers: the legal one and others';
COMMENT ON COLUMN directory.provider_name.release IS 'Release the row belongs to, as nppes-2025-11';
COMMENT ON COLUMN directory.provider_name.source_id IS 'What the source calls the record: the NPI in NPPES';
COMMENT ON COLUMN directory.provider_name.slot IS 'Place within the record, from 1';
COMMENT ON COLUMN directory.provider_name.kind IS 'legal, other, or what else the source calls it';
COMMENT ON COLUMN directory.provider_name.organization_type IS 'Of another name of an organisation what kind of it, in the code of the source';
COMMENT ON COLUMN directory.provider_name.last_name_type IS 'The same of another name of a person';
COMMENT ON COLUMN directory.provider_name.organization IS 'Name of an organisation';
COMMENT ON COLUMN directory.provider_name.last_name IS 'Last name';
COMMENT ON COLUMN directory.provider_name.first_name IS 'First name';
COMMENT ON COLUMN directory.provider_name.middle_name IS 'Middle name';
COMMENT ON COLUMN directory.provider_name.prefix IS 'Prefix, as Dr.';
COMMENT ON COLUMN directory.provider_name.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.provider_name.credential IS 'Credentials, as MD';
COMMENT ON COLUMN directory.provider_name.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.provider_name.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.provider_address (
  release text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  use text NOT NULL,
  line_1 text,
  line_2 text,
  city text,
  state text,
  postal_code text,
  zip4 text,
  country text,
  phone text,
  phone_extension text,
  fax text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_address_key PRIMARY KEY (source_id, slot, release)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_address IS 'Addresses of providers';
COMMENT ON COLUMN directory.provider_address.release IS 'Release the row belongs to, as nppes-2025-11';
COMMENT ON COLUMN directory.provider_address.source_id IS 'What the source calls the record: the NPI in NPPES';
COMMENT ON COLUMN directory.provider_address.slot IS 'Place within the record, from 1';
COMMENT ON COLUMN directory.provider_address.use IS 'mailing, practice, or what else the source says';
COMMENT ON COLUMN directory.provider_address.line_1 IS 'First line';
COMMENT ON COLUMN directory.provider_address.line_2 IS 'Second line';
COMMENT ON COLUMN directory.provider_address.city IS 'City';
COMMENT ON COLUMN directory.provider_address.state IS 'State: two letters in the United States, else as written';
COMMENT ON COLUMN directory.provider_address.postal_code IS 'ZIP code of 5 digits, or a postal code abroad';
COMMENT ON COLUMN directory.provider_address.zip4 IS 'Last four digits of a ZIP+4';
COMMENT ON COLUMN directory.provider_address.country IS 'Country, two letters';
COMMENT ON COLUMN directory.provider_address.phone IS 'Phone, E.164';
COMMENT ON COLUMN directory.provider_address.phone_extension IS 'Extension';
COMMENT ON COLUMN directory.provider_address.fax IS 'Fax, E.164';
COMMENT ON COLUMN directory.provider_address.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.provider_address.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.provider_taxonomy (
  release text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  taxonomy text,
  license text,
  license_state text,
  primary_switch text,
  taxonomy_group text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_taxonomy_key PRIMARY KEY (source_id, slot, release)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_taxonomy IS 'Specialties of providers, each with its licence';
COMMENT ON COLUMN directory.provider_taxonomy.release IS 'Release the row belongs to, as nppes-2025-11';
COMMENT ON COLUMN directory.provider_taxonomy.source_id IS 'What the source calls the record: the NPI in NPPES';
COMMENT ON COLUMN directory.provider_taxonomy.slot IS 'Place within the record, from 1';
COMMENT ON COLUMN directory.provider_taxonomy.taxonomy IS 'Health Care Provider Taxonomy code: directory.taxonomy';
COMMENT ON COLUMN directory.provider_taxonomy.license IS 'Licence number';
COMMENT ON COLUMN directory.provider_taxonomy.license_state IS 'State that gave the licence';
COMMENT ON COLUMN directory.provider_taxonomy.primary_switch IS 'Whether it is the primary one: Y, N, or X for not answered';
COMMENT ON COLUMN directory.provider_taxonomy.taxonomy_group IS 'Taxonomy group of an organisation of several specialties';
COMMENT ON COLUMN directory.provider_taxonomy.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.provider_taxonomy.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.provider_identifier (
  release text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  identifier text,
  kind text,
  state text,
  issuer text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_identifier_key PRIMARY KEY (source_id, slot, release)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_identifier IS 'Identifiers that others have given to providers';
COMMENT ON COLUMN directory.provider_identifier.release IS 'Release the row belongs to, as nppes-2025-11';
COMMENT ON COLUMN directory.provider_identifier.source_id IS 'What the source calls the record: the NPI in NPPES';
COMMENT ON COLUMN directory.provider_identifier.slot IS 'Place within the record, from 1';
COMMENT ON COLUMN directory.provider_identifier.identifier IS 'The identifier; null where the source masks it';
COMMENT ON COLUMN directory.provider_identifier.kind IS 'Code of its kind, or the system that it belongs to';
COMMENT ON COLUMN directory.provider_identifier.state IS 'State that gave it';
COMMENT ON COLUMN directory.provider_identifier.issuer IS 'Who gave it';
COMMENT ON COLUMN directory.provider_identifier.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.provider_identifier.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE directory.provider_identifier;
DROP TABLE directory.provider_taxonomy;
DROP TABLE directory.provider_address;
DROP TABLE directory.provider_name;
DROP TABLE directory.provider;
DROP SCHEMA directory;

-- rivulet:verify
SELECT 1 / (count(*) = 5)::int FROM pg_class
WHERE relnamespace = 'directory'::regnamespace AND relkind = 'p' AND relname LIKE 'provider%';
