import Catalog
import PostgreSQL

/// The history as a program before this one has left it, for a look that must change nothing.
struct OlderHistory {
  let connection: Connection

  /// All migrations; none where the schema is missing.
  func applied() throws -> [AppliedMigration] {
    guard try Catalog.installedVersion(connection) > 0 else { return [] }
    return try connection.query(
      """
      SELECT version, name, checksum,
        to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), seconds, position
      FROM rivulet.migration ORDER BY position
      """
    ).rows.map { row in
      AppliedMigration(
        kind: .versioned, version: try row.value(0), name: try row.value(1), checksum: try row.value(2),
        appliedAt: try row.value(3), seconds: try row.value(4), position: try row.value(5), isBaseline: false)
    }
  }
}
