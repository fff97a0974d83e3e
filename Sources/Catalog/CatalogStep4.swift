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

    ALTER TABLE rivulet.reject ADD COLUMN value text;
    COMMENT ON COLUMN rivulet.reject.value IS
      'What stood in the column; never kept where the layout has a sensitive column.';
    CREATE TABLE rivulet.reject_reason (
      source_file_id bigint NOT NULL REFERENCES rivulet.source_file,
      rule text NOT NULL,
      column_name text,
      records bigint NOT NULL,
      UNIQUE NULLS NOT DISTINCT (source_file_id, rule, column_name));
    COMMENT ON TABLE rivulet.reject_reason IS
      'How many records of a source were refused for what; of those that were too many to keep, too.';
    """
}
