-- HCPCS Level II: codes, modifiers, and what repeats in their records.
-- rivulet:datasets cms-hcpcs

-- rivulet:up
CREATE TABLE cms.hcpcs_code (
  release text NOT NULL,
  hcpcs text NOT NULL,
  long_description text,
  short_description text,
  multiple_pricing text,
  statute text,
  coverage text,
  asc_group text,
  asc_effective_on date,
  mog_group text,
  mog_policy_indicator text,
  mog_effective_on date,
  processing_note text,
  betos text,
  anesthesia_base_units integer,
  added_on date,
  action_effective_on date,
  terminated_on date,
  action text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_code_key PRIMARY KEY (release, hcpcs)
) PARTITION BY LIST (release);

COMMENT ON TABLE cms.hcpcs_code IS 'HCPCS Level II: a row per procedure, supply, product or service code';
COMMENT ON COLUMN cms.hcpcs_code.release IS 'Release the row belongs to, as 2025D';
COMMENT ON COLUMN cms.hcpcs_code.hcpcs IS 'Code, a letter and four digits';
COMMENT ON COLUMN cms.hcpcs_code.long_description IS 'Long description, its continuation records joined';
COMMENT ON COLUMN cms.hcpcs_code.short_description IS 'Short description, at most 28 characters';
COMMENT ON COLUMN cms.hcpcs_code.multiple_pricing IS 'Whether prices are set in more than one way: list hcpcs-multiple-pricing';
COMMENT ON COLUMN cms.hcpcs_code.statute IS 'Section of the Social Security Act that covers or excludes it';
COMMENT ON COLUMN cms.hcpcs_code.coverage IS 'Medicare coverage: list hcpcs-coverage';
COMMENT ON COLUMN cms.hcpcs_code.asc_group IS 'YY where an ambulatory surgical centre may be paid for it';
COMMENT ON COLUMN cms.hcpcs_code.asc_effective_on IS 'From when asc_group holds';
COMMENT ON COLUMN cms.hcpcs_code.mog_group IS 'Medicare outpatient group, in old files';
COMMENT ON COLUMN cms.hcpcs_code.mog_policy_indicator IS 'Payment policy of the outpatient group, in old files';
COMMENT ON COLUMN cms.hcpcs_code.mog_effective_on IS 'From when mog_group holds';
COMMENT ON COLUMN cms.hcpcs_code.processing_note IS 'Number of the processing note';
COMMENT ON COLUMN cms.hcpcs_code.betos IS 'Berenson-Eggers type of service: list hcpcs-betos';
COMMENT ON COLUMN cms.hcpcs_code.anesthesia_base_units IS 'Base units of anaesthesia';
COMMENT ON COLUMN cms.hcpcs_code.added_on IS 'Day the code was added';
COMMENT ON COLUMN cms.hcpcs_code.action_effective_on IS 'Day the last action took effect';
COMMENT ON COLUMN cms.hcpcs_code.terminated_on IS 'Last day the code may be used; null while it is in use';
COMMENT ON COLUMN cms.hcpcs_code.action IS 'What was done to the code last: list hcpcs-action';
COMMENT ON COLUMN cms.hcpcs_code.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN cms.hcpcs_code.source_line IS 'Line of that file, from 1';

