-- OPPSCAP: the publisher's own prices of the procedures that the OPPS cap limits.
-- rivulet:datasets cms-rvu

-- rivulet:up
CREATE TABLE cms.opps_cap (
  release text NOT NULL,
  hcpcs text NOT NULL,
  modifier text NOT NULL,
  mac text NOT NULL,
  locality text NOT NULL,
  status_code text NOT NULL,
  facility_price numeric(10,2) NOT NULL,
  nonfacility_price numeric(10,2) NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT opps_cap_key PRIMARY KEY (release, hcpcs, modifier, mac, locality)
) PARTITION BY LIST (release);

COMMENT ON TABLE cms.opps_cap IS
  'OPPSCAP: price after the OPPS cap, or for a contractor-priced code the cap itself';
COMMENT ON COLUMN cms.opps_cap.release IS 'Release the row belongs to, as 2025D';
COMMENT ON COLUMN cms.opps_cap.hcpcs IS 'CPT or HCPCS Level II code, five characters';
COMMENT ON COLUMN cms.opps_cap.modifier IS 'TC technical component; empty for the global service';
COMMENT ON COLUMN cms.opps_cap.mac IS 'Medicare administrative contractor, five digits';
COMMENT ON COLUMN cms.opps_cap.locality IS 'Locality of the contractor, two digits';
COMMENT ON COLUMN cms.opps_cap.status_code IS
  'A: the prices are payments; C: they are the most a contractor may pay';
COMMENT ON COLUMN cms.opps_cap.facility_price IS 'Dollars, facility setting';
COMMENT ON COLUMN cms.opps_cap.nonfacility_price IS 'Dollars, non-facility setting';
COMMENT ON COLUMN cms.opps_cap.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN cms.opps_cap.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE cms.opps_cap;

-- rivulet:verify
SELECT release, hcpcs, modifier, mac, locality, status_code, facility_price, nonfacility_price,
  source_file_id, source_line
FROM cms.opps_cap WHERE false;

SELECT 1 / (pg_get_partkeydef('cms.opps_cap'::regclass) = 'LIST (release)')::int;

SELECT 1 / count(*) FROM pg_constraint
WHERE conrelid = 'cms.opps_cap'::regclass AND conname = 'opps_cap_key'
  AND pg_get_constraintdef(oid) = 'PRIMARY KEY (release, hcpcs, modifier, mac, locality)';
