-- What is known of a provider on a day, for who asks whether one may pay; and how names are compared where one is looked
-- for.
-- rivulet:datasets nppes

-- rivulet:up
-- rivulet:allow index-without-concurrently runs alone write the table, when changes are merged
CREATE INDEX provider_history_npi_idx ON directory.provider_history (npi);

CREATE FUNCTION directory.standing_on(npi bigint, day date)
  RETURNS TABLE (active boolean, deactivated boolean, excluded boolean, opted_out boolean, enrolled boolean,
    may_order_and_refer boolean)
  -- Not SQL, whose body the server would look at now: the view is made when all migrations are applied.
  LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH said AS (
    SELECT coalesce(array_agg(s.standing), '{}') AS standings
    FROM directory.provider_standing s
    WHERE s.npi = $1 AND s.from_day <= $2 AND (s.to_day IS NULL OR s.to_day >= $2)
  ), loaded AS (
    -- The lists of who is enrolled and who may order say nothing of days before theirs.
    SELECT coalesce(array_agg(r.pipeline) FILTER (
        WHERE r.pipeline NOT IN ('cms-enrolment', 'cms-order-referring') OR r.effective_from <= $2), '{}') AS pipelines
    FROM rivulet.current_release r
  )
  SELECT
    CASE
      WHEN 'nppes' <> ALL (l.pipelines) THEN NULL
      WHEN 'active' = ANY (s.standings) THEN true
      WHEN 'deactivated' = ANY (s.standings) THEN false
      -- Of a deactivated NPI nobody may know any more since when it was active.
      WHEN EXISTS (
        SELECT FROM directory.provider p
        WHERE p.npi = $1 AND p.enumerated_on IS NULL
          AND p.release = (SELECT c.release FROM rivulet.current_release c WHERE c.pipeline = 'nppes')) THEN NULL
      ELSE false
    END,
    CASE WHEN 'nppes' = ANY (l.pipelines) THEN 'deactivated' = ANY (s.standings) END,
    CASE WHEN 'oig-leie' = ANY (l.pipelines) THEN 'excluded' = ANY (s.standings) END,
    CASE WHEN 'cms-opt-out' = ANY (l.pipelines) THEN 'opted_out' = ANY (s.standings) END,
    CASE WHEN 'cms-enrolment' = ANY (l.pipelines) THEN 'enrolled' = ANY (s.standings) END,
    CASE WHEN 'cms-order-referring' = ANY (l.pipelines) THEN 'may_order_and_refer' = ANY (s.standings) END
  FROM said s, loaded l;
END
$$;
COMMENT ON FUNCTION directory.standing_on IS
  'One row for an NPI and a day: what the current releases say; null where the source is not loaded, or says nothing of that day';

CREATE FUNCTION directory.search_key(name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(btrim(translate(upper(name),
    'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ-''’`.,"()%_\', 'AAAAAACEEEEIIIINOOOOOOUUUUY ')), '');
COMMENT ON FUNCTION directory.search_key IS
  'A name as it is looked for, without case, accents and punctuation: O''Neil-Díaz, Ana is ONEIL DIAZ ANA';

CREATE FUNCTION directory.last_name_first(name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(btrim(name), '^(.*\S)\s+(\S+)$', '\2 \1');
COMMENT ON FUNCTION directory.last_name_first IS 'A name with its last word first: Ana Neil is Neil Ana';

-- rivulet:down
DROP FUNCTION directory.last_name_first(text);
DROP FUNCTION directory.search_key(text);
DROP FUNCTION directory.standing_on(bigint, date);
DROP INDEX directory.provider_history_npi_idx;

-- rivulet:verify
SELECT 1 / (count(*) = 1)::int FROM pg_proc
WHERE proname = 'standing_on' AND pronamespace = 'directory'::regnamespace AND provolatile = 's';

SELECT 1 / (directory.search_key('O''Neil-Díaz, Ana') = 'ONEIL DIAZ ANA'
  AND directory.last_name_first('Ana Neil') = 'Neil Ana')::int;
