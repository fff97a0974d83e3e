-- The doctors and clinicians of Medicare, and by when enrolments must be revalidated. What a row says of a person comes again
-- in each of that person's rows.
-- rivulet:datasets cms-dac, cms-revalidation, directory-csv

-- rivulet:up
CREATE TABLE directory.clinician_location (
  release text NOT NULL,
  npi bigint NOT NULL,
  enrollment_id text NOT NULL DEFAULT '',
  group_pac_id text NOT NULL DEFAULT '',
  address_id text NOT NULL DEFAULT '',
  line_1 text NOT NULL DEFAULT '',
  line_2 text NOT NULL DEFAULT '',
  postal_code text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  pac_id text,
  last_name text,
  first_name text,
  middle_name text,
  suffix text,
  sex text,
  credential text,
  medical_school text,
  graduation_year integer,
  primary_specialty text,
  specialty_2 text,
  specialty_3 text,
  specialty_4 text,
  specialty_5 text,
  other_specialties text,
  has_telehealth boolean,
  group_name text,
  group_members integer,
  line_2_suppressed boolean,
  city text,
  state text,
  zip4 text,
  accepts_assignment text,
  group_accepts_assignment text,
  hospital_1 text,
  hospital_1_name text,
  hospital_2 text,
  hospital_2_name text,
  hospital_3 text,
  hospital_3_name text,
  hospital_4 text,
  hospital_4_name text,
  hospital_5 text,
  hospital_5_name text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT clinician_location_key PRIMARY KEY (npi, enrollment_id, group_pac_id, address_id, line_1, line_2, postal_code, phone, release)
) PARTITION BY LIST (release);
CREATE INDEX clinician_location_group_pac_id_idx ON directory.clinician_location (group_pac_id);

COMMENT ON TABLE directory.clinician_location IS 'Clinicians of Medicare, a row per enrolment, group and address';
COMMENT ON COLUMN directory.clinician_location.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.clinician_location.npi IS 'National Provider Identifier';
COMMENT ON COLUMN directory.clinician_location.enrollment_id IS 'Enrolment of the clinician';
COMMENT ON COLUMN directory.clinician_location.group_pac_id IS 'Control number of the group; empty of who practises alone';
COMMENT ON COLUMN directory.clinician_location.address_id IS 'Address, as the publisher numbers it; empty in files from before the column';
COMMENT ON COLUMN directory.clinician_location.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.clinician_location.line_2 IS 'Second line';
COMMENT ON COLUMN directory.clinician_location.postal_code IS 'ZIP code of 5 digits';
COMMENT ON COLUMN directory.clinician_location.phone IS 'Phone, E.164';
COMMENT ON COLUMN directory.clinician_location.pac_id IS 'Control number of the clinician';
COMMENT ON COLUMN directory.clinician_location.last_name IS 'Last name';
COMMENT ON COLUMN directory.clinician_location.first_name IS 'First name';
COMMENT ON COLUMN directory.clinician_location.middle_name IS 'Middle name';
COMMENT ON COLUMN directory.clinician_location.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.clinician_location.sex IS 'As the publisher gives it: F, M, U';
COMMENT ON COLUMN directory.clinician_location.credential IS 'Credentials, as MD';
COMMENT ON COLUMN directory.clinician_location.medical_school IS 'Medical school';
COMMENT ON COLUMN directory.clinician_location.graduation_year IS 'Year of graduation';
COMMENT ON COLUMN directory.clinician_location.primary_specialty IS 'Primary specialty, in Medicare''s words';
COMMENT ON COLUMN directory.clinician_location.specialty_2 IS 'First of the other specialties';
COMMENT ON COLUMN directory.clinician_location.specialty_3 IS 'Second of them';
COMMENT ON COLUMN directory.clinician_location.specialty_4 IS 'Third of them';
COMMENT ON COLUMN directory.clinician_location.specialty_5 IS 'Fourth of them';
COMMENT ON COLUMN directory.clinician_location.other_specialties IS 'All other specialties in one text';
COMMENT ON COLUMN directory.clinician_location.has_telehealth IS 'Whether telehealth is offered; null in files from before the column';
COMMENT ON COLUMN directory.clinician_location.group_name IS 'Legal business name of the group';
COMMENT ON COLUMN directory.clinician_location.group_members IS 'How many clinicians the group has';
COMMENT ON COLUMN directory.clinician_location.line_2_suppressed IS 'Whether the publisher has left the second line out';
COMMENT ON COLUMN directory.clinician_location.city IS 'City';
COMMENT ON COLUMN directory.clinician_location.state IS 'State, two letters';
COMMENT ON COLUMN directory.clinician_location.zip4 IS 'Last four digits of a ZIP+4';
COMMENT ON COLUMN directory.clinician_location.accepts_assignment IS 'Whether the clinician accepts what Medicare approves as full payment: Y, or M for may';
COMMENT ON COLUMN directory.clinician_location.group_accepts_assignment IS 'The same of the group';
COMMENT ON COLUMN directory.clinician_location.hospital_1 IS 'Hospital 1 that the clinician is affiliated with, by certification number, in files until 2022';
COMMENT ON COLUMN directory.clinician_location.hospital_1_name IS 'Its name';
COMMENT ON COLUMN directory.clinician_location.hospital_2 IS 'Hospital 2 that the clinician is affiliated with, by certification number, in files until 2022';
COMMENT ON COLUMN directory.clinician_location.hospital_2_name IS 'Its name';
COMMENT ON COLUMN directory.clinician_location.hospital_3 IS 'Hospital 3 that the clinician is affiliated with, by certification number, in files until 2022';
COMMENT ON COLUMN directory.clinician_location.hospital_3_name IS 'Its name';
COMMENT ON COLUMN directory.clinician_location.hospital_4 IS 'Hospital 4 that the clinician is affiliated with, by certification number, in files until 2022';
COMMENT ON COLUMN directory.clinician_location.hospital_4_name IS 'Its name';
COMMENT ON COLUMN directory.clinician_location.hospital_5 IS 'Hospital 5 that the clinician is affiliated with, by certification number, in files until 2022';
COMMENT ON COLUMN directory.clinician_location.hospital_5_name IS 'Its name';
COMMENT ON COLUMN directory.clinician_location.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.clinician_location.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.facility_affiliation (
  release text NOT NULL,
  npi bigint NOT NULL,
  facility_type text NOT NULL DEFAULT '',
  ccn text NOT NULL DEFAULT '',
  parent_ccn text NOT NULL DEFAULT '',
  pac_id text,
  last_name text,
  first_name text,
  middle_name text,
  suffix text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT facility_affiliation_key PRIMARY KEY (npi, facility_type, ccn, parent_ccn, release)
) PARTITION BY LIST (release);
CREATE INDEX facility_affiliation_ccn_idx ON directory.facility_affiliation (ccn);

