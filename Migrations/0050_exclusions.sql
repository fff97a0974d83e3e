-- Who is excluded from health care programs. What tells a record from others is never null, so that a reinstatement
-- finds the exclusion that it ends.
-- rivulet:datasets oig-leie, state-exclusions, nppes

-- rivulet:up
CREATE TABLE directory.exclusion (
  release text NOT NULL,
  row integer NOT NULL,
  source_id text,
  npi bigint,
  last_name text NOT NULL DEFAULT '',
  first_name text NOT NULL DEFAULT '',
  middle_name text NOT NULL DEFAULT '',
  organization text NOT NULL DEFAULT '',
  birth_date text NOT NULL DEFAULT '',
  general text,
  specialty text,
  upin text,
  address text,
  city text,
  state text,
  postal_code text,
  zip4 text,
  exclusion_type text NOT NULL DEFAULT '',
  excluded_on date NOT NULL,
  reinstated_on date,
  waived_on date,
  waiver_state text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT exclusion_key PRIMARY KEY (row, release)
) PARTITION BY LIST (release);
CREATE INDEX exclusion_npi_idx ON directory.exclusion (npi);

COMMENT ON TABLE directory.exclusion IS 'Who is excluded from federal or state health care programs, a row as one list has it';
COMMENT ON COLUMN directory.exclusion.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.exclusion.row IS 'Number of the record among those of its release, from 1';
COMMENT ON COLUMN directory.exclusion.source_id IS 'What the list calls the record, where it does: a number of a licence or of a provider';
COMMENT ON COLUMN directory.exclusion.npi IS 'National Provider Identifier; null where the list gives none: such a row is nobody by number';
COMMENT ON COLUMN directory.exclusion.last_name IS 'Last name; empty of a business';
COMMENT ON COLUMN directory.exclusion.first_name IS 'First name';
COMMENT ON COLUMN directory.exclusion.middle_name IS 'Middle name';
COMMENT ON COLUMN directory.exclusion.organization IS 'Name of a business; empty of a person';
COMMENT ON COLUMN directory.exclusion.birth_date IS 'Date of birth, YYYY-MM-DD; empty where the list has none';
COMMENT ON COLUMN directory.exclusion.general IS 'Kind of provider, in the words of the list';
COMMENT ON COLUMN directory.exclusion.specialty IS 'Specialty, in the words of the list';
COMMENT ON COLUMN directory.exclusion.upin IS 'Unique Physician Identification Number, out of use since 2007';
COMMENT ON COLUMN directory.exclusion.address IS 'Street, as the list has it';
COMMENT ON COLUMN directory.exclusion.city IS 'City';
COMMENT ON COLUMN directory.exclusion.state IS 'State: two letters in the United States, else as written';
COMMENT ON COLUMN directory.exclusion.postal_code IS 'ZIP code of 5 digits';
COMMENT ON COLUMN directory.exclusion.zip4 IS 'Last four digits of a ZIP+4';
COMMENT ON COLUMN directory.exclusion.exclusion_type IS 'Why: of the federal list the section of the Social Security Act, as 1128a1';
COMMENT ON COLUMN directory.exclusion.excluded_on IS 'First day of the exclusion';
COMMENT ON COLUMN directory.exclusion.reinstated_on IS 'Day of the reinstatement; null while the exclusion holds';
COMMENT ON COLUMN directory.exclusion.waived_on IS 'Day from which a waiver holds';
COMMENT ON COLUMN directory.exclusion.waiver_state IS 'State in which the waiver holds; the exclusion holds in all others';
COMMENT ON COLUMN directory.exclusion.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.exclusion.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE directory.exclusion;

-- rivulet:verify
SELECT 1 / (count(*) = 1)::int FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
WHERE c.relnamespace = 'directory'::regnamespace AND pg_get_partkeydef(c.oid) = 'LIST (release)'
  AND c.relname IN ('exclusion');
