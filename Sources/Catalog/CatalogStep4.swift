/// The fourth version of schema `rivulet`: a ledger that is written as a run goes, refused records with what is to be
/// mended, and runs that mend those of others.
enum CatalogStep4 {
  static let sql = """
    ALTER TABLE rivulet.run ADD COLUMN replays bigint REFERENCES rivulet.run;
    COMMENT ON COLUMN rivulet.run.replays IS 'The run whose refused records were loaded, mended, by this one.';

    ALTER TABLE rivulet.run_stage ALTER COLUMN seconds DROP NOT NULL;
    ALTER TABLE rivulet.run_stage ADD COLUMN position int;
    COMMENT ON COLUMN rivulet.run_stage.seconds IS 'Null while the stage goes on, or where it never ended.';

    ALTER TABLE rivulet.gate_result DROP CONSTRAINT gate_result_severity_check;
    ALTER TABLE rivulet.gate_result ADD CONSTRAINT gate_result_severity_check
      CHECK (severity IN ('fail', 'warn', 'skip', 'reject'));
    ALTER TABLE rivulet.gate_result ADD COLUMN is_accepted boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN rivulet.gate_result.is_accepted IS 'The rule does not hold, and whoever ran it took it on.';
    ALTER TABLE rivulet.gate_result ADD COLUMN about text;
    COMMENT ON COLUMN rivulet.gate_result.about IS 'What must hold, or what moved from what to what.';

    -- Read in the order of a source, a million at a time: one index, and no look at source_file for each record, which
    -- costs as much as keeping it.
    DROP INDEX rivulet.reject_source_idx;
    ALTER TABLE rivulet.reject
      DROP CONSTRAINT reject_source_file_id_fkey, DROP CONSTRAINT reject_pkey,
      ADD PRIMARY KEY (source_file_id, line, reject),
      ADD COLUMN value text,
      ADD COLUMN continued_at int[];
    COMMENT ON COLUMN rivulet.reject.value IS
      'What stood in the column, escaped and cut off; never kept where the layout has a sensitive column.';
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
      'How many records of a source were refused for what; of those that were too many to keep, too.';
    COMMENT ON COLUMN rivulet.reject_reason.lines IS 'Where the first of them stand.';
    COMMENT ON COLUMN rivulet.reject_reason.shown IS 'Their values, as in rivulet.reject; empty where none may be kept.';
    CREATE TABLE rivulet.reject_header (
      source_file_id bigint NOT NULL REFERENCES rivulet.source_file,
      position int NOT NULL,
      raw bytea NOT NULL,
      PRIMARY KEY (source_file_id, position));
    COMMENT ON TABLE rivulet.reject_header IS
      'The header of a source that has refused records, as it stood there, record by record.';

    REVOKE ALL ON rivulet.reject_reason, rivulet.reject_header FROM PUBLIC;

    ALTER TABLE rivulet.source_file ADD COLUMN replays bigint REFERENCES rivulet.source_file;
    COMMENT ON COLUMN rivulet.source_file.replays IS
      'The source whose refused records this one brings, mended: the first, where they were mended several times.';
    CREATE FUNCTION rivulet.run_lineage(bigint) RETURNS TABLE (run bigint, replays bigint)
      STABLE LANGUAGE sql AS $$
      WITH RECURSIVE lineage AS (
        SELECT u.run, u.replays FROM rivulet.run u WHERE u.run = $1
        UNION ALL SELECT u.run, u.replays FROM rivulet.run u JOIN lineage l ON u.run = l.replays)
      SELECT l.run, l.replays FROM lineage l
    $$;
    COMMENT ON FUNCTION rivulet.run_lineage(bigint) IS
      'A run, the one whose refused records it loaded, mended, and so on to the one that loaded the source.';
    """
}