COMMENT ON TABLE directory.facility_affiliation IS 'Which facilities clinicians of Medicare are affiliated with';
COMMENT ON COLUMN directory.facility_affiliation.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.facility_affiliation.npi IS 'National Provider Identifier';
COMMENT ON COLUMN directory.facility_affiliation.facility_type IS 'Kind of facility, in the words of the publisher';
COMMENT ON COLUMN directory.facility_affiliation.ccn IS 'CMS certification number of the facility, six characters';
COMMENT ON COLUMN directory.facility_affiliation.parent_ccn IS 'That of the hospital which a unit belongs to';
COMMENT ON COLUMN directory.facility_affiliation.pac_id IS 'Control number of the clinician';
COMMENT ON COLUMN directory.facility_affiliation.last_name IS 'Last name';
COMMENT ON COLUMN directory.facility_affiliation.first_name IS 'First name';
COMMENT ON COLUMN directory.facility_affiliation.middle_name IS 'Middle name';
COMMENT ON COLUMN directory.facility_affiliation.suffix IS 'Suffix, as Jr.';
COMMENT ON COLUMN directory.facility_affiliation.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.facility_affiliation.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.revalidation (
  release text NOT NULL,
  enrollment_id text NOT NULL,
  npi bigint,
  first_name text,
  last_name text,
  organization text,
  state text,
  enrollment_type text,
  provider_type text,
  specialty text,
  due_on date,
  adjusted_due_on date,
  reassigns_to integer,
  receives_from integer,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT revalidation_key PRIMARY KEY (enrollment_id, release)
) PARTITION BY LIST (release);
CREATE INDEX revalidation_npi_idx ON directory.revalidation (npi);

COMMENT ON TABLE directory.revalidation IS 'By when enrolments in Medicare must be revalidated';
COMMENT ON COLUMN directory.revalidation.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.revalidation.enrollment_id IS 'Enrolment, as the publisher numbers it';
COMMENT ON COLUMN directory.revalidation.npi IS 'National Provider Identifier';
COMMENT ON COLUMN directory.revalidation.first_name IS 'First name';
COMMENT ON COLUMN directory.revalidation.last_name IS 'Last name';
COMMENT ON COLUMN directory.revalidation.organization IS 'Name of an organisation';
COMMENT ON COLUMN directory.revalidation.state IS 'State of the enrolment, two letters';
COMMENT ON COLUMN directory.revalidation.enrollment_type IS 'Kind of enrolment, in the code of the publisher';
COMMENT ON COLUMN directory.revalidation.provider_type IS 'Kind of provider, in words';
COMMENT ON COLUMN directory.revalidation.specialty IS 'Specialty, in words';
COMMENT ON COLUMN directory.revalidation.due_on IS 'Day by which it is due; null where the publisher has not set one';
COMMENT ON COLUMN directory.revalidation.adjusted_due_on IS 'Day to which that was moved; null where it was not, or has not been set';
COMMENT ON COLUMN directory.revalidation.reassigns_to IS 'To how many groups an individual reassigns benefits';
COMMENT ON COLUMN directory.revalidation.receives_from IS 'From how many individuals a group receives them';
COMMENT ON COLUMN directory.revalidation.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.revalidation.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE directory.revalidation;
DROP TABLE directory.facility_affiliation;
DROP TABLE directory.clinician_location;

-- rivulet:verify
SELECT 1 / (count(*) = 3)::int FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
WHERE c.relnamespace = 'directory'::regnamespace AND pg_get_partkeydef(c.oid) = 'LIST (release)'
  AND c.relname IN ('clinician_location', 'facility_affiliation', 'revalidation');
