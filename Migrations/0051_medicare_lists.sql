-- What Medicare publishes of who is enrolled, who has opted out, and who may order and refer.
-- rivulet:datasets cms-opt-out, cms-order-referring, cms-enrolment, nppes

-- rivulet:up
CREATE TABLE directory.opt_out (
  release text NOT NULL,
  npi bigint NOT NULL,
  first_name text,
  last_name text,
  specialty text,
  effective_on date NOT NULL,
  ends_on date,
  line_1 text,
  line_2 text,
  city text,
  state text,
  postal_code text,
  zip4 text,
  may_order_and_refer boolean,
  updated_on date,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT opt_out_key PRIMARY KEY (npi, effective_on, release)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.opt_out IS 'Who has opted out of Medicare, a row per affidavit';
COMMENT ON COLUMN directory.opt_out.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.opt_out.npi IS 'National Provider Identifier';
COMMENT ON COLUMN directory.opt_out.first_name IS 'First name';
COMMENT ON COLUMN directory.opt_out.last_name IS 'Last name';
COMMENT ON COLUMN directory.opt_out.specialty IS 'Specialty, in the words of the list';
COMMENT ON COLUMN directory.opt_out.effective_on IS 'First day of the opt-out';
COMMENT ON COLUMN directory.opt_out.ends_on IS 'Last day of the two years, which renew themselves unless they are cancelled';
COMMENT ON COLUMN directory.opt_out.line_1 IS 'First line of the address';
COMMENT ON COLUMN directory.opt_out.line_2 IS 'Second line';
COMMENT ON COLUMN directory.opt_out.city IS 'City';
COMMENT ON COLUMN directory.opt_out.state IS 'State, two letters';
COMMENT ON COLUMN directory.opt_out.postal_code IS 'ZIP code of 5 digits';
COMMENT ON COLUMN directory.opt_out.zip4 IS 'Last four digits of a ZIP+4';
COMMENT ON COLUMN directory.opt_out.may_order_and_refer IS 'Whether the provider may still order and refer';
COMMENT ON COLUMN directory.opt_out.updated_on IS 'Day the publisher changed the row last';
COMMENT ON COLUMN directory.opt_out.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.opt_out.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.order_referring (
  release text NOT NULL,
  npi bigint NOT NULL,
  last_name text,
  first_name text,
  part_b boolean,
  dme boolean,
  hha boolean,
  pmd boolean,
  hospice boolean,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT order_referring_key PRIMARY KEY (npi, release)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.order_referring IS 'Who may order and refer in Medicare, a row per NPI';
COMMENT ON COLUMN directory.order_referring.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.order_referring.npi IS 'National Provider Identifier';
COMMENT ON COLUMN directory.order_referring.last_name IS 'Last name';
COMMENT ON COLUMN directory.order_referring.first_name IS 'First name';
COMMENT ON COLUMN directory.order_referring.part_b IS 'Whether services of Part B may be ordered';
COMMENT ON COLUMN directory.order_referring.dme IS 'Whether durable medical equipment may be';
COMMENT ON COLUMN directory.order_referring.hha IS 'Whether home health may be';
COMMENT ON COLUMN directory.order_referring.pmd IS 'Whether power mobility devices may be';
COMMENT ON COLUMN directory.order_referring.hospice IS 'Whether hospice care may be certified; null in files from before the column';
COMMENT ON COLUMN directory.order_referring.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.order_referring.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.enrollment (
  release text NOT NULL,
  enrollment_id text NOT NULL,
  npi bigint NOT NULL,
  has_several_npis boolean,
  pac_id text,
  provider_type text,
  provider_type_description text,
  state text,
  first_name text,
  middle_name text,
  last_name text,
  organization text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT enrollment_key PRIMARY KEY (enrollment_id, npi, release)
) PARTITION BY LIST (release);
CREATE INDEX enrollment_npi_idx ON directory.enrollment (npi);

COMMENT ON TABLE directory.enrollment IS 'Who is enrolled in fee-for-service Medicare, a row per enrolment and NPI';
COMMENT ON COLUMN directory.enrollment.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.enrollment.enrollment_id IS 'Enrolment, as the publisher numbers it';
COMMENT ON COLUMN directory.enrollment.npi IS 'National Provider Identifier; a provider may have many enrolments';
COMMENT ON COLUMN directory.enrollment.has_several_npis IS 'Whether the enrolment has several NPIs; null in files from before the column';
COMMENT ON COLUMN directory.enrollment.pac_id IS 'Provider associate control number: the same for all enrolments of one person or organisation';
COMMENT ON COLUMN directory.enrollment.provider_type IS 'Code of the kind of provider, as 14-08';
COMMENT ON COLUMN directory.enrollment.provider_type_description IS 'The same in words';
COMMENT ON COLUMN directory.enrollment.state IS 'State of the enrolment, two letters';
COMMENT ON COLUMN directory.enrollment.first_name IS 'First name';
COMMENT ON COLUMN directory.enrollment.middle_name IS 'Middle name';
COMMENT ON COLUMN directory.enrollment.last_name IS 'Last name';
COMMENT ON COLUMN directory.enrollment.organization IS 'Name of an organisation';
COMMENT ON COLUMN directory.enrollment.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.enrollment.source_line IS 'Line of that file, from 1';

CREATE TABLE directory.reassignment (
  release text NOT NULL,
  reassigning_id text NOT NULL,
  receiving_id text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT reassignment_key PRIMARY KEY (reassigning_id, receiving_id, release)
) PARTITION BY LIST (release);
CREATE INDEX reassignment_receiving_id_idx ON directory.reassignment (receiving_id);

COMMENT ON TABLE directory.reassignment IS 'Who has reassigned the right to be paid to whom, by their enrolments';
COMMENT ON COLUMN directory.reassignment.release IS 'Release the row belongs to';
COMMENT ON COLUMN directory.reassignment.reassigning_id IS 'Enrolment whose benefits are reassigned';
COMMENT ON COLUMN directory.reassignment.receiving_id IS 'Enrolment that receives them';
COMMENT ON COLUMN directory.reassignment.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.reassignment.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE directory.reassignment;
DROP TABLE directory.enrollment;
DROP TABLE directory.order_referring;
DROP TABLE directory.opt_out;

-- rivulet:verify
SELECT 1 / (count(*) = 4)::int FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
WHERE c.relnamespace = 'directory'::regnamespace AND pg_get_partkeydef(c.oid) = 'LIST (release)'
  AND c.relname IN ('opt_out', 'order_referring', 'enrollment', 'reassignment');
