import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Migrations on a real server.
@Suite("The migration engine")
struct MigrationEngineTests {
  /// A view that is no migration's business.
  private struct OneView: DependentObjects {
    func release(on connection: Connection) throws -> Bool {
      try connection.execute("DROP VIEW IF EXISTS seen")
      return true
    }
    func restore(on connection: Connection) throws {
      try connection.execute("CREATE VIEW seen AS SELECT n FROM a")
    }
    func remove(reading tables: [String], on connection: Connection) throws {}
    func settle(on connection: Connection) throws {}
    func clearOrphans(on connection: Connection) throws {}
    func relations(on connection: Connection) throws -> Set<String> { ["public.seen"] }
  }

  private let own: OwnMigrations

  init() throws { own = try OwnMigrations() }

  @Test("goes up and down as far as it is asked")
  func goals() throws {
    try own.writeThree()
    #expect(try own.up(.steps(1)) == ["0001"])
    #expect(try own.up(.version("2")) == ["0002"])
    #expect(try own.up() == ["0003"])
    #expect(try own.up() == [])
    #expect(try own.down() == ["0003"])
    #expect(try own.up() == ["0003"])
    #expect(try own.down(.version("0001")) == ["0003", "0002"])
    #expect(try own.tables() == "a")
    #expect(try own.down(.version("0")) == ["0001"])
    #expect(try own.tables() == nil)
    #expect(try own.down(.steps(5)) == [])
  }

  @Test("keeps nothing of a migration that fails, and says where it failed")
  func failure() throws {
    try own.writeThree()
    try own.write("0002_b.sql", up: "CREATE TABLE b (n int);\nINSERT INTO nowhere\nVALUES (1);")
    #expect(complaint { try own.up() }.hasPrefix("0002_b.sql:3:13: ERROR 42P01"))
    #expect(try own.tables() == "a")
    #expect(try own.engine().status().applied.map(\.version) == ["0001"])
    try own.write("0002_b.sql", up: "CREATE TABLE b (n int);")
    #expect(try own.up() == ["0002", "0003"])
  }

  @Test("names the migration whose commit fails, and keeps nothing of it")
  func commit() throws {
    try own.execute("CREATE TABLE parent (n int PRIMARY KEY)")
    try own.write(
      "0001_a.sql",
      up: """
        CREATE TABLE a (n int REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO a VALUES (1);
        """)
    let found = complaint { try own.up() }
    #expect(found.hasPrefix("0001_a.sql:") && found.contains("23503"))
    #expect(try own.tables() == "parent")
  }

  @Test("keeps nothing of a migration whose verify section fails")
  func verify() throws {
    try own.write("0001_a.sql", up: "CREATE TABLE a (n int);", verify: "SELECT 1 / count(*) FROM a;")
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(try own.tables() == nil)
  }

  @Test("does not go on over an edited, a missing or a late file")
  func disagreement() throws {
    try own.writeThree()
    #expect(try own.up(.steps(2)) == ["0001", "0002"])
    try own.write("0001_a.sql", up: "CREATE TABLE a (n bigint);", down: "DROP TABLE a;")
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(try own.engine().status().applied.map(\.state) == [.changed, .applied])
    try own.writeThree()
    try own.scratch.write("0000_early.sql", "-- rivulet:up\nSELECT 1;")
    #expect(complaint { try own.up() }.contains("come before applied ones: 0000 early"))
  }

  @Test("reverts what was applied even when its file is gone")
  func fileGone() throws {
    try own.write("0001_a.sql", up: "CREATE TABLE a (n int);", down: "DROP TABLE a;")
    #expect(try own.up() == ["0001"])
    let other = try Scratch()
    let engine = MigrationEngine(
      connection: try own.database.connect(), folder: try MigrationFolder(other.path), )
    #expect(try engine.status().applied.map(\.state) == [.missing])
    try engine.down(.natural) { _, _ in }
    #expect(try own.tables() == nil)
  }

  @Test("touches nothing when one of the migrations on the way back has none")
  func irreversible() throws {
    try own.writeThree()
    try own.scratch.write(
      "0002_b.sql", "-- rivulet:up\nCREATE TABLE b (n int);\n-- rivulet:down irreversible \"no\"\n")
    #expect(try own.up() == ["0001", "0002", "0003"])
    #expect(throws: MigrationError.self) { try own.down(.version("0")) }
    #expect(try own.tables() == "abc")
  }

  @Test("moves views out of the way of a migration, and back, in its transaction")
  func dependents() throws {
    try own.write("0001_a.sql", up: "CREATE TABLE a (n int);", down: "DROP TABLE a;")
    #expect(try own.up(.natural, OneView()) == ["0001"])
    try own.execute("CREATE VIEW seen AS SELECT n FROM a")
    try own.write(
      "0002_wider.sql", up: "ALTER TABLE a ALTER n TYPE bigint;", down: "ALTER TABLE a ALTER n TYPE int;")
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(try own.up(.natural, OneView()) == ["0002"])
    let type =
      "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = 'seen'::regclass AND attname = 'n'"
    #expect(try own.database.value(type) == "bigint")
  }

  @Test("lets one program migrate at a time, and the others find nothing left to do")
  func concurrency() async throws {
    try own.writeThree()
    let applied = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try own.up { $0.lockWait = 120 }.count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(applied == 3)
    #expect(try own.tables() == "abc")
  }

  @Test("stops when another program migrates and it is not asked to wait")
  func busy() throws {
    try own.writeThree()
    let holder = try own.database.connect()
    #expect(try holder.acquireLock("rivulet migrate"))
    #expect(complaint { try own.up { $0.lockWait = 0 } }.contains("another program is migrating"))
  }

  @Test("lets no setting or role of one migration reach the next")
  func settings() throws {
    try own.write(
      "0001_a.sql",
      up:
        "CREATE TABLE public.a (n int); SELECT pg_catalog.set_config('search_path', '', false); SET ROLE pg_monitor;"
    )
    try own.write("0002_b.sql", up: "SET client_encoding = 'LATIN1'; CREATE TABLE public.b (n int);")
    try own.write("0003_c.sql", up: "CREATE TABLE c (t text DEFAULT 'é');")
    #expect(try own.up() == ["0001", "0002", "0003"])
    try own.execute("INSERT INTO c DEFAULT VALUES")
    #expect(try own.database.value("SELECT t FROM c") == "é")
  }

  @Test(
    "keeps a migration from ending its own transaction",
    arguments: ["CREATE TABLE half (n int); END; SELECT 1 / 0;", "CREATE TABLE half (n int); ABORT;"])
  func ownTransaction(sql: String) throws {
    try own.write("0001_a.sql", up: sql)
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(try own.tables() == nil)
  }
}
