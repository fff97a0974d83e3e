import PostgreSQL

/// A migration that the database says was applied.
public struct AppliedMigration: Sendable {
  /// How the history and the folder agree.
  public enum State: String, Sendable {
    /// The file is as it was applied.
    case applied
    /// The file was edited since.
    case changed
    /// The file is gone.
    case missing
  }

  /// The version as it stood in the file's name.
  public let version: String
  /// The name.
  public let name: String
  /// The checksum it was applied with.
  public let checksum: String
  /// When, as ISO 8601 with zone.
  public let appliedAt: String
  /// How long it took.
  public let seconds: Double
  /// The text of `down` as it was applied; nil where the file had none.
  public let downSQL: String?
  /// Against the folder.
  public internal(set) var state = State.applied
}

/// The table `rivulet.migration`.
struct MigrationHistory {
  let connection: Connection

  /// All versioned migrations, in order of version.
  func applied() throws -> [AppliedMigration] {
    let rows = try connection.query(
      """
      SELECT version, name, checksum,
        to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), seconds, down_sql
      FROM rivulet.migration WHERE kind = 'versioned'
      """)
    return try rows.rows.map { row in
      AppliedMigration(
        version: try row.value(0), name: try row.value(1), checksum: try row.value(2),
        appliedAt: try row.value(3), seconds: try row.value(4), downSQL: row[5])
    }
    .sorted { Migration.precedes($0.version, $1.version) }
  }

  func add(_ migration: Migration, seconds: Double) throws {
    var down: String?
    if case .sql(let section) = migration.down { down = section.sql }
    try connection.query(
      """
      INSERT INTO rivulet.migration (kind, version, name, checksum, up_sql, down_sql, seconds)
      VALUES ('versioned', $1, $2, $3, $4, $5, $6)
      """,
      [
        .text(migration.version), .text(migration.name), .text(migration.checksum),
        .text(migration.up.sql), Parameter(down), .double(seconds),
      ])
  }

  func remove(version: String) throws {
    try connection.query(
      "DELETE FROM rivulet.migration WHERE kind = 'versioned' AND version = $1", [.text(version)])
  }
}
