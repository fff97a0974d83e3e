-- ZIP5: the contractor and payment locality of every ZIP code.
-- rivulet:datasets cms-zip5, cms-rvu

-- rivulet:up
CREATE TABLE cms.zip_locality (
  release text NOT NULL,
  zip text NOT NULL,
  state text NOT NULL,
  mac text NOT NULL,
  locality text NOT NULL,
  rural_indicator text,
  lab_locality text,
  rural_indicator_2006 text,
  plus_four_flag text NOT NULL,
  part_b_drug_indicator text,
  quarter text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT zip_locality_key PRIMARY KEY (release, zip)
) PARTITION BY LIST (release);

COMMENT ON TABLE cms.zip_locality IS 'ZIP5: contractor and payment locality, a row per ZIP code';
COMMENT ON COLUMN cms.zip_locality.release IS 'Release the row belongs to, as 2025D';
COMMENT ON COLUMN cms.zip_locality.zip IS 'ZIP code, five digits';
COMMENT ON COLUMN cms.zip_locality.state IS
  'State in CMS''s own letters, which split some states: EM and WM for Missouri, EK and WK for Kansas';
COMMENT ON COLUMN cms.zip_locality.mac IS 'Medicare administrative contractor, five digits';
COMMENT ON COLUMN cms.zip_locality.locality IS 'Locality of the contractor, two digits';
COMMENT ON COLUMN cms.zip_locality.rural_indicator IS 'R rural, B super rural; empty for urban';
COMMENT ON COLUMN cms.zip_locality.lab_locality IS 'Competitive bidding area for laboratory services; Z9 for none';
COMMENT ON COLUMN cms.zip_locality.rural_indicator_2006 IS 'The rural indicator by the areas of December 2006';
COMMENT ON COLUMN cms.zip_locality.plus_four_flag IS
  '1 where the ZIP code spans localities and its last four digits decide; 0 else';
COMMENT ON COLUMN cms.zip_locality.part_b_drug_indicator IS 'Part B drug indicator, as published';
COMMENT ON COLUMN cms.zip_locality.quarter IS 'Year and quarter that the record itself names, as 20254';
COMMENT ON COLUMN cms.zip_locality.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN cms.zip_locality.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE cms.zip_locality;

-- rivulet:verify
SELECT release, zip, state, mac, locality, rural_indicator, lab_locality, rural_indicator_2006, plus_four_flag,
  part_b_drug_indicator, quarter, source_file_id, source_line
FROM cms.zip_locality WHERE false;

SELECT 1 / (pg_get_partkeydef('cms.zip_locality'::regclass) = 'LIST (release)')::int;

SELECT 1 / count(*) FROM pg_constraint
WHERE conrelid = 'cms.zip_locality'::regclass AND conname = 'zip_locality_key'
  AND pg_get_constraintdef(oid) = 'PRIMARY KEY (release, zip)';
