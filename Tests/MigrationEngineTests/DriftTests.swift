import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// What was changed by hand, beside a real database.
@Suite("Drift") struct DriftTests {
  private let own: OwnMigrations
  private let connection: Connection

  init() throws {
    own = try OwnMigrations()
    connection = try own.database.connect()
    try connection.execute(SchemaSnapshotTests.roles)
    try write(
      "0001_base.sql",
      "CREATE TABLE t (a int CONSTRAINT a_is_positive CHECK (a > 0)); CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"
    )
    try write("R_view.sql", "CREATE OR REPLACE VIEW v AS SELECT a, f() FROM t")
    try write("0003_last.sql", "CREATE TABLE last (a int); GRANT SELECT ON last TO snapshot_reader")
    try own.up()
  }

  private func write(_ name: String, _ up: String) throws {
    try own.write(name, up: up + ";", down: name.hasPrefix("R") ? nil : "SELECT 1;")
  }

  private func drift() throws -> [String] {
    try SchemaDrift.lines(on: connection, place: .beside(connection))
  }

  @Test(
    "what somebody changed by hand is named",
    arguments: [
      ("CREATE INDEX by_hand ON t (a)", "index public.by_hand: is in the database, and no migration made it"),
      (
        "ALTER TABLE t DROP CONSTRAINT a_is_positive",
        "table public.t: constraint a_is_positive: is not in the database any more"
      ),
      (
        "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 2'",
        "function public.f(): definition: line 4 was 'AS $function$SELECT 1$function$', now 'AS $function$SELECT 2$function$'"
      ),
      (
        "GRANT INSERT ON t TO snapshot_reader",
        "table public.t: grants to snapshot_reader: was none, now INSERT"
      ),
      ("ALTER TABLE t OWNER TO snapshot_writer", "table public.t: owner: was none, now snapshot_writer"),
      ("DROP VIEW v", "view public.v: is not in the database any more"),
    ])
  func byHand(statement: String, line: String) throws {
    try connection.execute(statement)
    #expect(try drift() == [line])
  }

  @Test(
    "there is none after migrations alone: late ones, edited repeatable ones and other roles' sessions included"
  )
  func none() throws {
    #expect(try drift() == [])
    try write("0002_late.sql", "ALTER TABLE t ADD b int; ALTER TABLE last ADD b int")
    try write("R_view.sql", "DROP VIEW IF EXISTS v; CREATE VIEW v AS SELECT b FROM t")
    try own.up { $0.allowsLate = true }
    #expect(try drift() == [])
  }

  @Test("the text in the history counts, not the files of today")
  func filesOfToday() throws {
    try write("0001_base.sql", "CREATE TABLE something_else (a int)")
    #expect(try drift() == [])
  }

  @Test("a look for drift writes nothing to the database")
  func readOnly() throws {
    try connection.execute("SET default_transaction_read_only = on")
    let written = "SELECT pg_current_xact_id_if_assigned() IS NULL, (SELECT count(*) FROM rivulet.migration)"
    #expect(try connection.execute(written)[0][0] == "t")
    let error = #expect(throws: PostgreSQLError.self) { try connection.execute("CREATE TABLE x (a int)") }
    #expect(error?.sqlState == "25006")
    #expect(try drift() == [])
  }

  @Test("unqualified names and times without a zone are read as in the database")
  func settings() throws {
    let name = try #require(try connection.execute("SELECT current_database()")[0][0])
    try connection.execute(
      "CREATE SCHEMA app; ALTER DATABASE \(name) SET search_path = app, public; ALTER DATABASE \(name) SET timezone = 'Asia/Tokyo'"
    )
    let other = try connection.another()
    let folder = try Scratch()
    try folder.write(
      "0001_app.sql",
      "-- rivulet:up\nCREATE SCHEMA IF NOT EXISTS app;\nCREATE TABLE p (a timestamptz DEFAULT '2025-01-01 00:00');\n"
    )
    try connection.execute("TRUNCATE rivulet.migration; DROP VIEW v; DROP TABLE t, last; DROP FUNCTION f")
    try MigrationEngine(connection: other, folder: try MigrationFolder(folder.path)).up(.natural) { _, _ in }
    #expect(try SchemaDrift.lines(on: other, place: .beside(other)) == [])
  }

  @Test("a baseline without text cannot be compared, and says so")
  func baseline() throws {
    try connection.execute(
      "UPDATE rivulet.migration SET is_baseline = true, up_sql = '' WHERE version = '0001'")
    let error = #expect(throws: SchemaDrift.Problem.self) { try drift() }
    #expect(error?.description.contains("0001 base") == true)
  }

  @Test("a throw-away server knows the roles that migrations name, and runs them as the one who did")
  func roles() throws {
    let role = "Maker of " + (try connection.execute("SELECT current_database()")[0][0] ?? "")
    try connection.execute(
      "DROP SCHEMA rivulet CASCADE; DROP SCHEMA public CASCADE; CREATE ROLE \"\(role)\" SUPERUSER LOGIN")
    let maker = try Connection(to: connection.target.user(role))
    try maker.execute("CREATE SCHEMA public")
    let folder = try Scratch()
    try folder.write(
      "0001_a.sql",
      """
      -- rivulet:up
      CREATE TABLE a (n int); GRANT SELECT ON a TO snapshot_reader; GRANT SELECT ON a TO rivulet;
      DO $$ BEGIN EXECUTE format('GRANT INSERT ON a TO %I WITH GRANT OPTION', current_user); END $$;
      """)
    try MigrationEngine(connection: maker, folder: try MigrationFolder(folder.path)).up(.natural) { _, _ in }
    let lines = try SchemaDrift.lines(on: connection, place: .embedded)
    // The schema was made by hand, and lacks what the server's own has.
    #expect(lines.allSatisfy { $0.hasPrefix("schema public: ") })
    try connection.execute("GRANT UPDATE ON a TO rivulet")
    let later = try SchemaDrift.lines(on: connection, place: .embedded)
    #expect(later.last == "table public.a: grants to rivulet: was SELECT, now SELECT, UPDATE")
  }
}
