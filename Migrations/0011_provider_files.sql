-- What a provider directory has in files of its own: further places, further names, electronic addresses, and the
-- identifiers that have been revoked.
-- rivulet:datasets nppes, nucc, fhir-directory, qhp-providers, directory-csv

-- rivulet:up
CREATE TABLE directory.practice_location (
  release text NOT NULL,
  source_id text NOT NULL,
  npi bigint,
  name text,
  status text,
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
  latitude numeric(9,6),
  longitude numeric(9,6),
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT practice_location_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);
CREATE INDEX practice_location_npi_idx ON directory.practice_location (npi);

COMMENT ON TABLE directory.practice_location IS 'Where care is given: places beside the one in a provider''s own record';
COMMENT ON COLUMN directory.practice_location.release IS 'Release the row belongs to, as nppes-2025-11';
COMMENT ON COLUMN directory.practice_location.source_id IS
  'What the source calls the place; where it has no name for it, the number of the record in its file';
COMMENT ON COLUMN directory.practice_location.npi IS 'Provider who gives care there; null where the source links them otherwise';
COMMENT ON COLUMN directory.practice_location.name IS 'What the place is called';
COMMENT ON COLUMN directory.practice_location.status IS 'Whether it is in use, in the words of the source';
COMMENT ON COLUMN directory.practice_location.state IS 'State: two letters in the United States, else as written';
COMMENT ON COLUMN directory.practice_location.postal_code IS 'ZIP code of 5 digits, or a postal code abroad';
COMMENT ON COLUMN directory.practice_location.zip4 IS 'Last four digits of a ZIP+4';
COMMENT ON COLUMN directory.practice_location.country IS 'Country, two letters';
COMMENT ON COLUMN directory.practice_location.phone IS 'Phone, E.164';
COMMENT ON COLUMN directory.practice_location.phone_extension IS 'What is dialled after the phone';
COMMENT ON COLUMN directory.practice_location.fax IS 'Fax, E.164';
COMMENT ON COLUMN directory.practice_location.latitude IS 'Degrees north, WGS 84';
COMMENT ON COLUMN directory.practice_location.longitude IS 'Degrees east, WGS 84';

CREATE TABLE directory.provider_other_name (
  release text NOT NULL,
  row integer NOT NULL,
  npi bigint NOT NULL,
  organization text,
  type text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_other_name_key PRIMARY KEY (release, row)
) PARTITION BY LIST (release);
CREATE INDEX provider_other_name_npi_idx ON directory.provider_other_name (npi);

COMMENT ON TABLE directory.provider_other_name IS 'Further names of organisations, beside those in the provider''s own record';
COMMENT ON COLUMN directory.provider_other_name.row IS 'Number of the record in its file, from 1';
COMMENT ON COLUMN directory.provider_other_name.type IS 'What kind of name: list nppes-other-name';

CREATE TABLE directory.endpoint (
  release text NOT NULL,
  source_id text NOT NULL,
  npi bigint,
  status text,
  type text,
  type_description text,
  address text,
  name text,
  is_affiliated text,
  affiliation text,
  use text,
  use_description text,
  other_use text,
  content_type text,
  content_description text,
  other_content text,
  line_1 text,
  line_2 text,
  city text,
  state text,
  postal_code text,
  zip4 text,
  country text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT endpoint_key PRIMARY KEY (release, source_id)
) PARTITION BY LIST (release);
CREATE INDEX endpoint_npi_idx ON directory.endpoint (npi);

COMMENT ON TABLE directory.endpoint IS 'Electronic addresses for health information';
COMMENT ON COLUMN directory.endpoint.release IS 'Release the row belongs to, as nppes-2025-11';
COMMENT ON COLUMN directory.endpoint.source_id IS
  'What the source calls the endpoint; where it has no name for it, the number of the record in its file';
COMMENT ON COLUMN directory.endpoint.npi IS 'Provider whose endpoint it is; null where the source links them otherwise';
COMMENT ON COLUMN directory.endpoint.status IS 'Whether it is in use, in the words of the source';
COMMENT ON COLUMN directory.endpoint.type IS 'Kind of connection, in the code of the source: DIRECT, FHIR, SOAP';
COMMENT ON COLUMN directory.endpoint.type_description IS 'The same in words';
COMMENT ON COLUMN directory.endpoint.address IS 'As published: a URL, an e-mail address, now and then a telephone number';
COMMENT ON COLUMN directory.endpoint.name IS 'What the endpoint is called';
COMMENT ON COLUMN directory.endpoint.is_affiliated IS 'Whether it belongs to another organisation: Y or N';
COMMENT ON COLUMN directory.endpoint.affiliation IS 'Legal business name of that organisation';
COMMENT ON COLUMN directory.endpoint.use IS 'What it is for, in the code of the source: DIRECT, HIE, OTHER';
COMMENT ON COLUMN directory.endpoint.use_description IS 'The same in words';
COMMENT ON COLUMN directory.endpoint.other_use IS 'What it is for, where no code says it';
COMMENT ON COLUMN directory.endpoint.content_type IS 'What may be sent, in the code of the source';
COMMENT ON COLUMN directory.endpoint.content_description IS 'The same in words';
COMMENT ON COLUMN directory.endpoint.other_content IS 'What may be sent, where no code says it';
COMMENT ON COLUMN directory.endpoint.line_1 IS 'Address of the place that it serves';

CREATE TABLE directory.npi_deactivation (
  release text NOT NULL,
  npi bigint NOT NULL,
  deactivated_on date NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT npi_deactivation_key PRIMARY KEY (release, npi)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.npi_deactivation IS 'NPIs that the enumerator reports as deactivated';
COMMENT ON COLUMN directory.npi_deactivation.deactivated_on IS 'Day the NPI was deactivated';

-- rivulet:down
DROP TABLE directory.npi_deactivation;
DROP TABLE directory.endpoint;
DROP TABLE directory.provider_other_name;
DROP TABLE directory.practice_location;

-- rivulet:verify
SELECT 1 / (count(*) = 4)::int FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
WHERE c.relnamespace = 'directory'::regnamespace AND pg_get_partkeydef(c.oid) = 'LIST (release)'
  AND c.relname IN ('practice_location', 'provider_other_name', 'endpoint', 'npi_deactivation');
