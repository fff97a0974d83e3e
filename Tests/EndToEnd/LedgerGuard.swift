import PostgreSQL
import TestSupport
import Testing

/// Has the server itself watch that no run of a test ends well without the counts of its sources, and that no
/// table of the ledger takes a value of a sensitive column, other than in the records that are kept as they
/// came.
enum LedgerGuard {
  /// Makes a run that does so fail, and with it the test.
  static func install(in database: TestDatabase) throws {
    try database.connect().execute(
      """
      CREATE FUNCTION rivulet.require_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM rivulet.source_file f WHERE f.run = NEW.run
            AND num_nulls(f.records_read, f.records_loaded, f.records_rejected, f.records_skipped, f.sha256) > 0) THEN
          RAISE EXCEPTION 'run % is % without the counts of a source', NEW.run, NEW.state;
        END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER require_counts AFTER INSERT OR UPDATE ON rivulet.run DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.state IN ('published', 'staged', 'unchanged', 'dry_run'))
        EXECUTE FUNCTION rivulet.require_counts();
      CREATE FUNCTION rivulet.require_discretion() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (to_jsonb(NEW) - 'raw')::text LIKE '%\(Program.canary)%' THEN
          RAISE EXCEPTION 'rivulet.% would hold what is sensitive', TG_TABLE_NAME;
        END IF;
        RETURN NEW;
      END $$;
      -- What is captured for views is no ledger: it is theirs who own the tables.
      DO $$
      DECLARE
        ledger regclass;
      BEGIN
        FOR ledger IN SELECT oid FROM pg_class
          WHERE relnamespace = 'rivulet'::regnamespace AND relkind = 'r' AND relname !~ '^queue_'
        LOOP
          EXECUTE format('CREATE TRIGGER require_discretion BEFORE INSERT OR UPDATE ON %s
            FOR EACH ROW EXECUTE FUNCTION rivulet.require_discretion()', ledger);
        END LOOP;
      END $$;
      """)
  }
}

/// The guard itself.
@Suite("The guard of the tests' ledgers")
struct LedgerGuardTests {
  @Test(
    "fails a run without the counts of a source, and keeps what is sensitive out of the ledger and of words")
  func fails() throws {
    let connection = try Loaded.migrated().0.connect()
    let said = "\(Program.canary)-a"
    let run =
      "INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version, error) VALUES ('a', "
    let file = "INSERT INTO rivulet.source_file (run, source, file, file_sha256) VALUES (1, 'a', "
    try connection.execute("\(run)'running', '', '', NULL); \(file)'a', '')")
    for wrong in [
      "UPDATE rivulet.run SET state = 'published'", "\(file)'\(said)', '')",
      "\(run)'failed', '', '', 'no \(said)')",
    ] {
      #expect(throws: PostgreSQLError.self, "\(wrong)") { try connection.execute(wrong) }
    }
    try connection.execute("UPDATE rivulet.run SET state = 'failed'")
    #expect(Program.indiscretion(["run", "clara"], "of " + said, "") == "run clara says " + said)
    #expect(Program.indiscretion(["query", "a"], "", said) != nil)
    #expect(Program.indiscretion(["query", "a"], said, "") == nil)
  }
}
