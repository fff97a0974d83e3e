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
    func settle(on connection: Connection) throws {}
    func clearOrphans(on connection: Connection) throws {}
    func relations(on connection: Connection) throws -> Set<String> { ["public.seen"] }
  }

  private let own: OwnMigrations
  private var database: TestDatabase { own.database }
  private var scratch: Scratch { own.scratch }

  init() throws { own = try OwnMigrations() }

  private func engine(_ dependents: any DependentObjects = NoDependentObjects()) throws -> MigrationEngine {
    try own.engine(dependents)
  }

  private func write(_ name: String, up: String, down: String? = nil, verify: String? = nil) throws {
    try own.write(name, up: up, down: down, verify: verify)
  }

  private func up(_ goal: MigrationGoal = .natural, _ dependents: any DependentObjects = NoDependentObjects())
    throws
    -> [String]
  {
    try own.up(goal, dependents)
  }

  private func down(_ goal: MigrationGoal = .natural) throws -> [String] { try own.down(goal) }

  private func writeThree() throws { try own.writeThree() }

  private func tables() throws -> String? { try own.tables() }

  @Test("goes up and down as far as it is asked")
  func goals() throws {
    try writeThree()
    #expect(try up(.steps(1)) == ["0001"])
    #expect(try up(.version("2")) == ["0002"])
    #expect(try up() == ["0003"])
    #expect(try up() == [])
    #expect(try down() == ["0003"])
    #expect(try up() == ["0003"])
    #expect(try down(.version("0001")) == ["0003", "0002"])
    #expect(try tables() == "a")
    #expect(try down(.version("0")) == ["0001"])
    #expect(try tables() == nil)
    #expect(try down(.steps(5)) == [])
  }

  @Test("keeps nothing of a migration that fails, and says where it failed")
  func failure() throws {
    try writeThree()
    try write("0002_b.sql", up: "CREATE TABLE b (n int);\nINSERT INTO nowhere\nVALUES (1);")
    #expect {
      try up()
    } throws: { error in
      guard let error = error as? MigrationError, let place = error.place else { return false }
      return place.file.hasSuffix("0002_b.sql") && place.line == 3 && place.column == 13
        && error.description.contains("42P01")
    }
    #expect(try tables() == "a")
    #expect(try engine().status().applied.map(\.version) == ["0001"])
    try write("0002_b.sql", up: "CREATE TABLE b (n int);")
    #expect(try up() == ["0002", "0003"])
  }

  @Test("names the migration whose commit fails, and keeps nothing of it")
  func commit() throws {
    try own.execute("CREATE TABLE parent (n int PRIMARY KEY)")
    try write(
      "0001_a.sql",
      up: """
        CREATE TABLE a (n int REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO a VALUES (1);
        """)
    #expect {
      try up()
    } throws: { error in
      guard let error = error as? MigrationError, let place = error.place else { return false }
      return place.file.hasSuffix("0001_a.sql") && error.description.contains("23503")
    }
    #expect(try tables() == "parent")
  }

  @Test("keeps nothing of a migration whose verify section fails")
  func verify() throws {
    try write("0001_a.sql", up: "CREATE TABLE a (n int);", verify: "SELECT 1 / count(*) FROM a;")
    #expect(throws: MigrationError.self) { try up() }
    #expect(try tables() == nil)
  }

  @Test("does not go on over an edited, a missing or a late file")
  func disagreement() throws {
    try writeThree()
    #expect(try up(.steps(2)) == ["0001", "0002"])
    try write("0001_a.sql", up: "CREATE TABLE a (n bigint);", down: "DROP TABLE a;")
    #expect(throws: MigrationError.self) { try up() }
    #expect(try engine().status().applied.map(\.state) == [.changed, .applied])
    try writeThree()
    try scratch.write("0000_early.sql", "-- rivulet:up\nSELECT 1;")
    #expect {
      try up()
    } throws: { "\($0)".contains("come before applied ones: 0000 early") }
  }

  @Test("reverts what was applied even when its file is gone")
  func fileGone() throws {
    try write("0001_a.sql", up: "CREATE TABLE a (n int);", down: "DROP TABLE a;")
    #expect(try up() == ["0001"])
    let other = try Scratch()
    let engine = MigrationEngine(
      connection: try database.connect(), folder: try MigrationFolder(other.path),
      dependents: NoDependentObjects())
    #expect(try engine.status().applied.map(\.state) == [.missing])
    try engine.down(.natural) { _, _ in }
    #expect(try tables() == nil)
  }

  @Test("touches nothing when one of the migrations on the way back has none")
  func irreversible() throws {
    try writeThree()
    try scratch.write(
      "0002_b.sql", "-- rivulet:up\nCREATE TABLE b (n int);\n-- rivulet:down irreversible \"no\"\n")
    #expect(try up() == ["0001", "0002", "0003"])
    #expect(throws: MigrationError.self) { try down(.version("0")) }
    #expect(try tables() == "abc")
  }

  @Test("moves views out of the way of a migration, and back, in its transaction")
  func dependents() throws {
    try write("0001_a.sql", up: "CREATE TABLE a (n int);", down: "DROP TABLE a;")
    #expect(try up(.natural, OneView()) == ["0001"])
    try database.connect().execute("CREATE VIEW seen AS SELECT n FROM a")
    try write(
      "0002_wider.sql", up: "ALTER TABLE a ALTER n TYPE bigint;", down: "ALTER TABLE a ALTER n TYPE int;")
    #expect(throws: MigrationError.self) { try up() }
    #expect(try up(.natural, OneView()) == ["0002"])
    let type =
      "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = 'seen'::regclass AND attname = 'n'"
    #expect(try database.value(type) == "bigint")
  }

  @Test("lets one program migrate at a time, and the others find nothing left to do")
  func concurrency() async throws {
    try writeThree()
    let applied = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 {
        group.addTask {
          var engine = try engine()
          engine.lockWait = 20
          var count = 0
          try engine.up(.natural) { _, _ in count += 1 }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(applied == 3)
    #expect(try tables() == "abc")
  }

  @Test("stops when another program migrates and it is not asked to wait")
  func busy() throws {
    try writeThree()
    let holder = try database.connect()
    #expect(try holder.acquireLock("rivulet migrate"))
    var engine = try engine()
    engine.lockWait = 0
    #expect {
      try engine.up(.natural) { _, _ in }
    } throws: { error in
      if case .busy? = error as? MigrationError { return true }
      return false
    }
  }

  @Test("lets no setting or role of one migration reach the next")
  func settings() throws {
    try write(
      "0001_a.sql",
      up:
        "CREATE TABLE public.a (n int); SELECT pg_catalog.set_config('search_path', '', false); SET ROLE pg_monitor;"
    )
    try write("0002_b.sql", up: "SET client_encoding = 'LATIN1'; CREATE TABLE public.b (n int);")
    try write("0003_c.sql", up: "CREATE TABLE c (t text DEFAULT 'é');")
    #expect(try up() == ["0001", "0002", "0003"])
    try database.connect().execute("INSERT INTO c DEFAULT VALUES")
    #expect(try database.value("SELECT t FROM c") == "é")
  }

  @Test(
    "keeps a migration from ending its own transaction",
    arguments: ["CREATE TABLE half (n int); END; SELECT 1 / 0;", "CREATE TABLE half (n int); ABORT;"])
  func ownTransaction(sql: String) throws {
    try write("0001_a.sql", up: sql)
    #expect(throws: MigrationError.self) { try up() }
    #expect(try tables() == nil)
  }
}
