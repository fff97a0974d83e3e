import MigrationEngine
import PipelineEngine
import PostgreSQL
import Store
import ViewEngine

/// Derived views, and the tables of releases, as the engine of migrations asks for them.
final class DerivedViews: DependentObjects {
  private let views: ViewEngine
  /// Whether any view is computed from tables that are watched; nil until it was asked. Migrations make
  /// none.
  private var watches: Bool?

  init(views: ViewEngine) { self.views = views }

  func release(on connection: Connection) throws -> Bool { try views.release(on: connection) }
  func restore(on connection: Connection) throws { _ = try views.restore(on: connection) }
  func remove(reading tables: [String], on connection: Connection) throws {
    try views.remove(reading: tables, on: connection)
  }
  func settle(on connection: Connection) throws {
    if watches == false { return }
    try connection.resetSession()
    watches = try views.remakeBroken(on: connection)
  }
  func clearOrphans(on connection: Connection) throws { try Leftovers.clearOrphans(on: connection) }
  func relations(on connection: Connection) throws -> Set<String> {
    try MigrationSession.relationsOfOthers(on: connection)
  }
}

extension MigrationSession {
  /// Derived views and the tables of releases, as a database that has the schema `rivulet` knows them.
  static func relationsOfOthers(on connection: Connection) throws -> Set<String> {
    let rows = try connection.query(
      "SELECT name FROM rivulet.view UNION SELECT partition FROM rivulet.release_table")
    return Set(rows.rows.compactMap { $0[0] })
  }
}
