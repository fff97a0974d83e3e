import PostgreSQL
import TestSupport
import Testing

@testable import Catalog

@Suite("The program's own schema, brought up to date while an older program refreshes a view")
struct CatalogMeanwhileTests {
  private let database: TestDatabase
  /// A transaction that has read a view's state as a refresh does.
  private let refresh: Connection

  init() throws {
    database = try TestServer.shared.makeDatabase()
    refresh = try database.connect()
    try Catalog.prepare(refresh)
    try refresh.execute(
      """
      INSERT INTO rivulet.view (name, definition_hash, strategy) VALUES ('mart.balance', '', 'incremental');
      BEGIN; SELECT FROM rivulet.view
      """)
  }

  /// Brings the schema up to date beside the refresh, with a step that takes the table that a refresh writes
  /// to.
  private func upgrade() -> Background {
    Background { [database] in
      let step = "ALTER TABLE rivulet.view_refresh ADD COLUMN extra int;"
      try Catalog.prepare(database.connect(), steps: Catalog.steps + [step])
    }
  }

  @Test("lets the refresh record what it has done, and comes after it")
  func order() throws {
    let upgrade = upgrade()
    try #require(try database.findsWaiter(forTable: "rivulet.view"))
    try refresh.execute(
      """
      INSERT INTO rivulet.view_refresh (view, kind, seconds, inserted, updated, deleted)
      VALUES ('mart.balance', 'incremental', 1, 0, 0, 0);
      COMMIT
      """)
    try upgrade.wait()
    #expect(try Catalog.installedVersion(refresh) == Catalog.version + 1)
    #expect(try database.value("SELECT count(*) FROM rivulet.view_refresh") == "1")
  }

  @Test("keeps who comes later from the views for a moment only, however long the refresh takes")
  func timeout() throws {
    let upgrade = upgrade()
    try #require(try database.findsWaiter(forTable: "rivulet.view"))
    // It waits behind who waits, and would do so until the refresh ends.
    let reader = try database.connect()
    try reader.execute("SET statement_timeout = '100s'; SELECT FROM rivulet.view")
    try refresh.execute("COMMIT")
    try upgrade.wait()
    #expect(try Catalog.installedVersion(refresh) == Catalog.version + 1)
  }
}
