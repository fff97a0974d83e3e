-- PPRRVU: the relative value units and policy indicators of every code.
-- rivulet:datasets cms-rvu

-- rivulet:up
CREATE TABLE cms.rvu (
  release text NOT NULL,
  cf_class text NOT NULL,
  hcpcs text NOT NULL,
  modifier text NOT NULL,
  description text,
  status_code text NOT NULL,
  not_used_for_medicare text,
  work_rvu numeric(8,2) NOT NULL,
  nonfac_pe_rvu numeric(8,2) NOT NULL,
  nonfac_na boolean NOT NULL,
  fac_pe_rvu numeric(8,2) NOT NULL,
  fac_na boolean NOT NULL,
  mp_rvu numeric(8,2) NOT NULL,
  nonfac_total numeric(8,2) NOT NULL,
  fac_total numeric(8,2) NOT NULL,
  pctc_indicator text,
  global_days text,
  pre_op numeric(4,2),
  intra_op numeric(4,2),
  post_op numeric(4,2),
  multiple_procedure text,
  bilateral_surgery text,
  assistant_surgery text,
  co_surgeons text,
  team_surgery text,
  endo_base text,
  conversion_factor numeric(8,4) NOT NULL,
  diagnostic_supervision text,
  calculation_flag text,
  diagnostic_imaging_family text,
  nonfac_pe_opps numeric(8,2),
  fac_pe_opps numeric(8,2),
  mp_opps numeric(8,2),
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT rvu_key PRIMARY KEY (release, cf_class, hcpcs, modifier)
) PARTITION BY LIST (release);

COMMENT ON TABLE cms.rvu IS 'PPRRVU: relative value units and policy indicators, a row per code and modifier';
COMMENT ON COLUMN cms.rvu.release IS 'Release the row belongs to, as 2025D';
COMMENT ON COLUMN cms.rvu.cf_class IS 'Conversion factor class: all before 2026, then non_qp or qp';
COMMENT ON COLUMN cms.rvu.hcpcs IS 'CPT or HCPCS Level II code, five characters';
COMMENT ON COLUMN cms.rvu.modifier IS
  '26 professional component, TC technical component, 53 discontinued; empty for the global service';
COMMENT ON COLUMN cms.rvu.description IS 'Short description, as published; may be missing';
COMMENT ON COLUMN cms.rvu.status_code IS
  'How Medicare treats the code; only A, T and R can be paid from relative value units';
COMMENT ON COLUMN cms.rvu.not_used_for_medicare IS
  '+ where the relative value units are not used for Medicare payment';
COMMENT ON COLUMN cms.rvu.work_rvu IS 'Physician work';
COMMENT ON COLUMN cms.rvu.nonfac_pe_rvu IS 'Practice expense, non-facility setting';
COMMENT ON COLUMN cms.rvu.nonfac_na IS 'Rarely or never performed in the non-facility setting';
COMMENT ON COLUMN cms.rvu.fac_pe_rvu IS 'Practice expense, facility setting';
COMMENT ON COLUMN cms.rvu.fac_na IS 'Rarely or never performed in the facility setting';
COMMENT ON COLUMN cms.rvu.mp_rvu IS 'Malpractice expense';
COMMENT ON COLUMN cms.rvu.nonfac_total IS 'Work, non-facility practice expense and malpractice';
COMMENT ON COLUMN cms.rvu.fac_total IS 'Work, facility practice expense and malpractice';
COMMENT ON COLUMN cms.rvu.pctc_indicator IS
  'How the code splits into professional and technical component, 0 to 9';
COMMENT ON COLUMN cms.rvu.global_days IS 'Global surgery period: 000, 010, 090, MMM, XXX, YYY or ZZZ';
COMMENT ON COLUMN cms.rvu.pre_op IS 'Preoperative share of the global package, 0.10 for ten per cent';
COMMENT ON COLUMN cms.rvu.intra_op IS 'Intraoperative share of the global package';
COMMENT ON COLUMN cms.rvu.post_op IS 'Postoperative share of the global package';
COMMENT ON COLUMN cms.rvu.multiple_procedure IS
  'Rule for multiple procedures (modifier 51), 0 to 7; 9 does not apply';
COMMENT ON COLUMN cms.rvu.bilateral_surgery IS
  'Rule for bilateral procedures (modifier 50), 0 to 3; 9 does not apply';
COMMENT ON COLUMN cms.rvu.assistant_surgery IS 'Rule for an assistant at surgery, 0 to 2; 9 does not apply';
COMMENT ON COLUMN cms.rvu.co_surgeons IS 'Rule for co-surgeons (modifier 62), 0 to 2; 9 does not apply';
COMMENT ON COLUMN cms.rvu.team_surgery IS 'Rule for team surgery (modifier 66), 0 to 2; 9 does not apply';
COMMENT ON COLUMN cms.rvu.endo_base IS 'Base code of the endoscopic family';
COMMENT ON COLUMN cms.rvu.conversion_factor IS 'Dollars per relative value unit';
COMMENT ON COLUMN cms.rvu.diagnostic_supervision IS
  'Level of physician supervision of a diagnostic procedure';
COMMENT ON COLUMN cms.rvu.calculation_flag IS 'Calculation flag, as published';
COMMENT ON COLUMN cms.rvu.diagnostic_imaging_family IS '88 subject to the imaging reduction, 99 not';
COMMENT ON COLUMN cms.rvu.nonfac_pe_opps IS
  'Non-facility practice expense of the OPPS cap; all three zero is no cap';
COMMENT ON COLUMN cms.rvu.fac_pe_opps IS 'Facility practice expense of the OPPS cap';
COMMENT ON COLUMN cms.rvu.mp_opps IS 'Malpractice of the OPPS cap';
COMMENT ON COLUMN cms.rvu.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN cms.rvu.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE cms.rvu;

-- rivulet:verify
SELECT release, cf_class, hcpcs, modifier, description, status_code, not_used_for_medicare, work_rvu,
  nonfac_pe_rvu, nonfac_na, fac_pe_rvu, fac_na, mp_rvu, nonfac_total, fac_total, pctc_indicator, global_days,
  pre_op, intra_op, post_op, multiple_procedure, bilateral_surgery, assistant_surgery, co_surgeons,
  team_surgery, endo_base, conversion_factor, diagnostic_supervision, calculation_flag,
  diagnostic_imaging_family, nonfac_pe_opps, fac_pe_opps, mp_opps, source_file_id, source_line
FROM cms.rvu WHERE false;

SELECT 1 / (pg_get_partkeydef('cms.rvu'::regclass) = 'LIST (release)')::int;

SELECT 1 / count(*) FROM pg_constraint
WHERE conrelid = 'cms.rvu'::regclass AND conname = 'rvu_key'
  AND pg_get_constraintdef(oid) = 'PRIMARY KEY (release, cf_class, hcpcs, modifier)';
