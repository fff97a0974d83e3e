/// The fifth version of schema `rivulet`: derived views that are stored, what they are computed from, and what has
/// changed there.
enum CatalogStep5 {
  static let sql = """
    CREATE OR REPLACE FUNCTION rivulet.today() RETURNS date STABLE PARALLEL SAFE LANGUAGE sql AS $$
      SELECT coalesce(nullif(current_setting('rivulet.on_date', true), '')::date,
        (now() AT TIME ZONE coalesce((SELECT value FROM rivulet.setting WHERE name = 'time_zone'), 'UTC'))::date)
    $$;
    COMMENT ON FUNCTION rivulet.today() IS
      'The date now, in the time zone of the project; or the date that the setting rivulet.on_date holds.';

    ALTER TABLE rivulet.view
      ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      ADD COLUMN file text,
      ADD COLUMN description text,
      ADD COLUMN readers text[] NOT NULL DEFAULT '{}',
      ADD COLUMN definition text,
      ADD COLUMN key_columns text[] NOT NULL DEFAULT '{}',
      ADD COLUMN fresh_for interval,
      ADD COLUMN code text,
      ADD COLUMN own_indexes text[] NOT NULL DEFAULT '{}',
      ADD COLUMN follows_date boolean NOT NULL DEFAULT false,
      ADD COLUMN warnings text[] NOT NULL DEFAULT '{}',
      ADD COLUMN refreshed_at timestamptz,
      ADD COLUMN as_of date,
      ADD COLUMN rows bigint,
      ADD COLUMN groups bigint;
    COMMENT ON COLUMN rivulet.view.number IS 'Names what belongs to the view: queues, functions, triggers.';
    COMMENT ON COLUMN rivulet.view.definition IS 'The SELECT as it was made, with {keys} in its place.';
    COMMENT ON COLUMN rivulet.view.follows_date IS 'It depends on rivulet.today(), directly or through another view.';
    COMMENT ON COLUMN rivulet.view.code IS
      'What rivulet.view_code gave when all of it was computed last.';
    COMMENT ON COLUMN rivulet.view.own_indexes IS 'The indexes that the program has made; others are somebody''s own.';
    COMMENT ON COLUMN rivulet.view.refreshed_at IS 'When what it shows was true; null until it is filled.';
    COMMENT ON COLUMN rivulet.view.as_of IS 'The date that it was computed for.';

    CREATE TABLE rivulet.view_source (
      view text NOT NULL REFERENCES rivulet.view ON DELETE CASCADE,
      source text NOT NULL,
      position int NOT NULL,
      change text NOT NULL CHECK (change IN ('groups', 'rebuild', 'untracked')),
      capture text[] NOT NULL DEFAULT '{}',
      queue text,
      partitions text[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (view, source));
    CREATE INDEX view_source_source_idx ON rivulet.view_source (source);
    COMMENT ON TABLE rivulet.view_source IS 'What a view is computed from, and what a change of it means.';
    COMMENT ON COLUMN rivulet.view_source.queue IS 'The table that holds what was captured of changed rows.';
    COMMENT ON COLUMN rivulet.view_source.partitions IS
      'The tables under the source whose rows come by no publishing, when the view was refreshed last; by their numbers.';

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
      view text NOT NULL REFERENCES rivulet.view ON DELETE CASCADE,
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

    CREATE TABLE rivulet.view_keepsake (
      view text NOT NULL,
      position int NOT NULL,
      statement text NOT NULL,
      PRIMARY KEY (view, position));
    COMMENT ON TABLE rivulet.view_keepsake IS
      'What somebody has put on a view that is out of the way, indexes and comments, to be put there again.';

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
    CREATE FUNCTION rivulet.view_code(regclass) RETURNS text
      STABLE SET search_path = pg_catalog LANGUAGE sql AS $$
      WITH uses AS MATERIALIZED (SELECT class, id FROM rivulet.view_uses($1) WHERE id <> $1)
      SELECT md5(string_agg(code, '' ORDER BY code)) FROM (
        SELECT p.oid || p.prosrc || coalesce(pg_get_function_sqlbody(p.oid), '')
        FROM uses u JOIN pg_proc p ON u.class = 'pg_proc'::regclass AND p.oid = u.id
        UNION ALL
        SELECT c.oid || pg_get_viewdef(c.oid)
        FROM uses u JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id
        WHERE c.relkind = 'v'
        UNION ALL
        -- A whole row means what its table has.
        SELECT a.attrelid || ' ' || a.attnum || ' ' || a.attname || ' ' || a.atttypid
        FROM uses u JOIN pg_attribute a ON u.class = 'pg_class'::regclass AND a.attrelid = u.id
        WHERE a.attnum > 0 AND NOT a.attisdropped) used(code)
    $$;
    COMMENT ON FUNCTION rivulet.view_code(regclass) IS
      'A digest of the functions and plain views that a view is computed with, and of the columns of its tables.';

    CREATE FUNCTION rivulet.mark_view() RETURNS trigger
      SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
      DECLARE
        marked constant text := 'rivulet.marked_' || TG_ARGV[2];
        this constant text := pg_current_xact_id()::text;
      BEGIN
        -- Once a transaction is enough; a savepoint that is rolled back takes the setting back too.
        IF current_setting(marked, true) = this THEN RETURN NULL; END IF;
        IF TG_OP <> 'TRUNCATE' THEN
          IF NOT EXISTS (SELECT FROM changed) THEN RETURN NULL; END IF;
        END IF;
        INSERT INTO rivulet.view_mark (view, source, reason)
        VALUES (TG_ARGV[0], TG_ARGV[1], CASE TG_OP WHEN 'TRUNCATE' THEN 'truncated' ELSE 'changed' END);
        PERFORM set_config(marked, this, true);
        RETURN NULL;
      END
    $$;
    COMMENT ON FUNCTION rivulet.mark_view() IS
      'Asks for a view to be computed as a whole: a trigger with the view, the source and the number of both.';
    REVOKE ALL ON FUNCTION rivulet.mark_view() FROM PUBLIC;
    """
}
