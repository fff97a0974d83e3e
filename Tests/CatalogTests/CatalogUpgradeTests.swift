import PostgreSQL
import TestSupport
import Testing

@testable import Catalog

/// A step that no version has yet, after those that there are.
@Suite("The program's own schema")
struct CatalogUpgradeTests {
  private let database: TestDatabase

  init() throws { database = try TestServer.shared.makeDatabase() }

  private static let addition = "ALTER TABLE rivulet.setting ADD COLUMN extra int NOT NULL DEFAULT 7;"
  private static let hold = "SELECT pg_advisory_xact_lock(4711);"
  /// Who waits for an advisory lock of this database; the server has those of other tests as well.
  private static let waiters = """
    FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  private func older() throws -> Connection {
    let connection = try database.connect()
    try Catalog.prepare(connection)
    try connection.execute("INSERT INTO rivulet.setting VALUES ('time_zone', 'Europe/Berlin')")
    return connection
  }

  private func upgrade(_ step: String) throws {
    try Catalog.prepare(database.connect(), steps: Catalog.steps + [step])
  }

  /// The version, and what the table `setting` holds.
  private func state() throws -> String? {
    try database.value(
      """
      SELECT concat_ws(' ', (SELECT max(version) FROM rivulet.catalog_version),
        (SELECT string_agg(s::text, ' ') FROM rivulet.setting s))
      """)
  }

  private static let before = "\(Catalog.version) (time_zone,Europe/Berlin)"
  private static let after = "\(Catalog.version + 1) (time_zone,Europe/Berlin,7)"

  @Test("is made once, no matter who comes first")
  func concurrentMaking() throws {
    let programs = (1...6).map { _ in Background { [database] in try Catalog.prepare(database.connect()) } }
    for program in programs { try program.wait() }
    #expect(try Catalog.installedVersion(database.connect()) == Catalog.version)
    #expect(try database.value("SELECT count(*) FROM rivulet.catalog_version") == "\(Catalog.steps.count)")
  }

  @Test("is brought up to date with its rows kept, and then refused by the older program")
  func upgrade() throws {
    let connection = try older()
    try upgrade(Self.addition)
    #expect(try state() == Self.after)
    try upgrade(Self.addition)
    #expect(try state() == Self.after)
    let error = #expect(throws: Catalog.Problem.self) { try Catalog.prepare(connection) }
    #expect(error?.description.contains("version \(Catalog.version + 1), this program knows") == true)
  }

  @Test("stays as it was where a step fails, and a corrected step goes on from there")
  func failure() throws {
    _ = try older()
    let error = #expect(throws: PostgreSQLError.self) { try upgrade(Self.addition + "SELECT 1 / 0;") }
    #expect(error?.sqlState == "22012")
    #expect(try state() == Self.before)
    try upgrade(Self.addition)
    #expect(try state() == Self.after)
  }

  @Test("stays as it was where the program is killed in a step")
  func killed() throws {
    let holder = try older()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let program = Background { try upgrade(Self.addition + Self.hold) }
    try #require(try database.findsWaiter(forLock: 4711))
    try holder.execute("SELECT pg_terminate_backend(pid, 5000) \(Self.waiters)")
    #expect { try program.wait() } throws: { ($0 as? PostgreSQLError)?.isTransient == true }
    #expect(try state() == Self.before)
    try upgrade(Self.addition)
    #expect(try state() == Self.after)
  }

  @Test("is brought up to date by one of two programs, and the other finds it done")
  func concurrentUpgrade() throws {
    let holder = try older()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let first = Background { try upgrade(Self.hold + Self.addition) }
    try #require(try database.findsWaiter(forLock: 4711))
    let second = Background { try upgrade(Self.hold + Self.addition) }
    // The second waits for the first, however long that takes.
    try #require(try database.finds("SELECT \(Self.waiters) HAVING count(*) = 2"))
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try first.wait()
    try second.wait()
    #expect(try state() == Self.after)
  }
}
