-- What files of other years have more: from 2026 a pricing indicator and a second anaesthesia factor; around 2010
-- practice expense twice.
-- rivulet:datasets cms-rvu

-- rivulet:up
-- A superseded revision keeps its table beside the partitions, for rolling back, and must stay like them.
DO $$
DECLARE
  place regclass;
BEGIN
  FOR place IN
    SELECT 'cms.rvu'::regclass
    UNION ALL
    SELECT c.oid FROM rivulet.release_table t JOIN pg_class c ON c.oid = to_regclass(t.partition)
    WHERE t.target = 'cms.rvu' AND NOT c.relispartition
  LOOP
    EXECUTE format('ALTER TABLE %s
      ADD COLUMN pricing_indicator text,
      ADD COLUMN nonfac_pe_rvu_full numeric(8,2),
      ADD COLUMN nonfac_na_full boolean,
      ADD COLUMN fac_pe_rvu_full numeric(8,2),
      ADD COLUMN fac_na_full boolean,
      ADD COLUMN nonfac_total_full numeric(8,2),
      ADD COLUMN fac_total_full numeric(8,2)', place);
  END LOOP;
  FOR place IN
    SELECT 'cms.anesthesia_cf'::regclass
    UNION ALL
    SELECT c.oid FROM rivulet.release_table t JOIN pg_class c ON c.oid = to_regclass(t.partition)
    WHERE t.target = 'cms.anesthesia_cf' AND NOT c.relispartition
  LOOP
    EXECUTE format('ALTER TABLE %s ADD COLUMN qp_conversion_factor numeric(8,4)', place);
  END LOOP;
END
$$;

COMMENT ON COLUMN cms.rvu.pricing_indicator IS
  'From 2026, one value a file: 9 in that of most clinicians, 1 in that of qualifying ones';
COMMENT ON COLUMN cms.rvu.nonfac_pe_rvu_full IS
  'Practice expense, non-facility, as if fully phased in; not paid. Only where a file has both';
COMMENT ON COLUMN cms.rvu.nonfac_na_full IS 'NA beside the fully implemented non-facility practice expense';
COMMENT ON COLUMN cms.rvu.fac_pe_rvu_full IS
  'Practice expense, facility, as if fully phased in; not paid. Only where a file has both';
COMMENT ON COLUMN cms.rvu.fac_na_full IS 'NA beside the fully implemented facility practice expense';
COMMENT ON COLUMN cms.rvu.nonfac_total_full IS 'Non-facility total with the fully implemented practice expense';
COMMENT ON COLUMN cms.rvu.fac_total_full IS 'Facility total with the fully implemented practice expense';
COMMENT ON COLUMN cms.anesthesia_cf.qp_conversion_factor IS
  'From 2026, the factor of qualifying clinicians, where conversion_factor is that of the others';

-- rivulet:down
DO $$
DECLARE
  place regclass;
BEGIN
  FOR place IN
    SELECT 'cms.rvu'::regclass
    UNION ALL
    SELECT c.oid FROM rivulet.release_table t JOIN pg_class c ON c.oid = to_regclass(t.partition)
    WHERE t.target = 'cms.rvu' AND NOT c.relispartition
  LOOP
    EXECUTE format('ALTER TABLE %s
      DROP COLUMN pricing_indicator,
      DROP COLUMN nonfac_pe_rvu_full,
      DROP COLUMN nonfac_na_full,
      DROP COLUMN fac_pe_rvu_full,
      DROP COLUMN fac_na_full,
      DROP COLUMN nonfac_total_full,
      DROP COLUMN fac_total_full', place);
  END LOOP;
  FOR place IN
    SELECT 'cms.anesthesia_cf'::regclass
    UNION ALL
    SELECT c.oid FROM rivulet.release_table t JOIN pg_class c ON c.oid = to_regclass(t.partition)
    WHERE t.target = 'cms.anesthesia_cf' AND NOT c.relispartition
  LOOP
    EXECUTE format('ALTER TABLE %s DROP COLUMN qp_conversion_factor', place);
  END LOOP;
END
$$;

-- rivulet:verify
SELECT pricing_indicator, nonfac_pe_rvu_full, nonfac_na_full, fac_pe_rvu_full, fac_na_full, nonfac_total_full,
  fac_total_full
FROM cms.rvu WHERE false;

SELECT qp_conversion_factor FROM cms.anesthesia_cf WHERE false;
