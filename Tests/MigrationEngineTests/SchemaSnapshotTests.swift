import MigrationEngine
import PostgreSQL
import TestSupport
import Testing

/// Snapshots of a real catalog, and how they differ.
@Suite("Schema snapshots") struct SchemaSnapshotTests {
  /// A change of a schema, and all that a comparison must say of it.
  struct Change: Sendable, CustomTestStringConvertible {
    let given: String
    let done: String
    let lines: [String]

    init(_ given: String, _ done: String, _ lines: String...) {
      self.given = given
      self.done = done
      self.lines = lines
    }

    var testDescription: String { done }
  }

  private func lines(_ change: Change) throws -> [String] {
    let connection = try TestServer.shared.makeDatabase().connect()
    try connection.execute(SchemaSnapshotTests.roles)
    try connection.execute(change.given)
    let before = try SchemaSnapshot.read(from: connection)
    // As a migration's session may be left.
    try connection.execute(
      "SET search_path = pg_catalog; SET timezone = 'Asia/Tokyo'; SET datestyle = 'SQL, DMY'")
    #expect(try before.differences(to: SchemaSnapshot.read(from: connection)).isEmpty)
    try connection.execute("RESET ALL; SET search_path = public")
    try connection.execute(change.done)
    return try before.differences(to: SchemaSnapshot.read(from: connection)).map { $0.line(.wayBack) }
  }

  /// Roles belong to the cluster, and other tests make them at the same moment.
  static let roles = ["snapshot_reader", "snapshot_writer"].map { role in
    "DO $$ BEGIN CREATE ROLE \(role); EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$;"
  }.joined()

  @Test("a change of anything the catalog knows is reported in its own line", arguments: changes)
  func change(_ change: Change) throws {
    let found = try lines(change)
    #expect(found == change.lines)
  }

  @Test(
    "what only looks like a change is none",
    arguments: [
      // A column that is dropped and added again has another number and another place.
      Change("CREATE TABLE t (a int, b text, c int)", "ALTER TABLE t DROP b; ALTER TABLE t ADD b text"),
      Change("CREATE TABLE t (a int)", "DROP TABLE t; CREATE TABLE t (a int)"),
      // Revoked, a grant leaves an explicit list that says the same.
      Change(
        "CREATE TABLE t (a int)",
        "GRANT SELECT ON t TO snapshot_reader; REVOKE SELECT ON t FROM snapshot_reader"),
      Change(
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "REVOKE EXECUTE ON FUNCTION f() FROM PUBLIC; GRANT EXECUTE ON FUNCTION f() TO PUBLIC"),
      Change("CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY)", "INSERT INTO t DEFAULT VALUES"),
      Change(
        "CREATE TABLE t (a int); INSERT INTO t VALUES (1)",
        "ANALYZE t; DELETE FROM t; CREATE TEMP TABLE x (a int)"),
      Change(
        "",
        "CREATE SCHEMA rivulet; CREATE TABLE rivulet.t (a serial PRIMARY KEY); CREATE FUNCTION rivulet.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"
      ),
      Change(
        "CREATE TABLE t (a int) WITH (fillfactor = 70, autovacuum_enabled = off)",
        "ALTER TABLE t RESET (fillfactor); ALTER TABLE t SET (fillfactor = 70)"),
    ])
  func unchanged(_ change: Change) throws {
    #expect(try lines(change) == [])
  }

  @Test(
    "relations that are left out go with their indexes, keys, sequences, triggers, policies, comments and grants"
  )
  func leftOut() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    try connection.execute(SchemaSnapshotTests.roles)
    try connection.execute(
      "CREATE TABLE p (k int, PRIMARY KEY (k)) PARTITION BY LIST (k); CREATE INDEX ON p (k)")
    let before = try SchemaSnapshot.read(from: connection)
    try connection.execute(
      """
      CREATE TABLE p_2025 PARTITION OF p FOR VALUES IN (1);
      CREATE TABLE "Loose.one" (n serial PRIMARY KEY, k int CHECK (k > 0));
      CREATE STATISTICS s ON n, k FROM "Loose.one";
      CREATE POLICY own ON "Loose.one"; COMMENT ON COLUMN "Loose.one".k IS 'x'; GRANT SELECT ON "Loose.one" TO snapshot_reader;
      CREATE RULE r AS ON DELETE TO "Loose.one" DO INSTEAD NOTHING;
      CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END';
      CREATE TRIGGER t BEFORE INSERT ON "Loose.one" EXECUTE FUNCTION pg_temp.f();
      CREATE VIEW v AS SELECT 1 AS n;
      """)
    let after = try SchemaSnapshot.read(
      from: connection, leavingOut: ["public.p_2025", "public.Loose.one", "public.v"])
    #expect(before.differences(to: after).map { $0.line(.drift) } == [])
  }

  @Test("what goes with its table is reported by the table alone")
  func wholeTable() throws {
    let change = Change(
      "CREATE TABLE t (a serial PRIMARY KEY, b int UNIQUE); CREATE INDEX ON t (b); COMMENT ON COLUMN t.b IS 'x'",
      "DROP TABLE t", "table public.t: is not put back")
    #expect(try lines(change) == change.lines)
  }

  @Test("an owner counts where he is not the role that migrates", arguments: owned)
  func owners(given: String, object: String) throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    try connection.execute(SchemaSnapshotTests.roles + given)
    let before = try SchemaSnapshot.read(from: connection)
    // Some objects must be a superuser's.
    let role = "snapshot_owner"
    try connection.execute(
      "DO $$ BEGIN CREATE ROLE \(role) SUPERUSER; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$"
    )
    try connection.execute("ALTER \(object) OWNER TO \(role)")
    let lines = try before.differences(to: SchemaSnapshot.read(from: connection)).map { $0.line(.drift) }
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix(": owner: was none, now \(role)") == true, "\(lines)")
    #expect(try SchemaSnapshot.read(from: connection, makers: [role, "rivulet"]) == before)
  }

  @Test("a table's space counts")
  func tablespace() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    try connection.execute("SET allow_in_place_tablespaces = on; CREATE TABLE t (a int)")
    try connection.execute("CREATE TABLESPACE snapshot_space LOCATION ''")
    let before = try SchemaSnapshot.read(from: connection)
    try connection.execute("ALTER TABLE t SET TABLESPACE snapshot_space")
    let lines = try before.differences(to: SchemaSnapshot.read(from: connection)).map { $0.line(.wayBack) }
    #expect(lines == ["table public.t: tablespace: was none, now snapshot_space"])
  }

  @Test("a snapshot inside a transaction sees it and leaves its settings alone")
  func nested() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    let before = try SchemaSnapshot.read(from: connection)
    try connection.transaction {
      try connection.execute("SET LOCAL search_path = a, b; CREATE TABLE public.t (a int)")
      let lines = try before.differences(to: SchemaSnapshot.read(from: connection)).map { $0.line(.drift) }
      #expect(lines == ["table public.t: is in the database, and no migration made it"])
      let path = try connection.execute("SHOW search_path")[0][0]
      #expect(path == "a, b")
      try connection.execute("CREATE TABLE public.u (a int)")
    }
  }
}
