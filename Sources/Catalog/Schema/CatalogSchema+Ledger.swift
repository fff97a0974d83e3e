extension CatalogSchema {
  /// The ledger of runs, written as a run goes.
  static let ledger = """
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
      error text,
      replays bigint REFERENCES rivulet.run,
      missing text[] NOT NULL DEFAULT '{}');
    CREATE INDEX run_pipeline_idx ON rivulet.run (pipeline, release, run);
    COMMENT ON TABLE rivulet.run IS 'The ledger: one row a run that got as far as knowing its release.';
    COMMENT ON COLUMN rivulet.run.missing IS 'What its bundle lacked, in words.';
    COMMENT ON COLUMN rivulet.run.replays IS 'The run whose rejected records were loaded, corrected, by this one.';

    CREATE FUNCTION rivulet.run_lineage(bigint) RETURNS TABLE (run bigint, replays bigint)
      STABLE LANGUAGE sql AS $$
      WITH RECURSIVE lineage AS (
        SELECT u.run, u.replays FROM rivulet.run u WHERE u.run = $1
        UNION ALL SELECT u.run, u.replays FROM rivulet.run u JOIN lineage l ON u.run = l.replays)
      SELECT l.run, l.replays FROM lineage l
    $$;
    COMMENT ON FUNCTION rivulet.run_lineage(bigint) IS
      'A run, the one whose rejected records it loaded, corrected, and so on to the one that loaded the source.';

    CREATE TABLE rivulet.run_stage (
      run bigint NOT NULL REFERENCES rivulet.run,
      stage text NOT NULL,
      seconds double precision,
      records bigint,
      position int,
      PRIMARY KEY (run, stage));
    COMMENT ON COLUMN rivulet.run_stage.seconds IS 'Null while the stage goes on, or where it never ended.';

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
      zeros_restored jsonb NOT NULL DEFAULT '{}',
      targets jsonb NOT NULL DEFAULT '{}',
      encoding text,
      format text,
      delimiter text,
      replays bigint REFERENCES rivulet.source_file,
      CONSTRAINT source_file_adds_up
        CHECK (records_read = records_loaded + records_rejected + records_skipped));
    CREATE INDEX source_file_run_idx ON rivulet.source_file (run);
    COMMENT ON TABLE rivulet.source_file IS
      'Where rows come from; published rows name it by source_file_id.';
    COMMENT ON COLUMN rivulet.source_file.encoding IS
      'How the text was written: ascii, utf-8, utf-16le, utf-16be, windows-1252 or latin-1.';
    COMMENT ON COLUMN rivulet.source_file.format IS
      'What it was read as, whatever its name: csv, txt, xlsx, ndjson, json or xml.';
    COMMENT ON COLUMN rivulet.source_file.delimiter IS 'What was between the fields of a csv.';
    COMMENT ON COLUMN rivulet.source_file.replays IS
      'The source whose rejected records this one brings, corrected: the first, where they were corrected several times.';

    CREATE TABLE rivulet.gate_result (
      run bigint NOT NULL REFERENCES rivulet.run,
      rule text NOT NULL,
      severity text NOT NULL CHECK (severity IN ('fail', 'warn', 'skip', 'reject')),
      passed boolean NOT NULL,
      found bigint NOT NULL,
      is_accepted boolean NOT NULL DEFAULT false,
      about text,
      PRIMARY KEY (run, rule));
    COMMENT ON COLUMN rivulet.gate_result.is_accepted IS 'The rule does not hold, and the user who ran it accepted that.';
    COMMENT ON COLUMN rivulet.gate_result.about IS 'What must hold, or what moved from what to what.';

    """

  /// Records that were rejected. They are read in the order of a source, a million at a time: so there is one
  /// index, and no foreign key, whose check of each record costs as much as keeping it.
  static let rejects = """
    CREATE TABLE rivulet.reject (
      reject bigint GENERATED ALWAYS AS IDENTITY,
      source_file_id bigint NOT NULL,
      line bigint NOT NULL,
      byte_offset bigint NOT NULL,
      column_name text,
      rule text NOT NULL,
      raw bytea NOT NULL,
      value text,
      key jsonb,
      continued_at int[],
      PRIMARY KEY (source_file_id, line, reject));
    COMMENT ON TABLE rivulet.reject IS
      'Records that were rejected, as they were in their source; for the owner and the loader only.';
    COMMENT ON COLUMN rivulet.reject.value IS
      'What was in the column, escaped and cut off; never kept where the layout has a sensitive column.';
    COMMENT ON COLUMN rivulet.reject.key IS
      'What is known of its key, by column; never kept where the layout has a sensitive column.';
    COMMENT ON COLUMN rivulet.reject.continued_at IS
      'Where in the raw record those begin that continue the first, in bytes from 0; null where none do.';

    CREATE TABLE rivulet.reject_reason (
      source_file_id bigint NOT NULL REFERENCES rivulet.source_file,
      rule text NOT NULL,
      column_name text,
      records bigint NOT NULL,
      lines bigint[] NOT NULL,
      shown text[] NOT NULL,
      UNIQUE NULLS NOT DISTINCT (source_file_id, rule, column_name));
    COMMENT ON TABLE rivulet.reject_reason IS
      'How many records of a source were rejected for what; of those that were too many to keep, too.';
    COMMENT ON COLUMN rivulet.reject_reason.lines IS 'Where the first of them are.';
    COMMENT ON COLUMN rivulet.reject_reason.shown IS 'Their values, as in rivulet.reject; empty where none may be kept.';

    CREATE TABLE rivulet.reject_header (
      source_file_id bigint NOT NULL REFERENCES rivulet.source_file,
      position int NOT NULL,
      raw bytea NOT NULL,
      PRIMARY KEY (source_file_id, position));
    COMMENT ON TABLE rivulet.reject_header IS
      'The header of a source that has rejected records, as it was there, record by record.';

    """
}
