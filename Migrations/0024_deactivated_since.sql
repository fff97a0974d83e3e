-- Which NPIs have been deactivated since a day: by the records of the current NPPES release, or by the report beside it.
-- rivulet:datasets nppes

-- rivulet:up
-- rivulet:allow citus-sql-function 0058 replaces it before 0060 distributes providers
CREATE FUNCTION mart.npi_deactivated_since(since date)
  RETURNS TABLE (npi bigint, deactivated_on date, deactivation_reason text, replacement_npi bigint)
  LANGUAGE sql STABLE PARALLEL SAFE
  -- A text, not a parsed body: the schema of the releases is the program's, and no part of a dump.
AS $$
  SELECT p.npi, p.deactivated_on, p.deactivation_reason, p.replacement_npi
  FROM directory.provider p
  WHERE p.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nppes')
    AND p.deactivated_on >= since
    AND (p.reactivated_on IS NULL OR p.reactivated_on < p.deactivated_on)
  UNION ALL
  -- What the report alone tells: not of an NPI that its record calls deactivated too, or active again since.
  SELECT d.npi, d.deactivated_on, NULL, NULL
  FROM directory.npi_deactivation d
  WHERE d.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nppes')
    AND d.deactivated_on >= since
    AND NOT EXISTS (
      SELECT FROM directory.provider p
      WHERE p.release = d.release AND p.source_id = d.npi::text
        AND (p.reactivated_on >= d.deactivated_on
          OR p.deactivated_on IS NOT NULL AND (p.reactivated_on IS NULL OR p.reactivated_on < p.deactivated_on)))
$$;
COMMENT ON FUNCTION mart.npi_deactivated_since IS
  'NPIs deactivated on that day or later, and not activated again, by the current NPPES release';

-- rivulet:down
DROP FUNCTION mart.npi_deactivated_since(date);

-- rivulet:verify
SELECT 1 / (count(*) = 0)::int FROM mart.npi_deactivated_since('infinity');
