/// The first version of schema `rivulet`.
enum CatalogStep1 {
  static let sql = """
    COMMENT ON SCHEMA rivulet IS 'What rivulet itself keeps: history, ledger, releases. Made by the program.';

    CREATE TABLE rivulet.setting (
      name text PRIMARY KEY,
      value text NOT NULL);
    COMMENT ON TABLE rivulet.setting IS 'Settings of the project that live views and jobs must agree on.';

    CREATE FUNCTION rivulet.today() RETURNS date STABLE PARALLEL SAFE LANGUAGE sql AS $$
      SELECT (now() AT TIME ZONE coalesce(
        (SELECT value FROM rivulet.setting WHERE name = 'time_zone'), 'UTC'))::date
    $$;
    COMMENT ON FUNCTION rivulet.today() IS 'The date now, in the time zone of the project.';

    CREATE TABLE rivulet.migration (
      position bigint GENERATED ALWAYS AS IDENTITY,
      kind text NOT NULL CHECK (kind IN ('versioned', 'repeatable')),
      version text NOT NULL,
      name text NOT NULL,
      checksum text NOT NULL,
      up_sql text NOT NULL,
      down_sql text,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      applied_by text NOT NULL DEFAULT session_user,
      seconds double precision NOT NULL,
      PRIMARY KEY (kind, version));
    COMMENT ON TABLE rivulet.migration IS 'Migrations that have been applied, with their text.';

    CREATE TABLE rivulet.run (
      run bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      pipeline text NOT NULL,
      release text,
      revision int,
      state text NOT NULL CHECK (state IN ('running', 'published', 'staged', 'merged', 'unchanged',
        'refused', 'failed', 'dry_run', 'interrupted')),
      definition_hash text NOT NULL,
      program_version text NOT NULL,
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      finished_at timestamptz,
      error text);
    CREATE INDEX run_pipeline_idx ON rivulet.run (pipeline, release, run);
    COMMENT ON TABLE rivulet.run IS 'The ledger: one row a run that got as far as knowing its release.';

    CREATE TABLE rivulet.run_stage (
      run bigint NOT NULL REFERENCES rivulet.run,
      stage text NOT NULL,
      seconds double precision NOT NULL,
      records bigint,
      PRIMARY KEY (run, stage));

    CREATE TABLE rivulet.source_file (
      source_file_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      run bigint NOT NULL REFERENCES rivulet.run,
      source text NOT NULL,
      file text NOT NULL,
      entry text,
      file_sha256 text NOT NULL,
      sha256 text,
      bytes bigint,
      layout text,
      records_read bigint,
      records_loaded bigint,
      records_rejected bigint,
      records_skipped bigint,
      skipped_by jsonb NOT NULL DEFAULT '{}',
      targets jsonb NOT NULL DEFAULT '{}',
      CONSTRAINT source_file_adds_up
        CHECK (records_read = records_loaded + records_rejected + records_skipped));
    CREATE INDEX source_file_run_idx ON rivulet.source_file (run);
    COMMENT ON TABLE rivulet.source_file IS
      'Where rows come from; published rows name it by source_file_id.';

    CREATE TABLE rivulet.gate_result (
      run bigint NOT NULL REFERENCES rivulet.run,
      rule text NOT NULL,
      severity text NOT NULL CHECK (severity IN ('fail', 'warn', 'skip')),
      passed boolean NOT NULL,
      found bigint NOT NULL,
      PRIMARY KEY (run, rule));

    CREATE TABLE rivulet.reject (
      reject bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      source_file_id bigint NOT NULL REFERENCES rivulet.source_file,
      line bigint NOT NULL,
      byte_offset bigint NOT NULL,
      column_name text,
      rule text NOT NULL,
      raw bytea NOT NULL);
    CREATE INDEX reject_source_idx ON rivulet.reject (source_file_id);
    REVOKE ALL ON rivulet.reject FROM PUBLIC;
    COMMENT ON TABLE rivulet.reject IS
      'Records that were refused, as they stood in their source; for the owner and the loader only.';

    CREATE TABLE rivulet.release (
      pipeline text NOT NULL,
      release text NOT NULL,
      revision int NOT NULL CHECK (revision > 0),
      effective_from date,
      effective_to date,
      replaces text,
      missing_tables text[] NOT NULL DEFAULT '{}',
      state text NOT NULL CHECK (state IN ('staged', 'published', 'superseded', 'withdrawn')),
      run bigint NOT NULL REFERENCES rivulet.run,
      published_at timestamptz,
      PRIMARY KEY (pipeline, release, revision));
    CREATE UNIQUE INDEX release_published_key ON rivulet.release (pipeline, release)
      WHERE state = 'published';
    COMMENT ON TABLE rivulet.release IS
      'Releases and their revisions; of each release at most one revision is published.';

    CREATE TABLE rivulet.release_table (
      pipeline text NOT NULL,
      release text NOT NULL,
      revision int NOT NULL,
      target text NOT NULL,
      partition text NOT NULL UNIQUE,
      rows bigint NOT NULL,
      PRIMARY KEY (pipeline, release, revision, target),
      FOREIGN KEY (pipeline, release, revision) REFERENCES rivulet.release ON DELETE CASCADE);
    COMMENT ON TABLE rivulet.release_table IS
      'The table that holds the rows of a revision; attached to its target while published.';

    CREATE TABLE rivulet.publication (
      publication bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      pipeline text NOT NULL,
      release text NOT NULL,
      revision int NOT NULL,
      replaced_revision int,
      published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      undone_at timestamptz);
    COMMENT ON TABLE rivulet.publication IS 'What was published when, for rolling back.';

    CREATE TABLE rivulet.dataset (
      pipeline text PRIMARY KEY,
      pinned_release text);

    CREATE VIEW rivulet.current_release AS
      SELECT DISTINCT ON (r.pipeline)
        r.pipeline, r.release, r.revision, r.effective_from, r.effective_to,
        r.release = d.pinned_release AS pinned
      FROM rivulet.release r
      LEFT JOIN rivulet.dataset d ON d.pipeline = r.pipeline
        -- A pin counts as long as its release is in sight.
        AND EXISTS (SELECT FROM rivulet.release p
          WHERE (p.pipeline, p.release, p.state) = (d.pipeline, d.pinned_release, 'published'))
      WHERE r.state = 'published'
        AND (r.release = d.pinned_release
          OR d.pinned_release IS NULL AND r.effective_from <= rivulet.today())
      ORDER BY r.pipeline, r.effective_from DESC, r.release DESC;
    COMMENT ON VIEW rivulet.current_release IS
      'Of each pipeline the pinned release, else the one with the latest effective date not after today.';

    CREATE TABLE rivulet.view_grant (
      view text NOT NULL,
      grantee text NOT NULL,
      privilege text NOT NULL,
      grantable boolean NOT NULL,
      PRIMARY KEY (view, grantee, privilege));
    COMMENT ON TABLE rivulet.view_grant IS
      'What was granted on a view that is out of the way, to be granted again when it is made anew.';

    CREATE TABLE rivulet.view (
      name text PRIMARY KEY,
      definition_hash text NOT NULL,
      strategy text NOT NULL,
      built_at timestamptz NOT NULL DEFAULT now());
    COMMENT ON TABLE rivulet.view IS 'Derived views that the program has made.';

    GRANT USAGE ON SCHEMA rivulet TO PUBLIC;
    GRANT SELECT ON rivulet.release, rivulet.current_release, rivulet.dataset, rivulet.setting TO PUBLIC;
    """
}