CREATE TABLE cms.hcpcs_code_pricing (
  release text NOT NULL,
  hcpcs text NOT NULL,
  slot smallint NOT NULL,
  pricing text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_code_pricing_key PRIMARY KEY (release, hcpcs, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_code_pricing IS 'How a code is priced, up to four ways: list hcpcs-pricing';

CREATE TABLE cms.hcpcs_code_coverage_issue (
  release text NOT NULL,
  hcpcs text NOT NULL,
  slot smallint NOT NULL,
  section text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_code_coverage_issue_key PRIMARY KEY (release, hcpcs, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_code_coverage_issue IS 'Sections of the Coverage Issues Manual about a code, up to three';

CREATE TABLE cms.hcpcs_code_carrier_manual (
  release text NOT NULL,
  hcpcs text NOT NULL,
  slot smallint NOT NULL,
  section text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_code_carrier_manual_key PRIMARY KEY (release, hcpcs, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_code_carrier_manual IS 'Sections of the Medicare Carriers Manual about a code, up to three';

CREATE TABLE cms.hcpcs_code_lab_certification (
  release text NOT NULL,
  hcpcs text NOT NULL,
  slot smallint NOT NULL,
  certification text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_code_lab_certification_key PRIMARY KEY (release, hcpcs, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_code_lab_certification IS 'Specialties for which a laboratory needs a certificate, up to eight';

CREATE TABLE cms.hcpcs_code_cross_reference (
  release text NOT NULL,
  hcpcs text NOT NULL,
  slot smallint NOT NULL,
  reference text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_code_cross_reference_key PRIMARY KEY (release, hcpcs, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_code_cross_reference IS 'Codes or modifiers that a code refers to, up to five';

CREATE TABLE cms.hcpcs_code_type_of_service (
  release text NOT NULL,
  hcpcs text NOT NULL,
  slot smallint NOT NULL,
  type_of_service text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_code_type_of_service_key PRIMARY KEY (release, hcpcs, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_code_type_of_service IS 'Types of service of a code, up to five: list hcpcs-type-of-service';

CREATE TABLE cms.hcpcs_modifier (
  release text NOT NULL,
  modifier text NOT NULL,
  long_description text,
  short_description text,
  coverage text,
  processing_note text,
  added_on date,
  action_effective_on date,
  terminated_on date,
  action text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_modifier_key PRIMARY KEY (release, modifier)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_modifier IS 'HCPCS Level II: a row per modifier';
COMMENT ON COLUMN cms.hcpcs_modifier.modifier IS 'Modifier, two letters or digits';
COMMENT ON COLUMN cms.hcpcs_modifier.long_description IS 'Long description, its continuation records joined';
COMMENT ON COLUMN cms.hcpcs_modifier.terminated_on IS 'Last day the modifier may be used; null while it is in use';

CREATE TABLE cms.hcpcs_modifier_coverage_issue (
  release text NOT NULL,
  modifier text NOT NULL,
  slot smallint NOT NULL,
  section text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_modifier_coverage_issue_key PRIMARY KEY (release, modifier, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_modifier_coverage_issue IS
  'Sections of the Coverage Issues Manual about a modifier, up to three';

CREATE TABLE cms.hcpcs_modifier_carrier_manual (
  release text NOT NULL,
  modifier text NOT NULL,
  slot smallint NOT NULL,
  section text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_modifier_carrier_manual_key PRIMARY KEY (release, modifier, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_modifier_carrier_manual IS
  'Sections of the Medicare Carriers Manual about a modifier, up to three';

CREATE TABLE cms.hcpcs_modifier_cross_reference (
  release text NOT NULL,
  modifier text NOT NULL,
  slot smallint NOT NULL,
  reference text NOT NULL,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_modifier_cross_reference_key PRIMARY KEY (release, modifier, slot)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_modifier_cross_reference IS 'Codes or modifiers that a modifier refers to, up to five';

CREATE TABLE cms.hcpcs_correction (
  release text NOT NULL,
  row integer NOT NULL,
  hcpcs text NOT NULL,
  action text NOT NULL,
  effective_on date,
  short_description text,
  long_description text,
  type_of_service text,
  betos text,
  coverage text,
  pricing text,
  asc_group text,
  lab_certification text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT hcpcs_correction_key PRIMARY KEY (release, row)
) PARTITION BY LIST (release);
COMMENT ON TABLE cms.hcpcs_correction IS
  'Corrections that the publisher made to a release, as it worded them; they are applied to cms.hcpcs_code';
COMMENT ON COLUMN cms.hcpcs_correction.row IS 'Place of the record among those of its file, from 1';
COMMENT ON COLUMN cms.hcpcs_correction.action IS 'What is to be done, in the publisher''s words, upper case';

-- rivulet:down
DROP TABLE cms.hcpcs_correction;
DROP TABLE cms.hcpcs_modifier_cross_reference;
DROP TABLE cms.hcpcs_modifier_carrier_manual;
DROP TABLE cms.hcpcs_modifier_coverage_issue;
DROP TABLE cms.hcpcs_modifier;
DROP TABLE cms.hcpcs_code_type_of_service;
DROP TABLE cms.hcpcs_code_cross_reference;
DROP TABLE cms.hcpcs_code_lab_certification;
DROP TABLE cms.hcpcs_code_carrier_manual;
DROP TABLE cms.hcpcs_code_coverage_issue;
DROP TABLE cms.hcpcs_code_pricing;
DROP TABLE cms.hcpcs_code;

-- rivulet:verify
SELECT release, hcpcs, long_description, short_description, multiple_pricing, statute, coverage, asc_group,
  asc_effective_on, mog_group, mog_policy_indicator, mog_effective_on, processing_note, betos,
  anesthesia_base_units, added_on, action_effective_on, terminated_on, action, source_file_id, source_line
FROM cms.hcpcs_code WHERE false;

SELECT release, modifier, long_description, short_description, coverage, processing_note, added_on,
  action_effective_on, terminated_on, action, source_file_id, source_line
FROM cms.hcpcs_modifier WHERE false;

SELECT release, row, hcpcs, action, effective_on, short_description, long_description, type_of_service, betos,
  coverage, pricing, asc_group, lab_certification, source_file_id, source_line
FROM cms.hcpcs_correction WHERE false;

SELECT 1 / (count(*) = 12)::int FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
WHERE c.relnamespace = 'cms'::regnamespace AND c.relname LIKE 'hcpcs\_%'
  AND pg_get_partkeydef(c.oid) = 'LIST (release)';
