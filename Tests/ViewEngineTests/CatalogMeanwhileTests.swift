import PostgreSQL
import TestSupport
import Testing

@testable import Catalog

@Suite("The program's own schema, brought up to date while an older program refreshes a view")
struct CatalogMeanwhileTests {
  /// A transaction that has read a view's state as a refresh does, and what brings the schema up to date
  /// beside it.
  private func refreshing(from version: Int) throws -> (database: TestDatabase, refresh: Connection) {
    let database = try TestServer.shared.makeDatabase()
    let refresh = try database.connect()
    try Catalog.prepare(refresh, upTo: version)
    try refresh.execute(
      """
      INSERT INTO rivulet.view (name, definition_hash, strategy) VALUES ('mart.balance', '', 'incremental');
      BEGIN; SELECT FROM rivulet.view
      """)
    return (database, refresh)
  }

  private static let noting = """
    INSERT INTO rivulet.view_refresh (view, kind, seconds, inserted, updated, deleted)
    VALUES ('mart.balance', 'incremental', 1, 0, 0, 0)
    """

  @Test("lets the refresh note what it has done, and comes after it", arguments: 5..<Catalog.version)
  func order(version: Int) throws {
    let (database, refresh) = try refreshing(from: version)
    let upgrade = Background { try Catalog.prepare(database.connect()) }
    try #require(try database.findsWaiter(forTable: "rivulet.view"))
    try refresh.execute(Self.noting)
    try refresh.execute("COMMIT")
    try upgrade.wait()
    #expect(try Catalog.installedVersion(refresh) == Catalog.version)
    #expect(try database.value("SELECT count(*) FROM rivulet.view_refresh") == "1")
  }

  @Test("keeps who comes later from the views for a moment only, however long the refresh takes")
  func patience() throws {
    let (database, refresh) = try refreshing(from: Catalog.version - 1)
    let upgrade = Background { try Catalog.prepare(database.connect()) }
    try #require(try database.findsWaiter(forTable: "rivulet.view"))
    // It waits behind who waits, and would do so until the refresh ends.
    let reader = try database.connect()
    try reader.execute("SET statement_timeout = '20s'; SELECT FROM rivulet.view")
    try refresh.execute("COMMIT")
    try upgrade.wait()
    #expect(try Catalog.installedVersion(refresh) == Catalog.version)
  }
}
