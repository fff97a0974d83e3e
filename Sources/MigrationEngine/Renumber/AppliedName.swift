import Catalog
public import PostgreSQL

/// A versioned migration that some history of a database has, as a whole or in part.
public struct AppliedName: Sendable {
  let history: String
  let version: String
  let name: String

  /// All of them, of every history.
  ///
  /// - Throws: `PostgreSQLError`.
  public static func all(on connection: Connection) throws -> [AppliedName] {
    let version = try Catalog.installedVersion(connection)
    if version == 0 { return [] }
    let history = version < MigrationHistory.namedSince ? "''" : "history"
    return try connection.query(
      """
      SELECT \(history), version, name FROM rivulet.migration WHERE kind = 'versioned'
      UNION SELECT \(history), version, name FROM rivulet.migration_statement WHERE kind = 'versioned'
      """
    ).rows.map {
      AppliedName(
        history: try $0.value(0), version: Migration.fileVersion(of: try $0.value(1)), name: try $0.value(2))
    }
  }

  func isOf(_ migration: NumberedMigration) -> Bool {
    name == migration.name && VersionOrder.numeric.isSame(version, migration.version)
  }
}
