import PostgreSQL
import TestSupport
import Testing

/// Has the server itself watch that no run of a test ends well without the counts of its sources.
enum LedgerGuard {
  /// Makes a run that ends so fail, and with it the test.
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
      """)
  }
}

/// The guard itself.
@Suite("The guard of the tests' ledgers")
struct LedgerGuardTests {
  @Test("fails a run that ends well while a source of it has no counts")
  func fails() throws {
    let (database, _) = try Loaded.migrated()
    let connection = try database.connect()
    try connection.execute(
      """
      INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('a', 'running', '', '');
      INSERT INTO rivulet.source_file (run, source, file, file_sha256) VALUES (1, 'a', 'a', '');
      """)
    #expect(throws: PostgreSQLError.self) {
      try connection.execute("UPDATE rivulet.run SET state = 'published'")
    }
    try connection.execute("UPDATE rivulet.run SET state = 'failed'")
  }
}
