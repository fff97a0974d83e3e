-- Routines over providers in forms that also do where those are distributed over several servers: Citus joins nothing of
-- theirs with tables of one of them, runs no SQL function with parameters, and no two commands in one string.
-- rivulet:datasets nppes

-- rivulet:up
CREATE OR REPLACE FUNCTION mart.npi_deactivated_since(since date)
  RETURNS TABLE (npi bigint, deactivated_on date, deactivation_reason text, replacement_npi bigint)
  LANGUAGE plpgsql STABLE PARALLEL SAFE
  -- A text, not a parsed body: the schema of the releases is the program's, and no part of a dump.
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH shown AS MATERIALIZED (SELECT release FROM rivulet.current_release WHERE pipeline = 'nppes'),
  known AS MATERIALIZED (
    SELECT p.source_id, p.npi, p.deactivated_on, p.reactivated_on, p.deactivation_reason, p.replacement_npi
    FROM directory.provider p
    WHERE p.release = (SELECT release FROM shown) AND (p.deactivated_on IS NOT NULL OR p.reactivated_on IS NOT NULL))
  SELECT p.npi, p.deactivated_on, p.deactivation_reason, p.replacement_npi
  FROM known p
  WHERE p.deactivated_on >= since AND (p.reactivated_on IS NULL OR p.reactivated_on < p.deactivated_on)
  UNION ALL
  -- What the report alone tells: not of an NPI that its record calls deactivated too, or active again since.
  SELECT d.npi, d.deactivated_on, NULL, NULL
  FROM directory.npi_deactivation d
  WHERE d.release = (SELECT release FROM shown) AND d.deactivated_on >= since
    AND NOT EXISTS (
      SELECT FROM known p
      WHERE p.source_id = d.npi::text
        AND (p.reactivated_on >= d.deactivated_on
          OR p.deactivated_on IS NOT NULL AND (p.reactivated_on IS NULL OR p.reactivated_on < p.deactivated_on)));
END
$$;

CREATE OR REPLACE PROCEDURE directory.add_search_indexes() LANGUAGE plpgsql AS $$
BEGIN
  CREATE INDEX IF NOT EXISTS provider_name_search_idx ON directory.provider_name
    (directory.search_key(coalesce(organization, last_name || coalesce(' ' || first_name, ''))) text_pattern_ops);
  CREATE INDEX IF NOT EXISTS provider_address_postal_code_idx ON directory.provider_address (postal_code text_pattern_ops)
    WHERE use = 'practice';
  CREATE INDEX IF NOT EXISTS provider_taxonomy_taxonomy_idx ON directory.provider_taxonomy (taxonomy text_pattern_ops);
END
$$;

CREATE OR REPLACE PROCEDURE directory.drop_search_indexes() LANGUAGE plpgsql AS $$
BEGIN
  DROP INDEX IF EXISTS directory.provider_name_search_idx;
  DROP INDEX IF EXISTS directory.provider_address_postal_code_idx;
  DROP INDEX IF EXISTS directory.provider_taxonomy_taxonomy_idx;
END
$$;

-- rivulet:down
CREATE OR REPLACE PROCEDURE directory.drop_search_indexes() LANGUAGE sql AS $$
  DROP INDEX IF EXISTS directory.provider_name_search_idx;
  DROP INDEX IF EXISTS directory.provider_address_postal_code_idx;
  DROP INDEX IF EXISTS directory.provider_taxonomy_taxonomy_idx;
$$;

CREATE OR REPLACE PROCEDURE directory.add_search_indexes() LANGUAGE sql AS $$
  CREATE INDEX IF NOT EXISTS provider_name_search_idx ON directory.provider_name
    (directory.search_key(coalesce(organization, last_name || coalesce(' ' || first_name, ''))) text_pattern_ops);
  CREATE INDEX IF NOT EXISTS provider_address_postal_code_idx ON directory.provider_address (postal_code text_pattern_ops)
    WHERE use = 'practice';
  CREATE INDEX IF NOT EXISTS provider_taxonomy_taxonomy_idx ON directory.provider_taxonomy (taxonomy text_pattern_ops);
$$;

CREATE OR REPLACE FUNCTION mart.npi_deactivated_since(since date)
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

-- rivulet:verify
SELECT 1 / (count(*) = 0)::int FROM mart.npi_deactivated_since('infinity');
