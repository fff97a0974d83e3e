extension CatalogSchema {
  /// Derived views, what they are computed from, and what has changed there.
  ///
  /// A recorded refresh does not refer to its view by a foreign key, whose check would cost more than all
  /// else that is recorded; what removes a view removes its refreshes.
  static let views = """
    CREATE TABLE rivulet.view_grant (
      view text NOT NULL,
      grantee text NOT NULL,
      privilege text NOT NULL,
      grantable boolean NOT NULL,
      PRIMARY KEY (view, grantee, privilege));
    COMMENT ON TABLE rivulet.view_grant IS
      'What was granted on a view that is dropped for now, to be granted again when it is made again.';

    CREATE TABLE rivulet.view_setting (
      view text NOT NULL,
      position int NOT NULL,
      statement text NOT NULL,
      PRIMARY KEY (view, position));
    COMMENT ON TABLE rivulet.view_setting IS
      'Indexes and comments that users have put on a view that is dropped for now, to be put there again.';

    CREATE TABLE rivulet.view (
      name text PRIMARY KEY,
      definition_hash text NOT NULL,
      strategy text NOT NULL,
      built_at timestamptz NOT NULL DEFAULT now(),
      number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      file text,
      description text,
      readers text[] NOT NULL DEFAULT '{}',
      definition text,
      key_columns text[] NOT NULL DEFAULT '{}',
      fresh_for interval,
      code text,
      own_indexes text[] NOT NULL DEFAULT '{}',
      follows_date boolean NOT NULL DEFAULT false,
      warnings text[] NOT NULL DEFAULT '{}',
      sums_reason text,
      refreshed_at timestamptz,
      as_of date,
      rows bigint,
      groups bigint,
      functions oid[],
      relations oid[]);
    COMMENT ON TABLE rivulet.view IS 'Derived views that the program has made.';
    COMMENT ON COLUMN rivulet.view.number IS 'Names what belongs to the view: queues, functions, triggers.';
    COMMENT ON COLUMN rivulet.view.definition IS 'The SELECT as it was made, with {keys} in its place.';
    COMMENT ON COLUMN rivulet.view.follows_date IS 'It depends on rivulet.today(), directly or through another view.';
    COMMENT ON COLUMN rivulet.view.sums_reason IS 'Why statements do not add up what they change, where they do not.';
    COMMENT ON COLUMN rivulet.view.code IS 'What rivulet.view_code gave of them when all of it was computed last.';
    COMMENT ON COLUMN rivulet.view.own_indexes IS 'The indexes that the program has made; others are somebody''s own.';
    COMMENT ON COLUMN rivulet.view.refreshed_at IS 'When what it shows was true; null until it is filled.';
    COMMENT ON COLUMN rivulet.view.as_of IS 'The date that it was computed for.';
    COMMENT ON COLUMN rivulet.view.functions IS 'The functions that it was computed with when all of it was computed last.';
    COMMENT ON COLUMN rivulet.view.relations IS 'The tables and plain views, likewise.';

    CREATE TABLE rivulet.view_source (
      view text NOT NULL REFERENCES rivulet.view ON DELETE CASCADE,
      source text NOT NULL,
      position int NOT NULL,
      change text NOT NULL CHECK (change IN ('groups', 'rebuild', 'untracked')),
      capture text[] NOT NULL DEFAULT '{}',
      adds text CHECK (adds IN ('sums', 'rows')),
      uses text[] NOT NULL DEFAULT '{}',
      queue text,
      partitions text[] NOT NULL DEFAULT '{}',
      releases text[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (view, source));
    CREATE INDEX view_source_source_idx ON rivulet.view_source (source);
    COMMENT ON TABLE rivulet.view_source IS 'What a view is computed from, and what a change of it means.';
    COMMENT ON COLUMN rivulet.view_source.adds IS
      'Its changes are added up, by the statements that make them (sums) or by the refresh (rows); null where they are not.';
    COMMENT ON COLUMN rivulet.view_source.uses IS 'The columns that its triggers read, where changes are added up.';
    COMMENT ON COLUMN rivulet.view_source.queue IS 'The table that holds what was captured of changed rows.';
    COMMENT ON COLUMN rivulet.view_source.partitions IS
      'The tables under the source whose rows come by no publishing, when the view was refreshed last; by their numbers.';
    COMMENT ON COLUMN rivulet.view_source.releases IS
      'The tables of releases whose rows are added up in what is stored of the view; by their numbers.';

    CREATE TABLE rivulet.view_mark (
      mark bigint GENERATED ALWAYS AS IDENTITY,
      view text NOT NULL,
      source text NOT NULL,
      release text,
      partition text,
      reason text NOT NULL);
    CREATE INDEX view_mark_view_idx ON rivulet.view_mark (view);
    COMMENT ON TABLE rivulet.view_mark IS
      'What else must be computed again at the next refresh: the rows of a release that came or went, or everything.';
    COMMENT ON COLUMN rivulet.view_mark.partition IS
      'The table whose rows came or went; null where everything is meant.';

    CREATE TABLE rivulet.view_refresh (
      view text NOT NULL,
      refresh bigint GENERATED ALWAYS AS IDENTITY,
      kind text NOT NULL CHECK (kind IN ('full', 'incremental')),
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      seconds double precision NOT NULL,
      groups bigint,
      inserted bigint NOT NULL,
      updated bigint NOT NULL,
      deleted bigint NOT NULL,
      PRIMARY KEY (view, refresh));
    COMMENT ON TABLE rivulet.view_refresh IS 'The last refreshes of each view.';

    """

  /// What the program asks the server about a view, and what its triggers call.
  static let viewFunctions = """
    CREATE FUNCTION rivulet.relation(text) RETURNS regclass STABLE LANGUAGE sql AS $$
      SELECT pg_catalog.to_regclass(pg_catalog.quote_ident(pg_catalog.split_part($1, '.', 1)) || '.'
        || pg_catalog.quote_ident(pg_catalog.split_part($1, '.', 2)))
    $$;
    COMMENT ON FUNCTION rivulet.relation(text) IS
      'The table or view of a name as this schema holds names: schema.name, in no quotes. Null where there is none.';

    CREATE FUNCTION rivulet.view_uses(regclass) RETURNS TABLE (class oid, id oid)
      STABLE SET search_path = pg_catalog LANGUAGE sql AS $$
      WITH RECURSIVE uses(class, id) AS (
        SELECT 'pg_rewrite'::regclass::oid, oid FROM pg_rewrite WHERE ev_class = $1
        UNION
        SELECT next.class, next.id FROM uses u
        JOIN pg_depend d ON d.classid = u.class AND d.objid = u.id AND d.deptype = 'n'
        CROSS JOIN LATERAL (
          SELECT d.refclassid, d.refobjid
          UNION ALL
          SELECT 'pg_rewrite'::regclass, r.oid FROM pg_rewrite r
          JOIN pg_class c ON c.oid = r.ev_class AND c.relkind = 'v'
          WHERE d.refclassid = 'pg_class'::regclass AND r.ev_class = d.refobjid
        ) next(class, id)
        WHERE u.class IN ('pg_rewrite'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass))
      SELECT class, id FROM uses WHERE class <> 'pg_rewrite'::regclass
    $$;
    COMMENT ON FUNCTION rivulet.view_uses(regclass) IS
      'What a view is computed from, as the server knows it: through plain views, and functions whose bodies it has parsed.';

    -- What a view uses follows from what is digested here: while that is the same, it uses the same.
    CREATE FUNCTION rivulet.view_code(regclass, functions oid[], relations oid[]) RETURNS text
      STABLE SET search_path = pg_catalog LANGUAGE sql AS $$
      SELECT md5(string_agg(code, '' ORDER BY code)) FROM (
        SELECT concat(oid, prosrc, prosqlbody, proargdefaults) FROM pg_proc WHERE oid = ANY (functions)
        UNION ALL
        -- The view itself may be made again as it was, under another number.
        SELECT CASE ev_class WHEN $1 THEN replace(ev_action::text, format(':relid %s ', $1::oid), '')
          ELSE concat(ev_class, ev_action) END
        FROM pg_rewrite WHERE (ev_class = $1 OR ev_class = ANY (relations)) AND ev_type = '1'
        UNION ALL
        -- A name that is another table's by now means other rows.
        SELECT concat_ws(' ', oid, relnamespace, relname) FROM pg_class WHERE oid = ANY (relations)
        UNION ALL
        -- A whole row means what its table has.
        SELECT concat_ws(' ', attrelid, attnum, attname, atttypid)
        FROM pg_attribute WHERE attrelid = ANY (relations) AND attnum > 0 AND NOT attisdropped) used(code)
    $$;
    COMMENT ON FUNCTION rivulet.view_code(regclass, oid[], oid[]) IS
      'A digest of a view, of the functions and plain views that it is computed with, and of the names and columns of its tables.';

    -- The server (15 to 18) gives wrong transition tables to a MERGE with an UPDATE action into a partitioned
    -- table: a row that goes to another partition is missing and, up to 15.18, 16.15, 17.11 and 18.6 at least, an
    -- updated row is what was inserted before it.
    -- Nothing says which statement it is but its text, where that can be had; else it may be one.
    CREATE FUNCTION rivulet.may_be_merge(relation oid, context text) RETURNS boolean
      LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
      SELECT (concat_ws(E'\\n', current_query(), context) ~* '\\mmerge\\M'
          OR context ~ 'SQL function "'
          -- The line of an SQL function, which has no text, may be in another language.
          OR position(E'\\n' IN context) > 0 AND current_setting('lc_messages') !~ '^(C|POSIX|en)'
          OR current_query() ~* '\\mexecute\\M'
            AND EXISTS (SELECT FROM pg_prepared_statements WHERE statement ~* '\\mmerge\\M'))
        AND EXISTS (SELECT FROM pg_class WHERE oid = relation AND relkind = 'p')
    $$;
    COMMENT ON FUNCTION rivulet.may_be_merge(oid, text) IS
      'Whether a statement that updates a table may be a MERGE into a partitioned one, by what PG_CONTEXT says in its trigger.';

    CREATE FUNCTION rivulet.mark_view() RETURNS trigger
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        marked constant text := 'rivulet.marked_' || TG_ARGV[2];
        this constant text := pg_current_xact_id()::text;
        context text;
      BEGIN
        -- Once a transaction is enough; a savepoint that is rolled back restores the setting too.
        IF current_setting(marked, true) = this THEN RETURN NULL; END IF;
        IF TG_OP <> 'TRUNCATE' THEN
          GET DIAGNOSTICS context = PG_CONTEXT;
          IF NOT EXISTS (SELECT FROM changed) AND NOT (TG_OP = 'UPDATE' AND rivulet.may_be_merge(TG_RELID, context)) THEN
            RETURN NULL;
          END IF;
        END IF;
        INSERT INTO rivulet.view_mark (view, source, reason)
        VALUES (TG_ARGV[0], TG_ARGV[1], CASE TG_OP WHEN 'TRUNCATE' THEN 'truncated' ELSE 'changed' END);
        PERFORM set_config(marked, this, true);
        RETURN NULL;
      END
    $$;
    COMMENT ON FUNCTION rivulet.mark_view() IS
      'Asks for a view to be computed as a whole: a trigger with the view, the source and the number of both.';

    -- What was computed, and what triggers add up, is of days and times of the zone before.
    CREATE FUNCTION rivulet.follow_time_zone() RETURNS trigger SET search_path = pg_catalog, pg_temp
      LANGUAGE plpgsql AS $$
      DECLARE capture regprocedure;
      BEGIN
        FOR capture IN SELECT p.oid FROM pg_proc p, unnest(p.proconfig) setting
          WHERE p.pronamespace = 'rivulet'::regnamespace AND p.proname LIKE 'capture\\_%' AND setting ILIKE 'timezone=%'
        LOOP
          EXECUTE format('ALTER FUNCTION %s SET timezone = %L', capture, NEW.value);
        END LOOP;
        INSERT INTO rivulet.view_mark (view, source, reason)
        SELECT name, 'the project', 'given another time zone' FROM rivulet.view WHERE strategy <> 'live';
        RETURN NULL;
      END
    $$;
    COMMENT ON FUNCTION rivulet.follow_time_zone() IS
      'Has every stored view computed again, and changes added up in the new time zone.';
    CREATE TRIGGER follow_time_zone AFTER UPDATE ON rivulet.setting FOR EACH ROW
      WHEN (NEW.name = 'time_zone' AND NEW.value <> OLD.value) EXECUTE FUNCTION rivulet.follow_time_zone();

    CREATE FUNCTION rivulet.wake() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      \(WatchSignal.wake())
      RETURN NULL;
    END
    $$;
    COMMENT ON FUNCTION rivulet.wake() IS
      'Wakes the session that watches for changes, where it sleeps.';

    -- ALWAYS: also what a session marks that pretends to be a replica.
    CREATE TRIGGER wake AFTER INSERT ON rivulet.view_mark FOR EACH STATEMENT EXECUTE FUNCTION rivulet.wake();
    ALTER TABLE rivulet.view_mark ENABLE ALWAYS TRIGGER wake;

    """
}
