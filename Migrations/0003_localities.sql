-- GPCI, LOCCO and ANES: what differs from one payment locality to the next.
-- rivulet:datasets cms-rvu

-- rivulet:up
CREATE TABLE cms.gpci (
  release text NOT NULL,
  mac text NOT NULL,
  locality text NOT NULL,
  state text,
  locality_name text NOT NULL,
  work_gpci numeric(6,3) NOT NULL,
  work_gpci_no_floor numeric(6,3),
  pe_gpci numeric(6,3) NOT NULL,
  mp_gpci numeric(6,3) NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT gpci_key PRIMARY KEY (release, mac, locality)
) PARTITION BY LIST (release);

COMMENT ON TABLE cms.gpci IS 'GPCI: geographic practice cost indices, a row per payment locality';
COMMENT ON COLUMN cms.gpci.release IS 'Release the row belongs to, as 2025D';
COMMENT ON COLUMN cms.gpci.mac IS 'Medicare administrative contractor, five digits';
COMMENT ON COLUMN cms.gpci.locality IS 'Locality of the contractor, two digits';
COMMENT ON COLUMN cms.gpci.state IS 'State or territory, two letters';
COMMENT ON COLUMN cms.gpci.locality_name IS 'Name as published, with its asterisks';
COMMENT ON COLUMN cms.gpci.work_gpci IS 'Work index that payment uses, with the floor in force';
COMMENT ON COLUMN cms.gpci.work_gpci_no_floor IS 'Work index without the floor, where the file gives both';
COMMENT ON COLUMN cms.gpci.pe_gpci IS 'Practice expense index';
COMMENT ON COLUMN cms.gpci.mp_gpci IS 'Malpractice index';
COMMENT ON COLUMN cms.gpci.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN cms.gpci.source_line IS 'Line of that file, from 1';

CREATE TABLE cms.locality_county (
  release text NOT NULL,
  row integer NOT NULL,
  mac text NOT NULL,
  locality text NOT NULL,
  state text,
  fee_schedule_area text,
  counties text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT locality_county_key PRIMARY KEY (release, row)
) PARTITION BY LIST (release);

COMMENT ON TABLE cms.locality_county IS
  'LOCCO: the counties of each locality; contractor and locality do not identify a row';
COMMENT ON COLUMN cms.locality_county.release IS 'Release the row belongs to, as 2025D';
COMMENT ON COLUMN cms.locality_county.row IS 'Place of the record among the records of its file, from 1';
COMMENT ON COLUMN cms.locality_county.mac IS 'Medicare administrative contractor, five digits';
COMMENT ON COLUMN cms.locality_county.locality IS 'Locality of the contractor, two digits';
COMMENT ON COLUMN cms.locality_county.state IS
  'Name of the state the block is under, not always that of every county';
COMMENT ON COLUMN cms.locality_county.fee_schedule_area IS 'Name of the fee schedule area';
COMMENT ON COLUMN cms.locality_county.counties IS 'Counties, in the publisher''s wording';
COMMENT ON COLUMN cms.locality_county.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN cms.locality_county.source_line IS 'Line of that file, from 1';

CREATE TABLE cms.anesthesia_cf (
  release text NOT NULL,
  cf_class text NOT NULL,
  mac text NOT NULL,
  locality text NOT NULL,
  locality_name text,
  conversion_factor numeric(8,4) NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT anesthesia_cf_key PRIMARY KEY (release, cf_class, mac, locality)
) PARTITION BY LIST (release);

COMMENT ON TABLE cms.anesthesia_cf IS 'ANES: anaesthesia conversion factor of each locality';
COMMENT ON COLUMN cms.anesthesia_cf.release IS 'Release the row belongs to, as 2025D';
COMMENT ON COLUMN cms.anesthesia_cf.cf_class IS 'Conversion factor class: all before 2026, then non_qp or qp';
COMMENT ON COLUMN cms.anesthesia_cf.mac IS 'Medicare administrative contractor, five digits';
COMMENT ON COLUMN cms.anesthesia_cf.locality IS 'Locality of the contractor, two digits';
COMMENT ON COLUMN cms.anesthesia_cf.locality_name IS 'Name as published';
COMMENT ON COLUMN cms.anesthesia_cf.conversion_factor IS 'Dollars per anaesthesia unit of base or 15 minutes';
COMMENT ON COLUMN cms.anesthesia_cf.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN cms.anesthesia_cf.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE cms.anesthesia_cf;
DROP TABLE cms.locality_county;
DROP TABLE cms.gpci;

-- rivulet:verify
SELECT release, mac, locality, state, locality_name, work_gpci, work_gpci_no_floor, pe_gpci, mp_gpci,
  source_file_id, source_line
FROM cms.gpci WHERE false;

SELECT release, row, mac, locality, state, fee_schedule_area, counties, source_file_id, source_line
FROM cms.locality_county WHERE false;

SELECT release, cf_class, mac, locality, locality_name, conversion_factor, source_file_id, source_line
FROM cms.anesthesia_cf WHERE false;

SELECT 1 / (count(*) = 3)::int FROM pg_partitioned_table
WHERE partrelid IN ('cms.gpci'::regclass, 'cms.locality_county'::regclass, 'cms.anesthesia_cf'::regclass)
  AND pg_get_partkeydef(partrelid) = 'LIST (release)';

SELECT 1 / (count(*) = 3)::int FROM pg_constraint
WHERE (conrelid, conname, pg_get_constraintdef(oid)) IN (
  ('cms.gpci'::regclass, 'gpci_key', 'PRIMARY KEY (release, mac, locality)'),
  ('cms.locality_county'::regclass, 'locality_county_key', 'PRIMARY KEY (release, "row")'),
  ('cms.anesthesia_cf'::regclass, 'anesthesia_cf_key', 'PRIMARY KEY (release, cf_class, mac, locality)'));
