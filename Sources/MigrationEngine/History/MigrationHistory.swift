import PostgreSQL

/// A migration that the database says was applied, in whole or in part.
public struct AppliedMigration: Sendable {
  /// How the history and the folder agree.
  public enum State: String, Sendable {
    /// The file is as it was applied.
    case applied
    /// The file was edited since.
    case changed
    /// The file is gone.
    case missing
    /// It was applied after one of a higher version; the file is as it was applied.
    case late
    /// Some of its statements are done, and not all.
    case partial
  }

  /// Versioned or repeatable.
  public let kind: Migration.Kind
  /// The version as it stood in the file's name; of a repeatable one its name.
  public let version: String
  /// The name.
  public let name: String
  /// The checksum it was applied with; empty while only part of it is.
  public let checksum: String
  /// When, as ISO 8601 with zone.
  public let appliedAt: String
  /// How long it took.
  public let seconds: Double
  /// The text of `up` as it was applied.
  public let upSQL: String
  /// The options of `up`.
  let upOptions: Migration.Options
  /// The text of `down` as it was applied; nil where the file had none.
  public let downSQL: String?
  /// The options of `down`.
  let downOptions: Migration.Options
  /// Its place among all that was applied.
  let position: Int
  /// It was there before this program came.
  public let isBaseline: Bool
  /// Against the folder.
  public internal(set) var state = State.applied

  /// As people name it.
  public var label: String { kind == .versioned ? "\(version) \(name)" : "R \(name)" }
}

/// The table `rivulet.migration`.
struct MigrationHistory {
  let connection: Connection

  /// All migrations, in no order that counts.
  func applied() throws -> [AppliedMigration] {
    let rows = try connection.query(
      """
      SELECT kind, version, name, checksum,
        to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), seconds,
        up_sql, up_options, down_sql, down_options, position, is_baseline
      FROM rivulet.migration ORDER BY position
      """)
    return try rows.rows.map { row in
      AppliedMigration(
        kind: Migration.Kind(rawValue: try row.value(0)) ?? .versioned, version: try row.value(1),
        name: try row.value(2), checksum: try row.value(3), appliedAt: try row.value(4),
        seconds: try row.value(5), upSQL: try row.value(6),
        upOptions: Migration.Options(text: try row.value(7)), downSQL: row[8],
        downOptions: Migration.Options(text: try row.value(9)), position: try row.value(10),
        isBaseline: try row.value(11))
    }
  }

  /// Writes that a migration is applied; a repeatable one replaces its row.
  func add(_ migration: Migration, seconds: Double, isBaseline: Bool = false) throws {
    var down: Migration.Section?
    if case .sql(let section) = migration.down { down = section }
    if migration.kind == .repeatable { try remove(.repeatable, version: migration.version) }
    try connection.query(
      """
      INSERT INTO rivulet.migration
        (kind, version, name, checksum, up_sql, up_options, down_sql, down_options, seconds, is_baseline)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        .text(migration.kind.rawValue), .text(migration.version), .text(migration.name),
        .text(migration.checksum), .text(migration.up.sql), .text(migration.up.options.text),
        Parameter(down?.sql), .text(down?.options.text ?? ""), .double(seconds),
        .text(isBaseline ? "t" : "f"),
      ])
  }

  /// Takes a file's text for what was applied; when and by whom stay as they are.
  func replaceText(_ migration: Migration) throws {
    var down: Migration.Section?
    if case .sql(let section) = migration.down { down = section }
    try connection.query(
      """
      UPDATE rivulet.migration SET name = $3, checksum = $4, up_sql = $5, up_options = $6, down_sql = $7,
        down_options = $8
      WHERE kind = $1 AND version = $2
      """,
      [
        .text(migration.kind.rawValue), .text(migration.version), .text(migration.name),
        .text(migration.checksum), .text(migration.up.sql), .text(migration.up.options.text),
        Parameter(down?.sql), .text(down?.options.text ?? ""),
      ])
  }

  func remove(_ kind: Migration.Kind, version: String) throws {
    try connection.query(
      "DELETE FROM rivulet.migration WHERE kind = $1 AND version = $2",
      [.text(kind.rawValue), .text(version)])
  }
}

extension Migration.Options {
  /// As they stand on a section line.
  var text: String {
    var words: [String] = []
    if let transaction { words.append("transaction=" + (transaction ? "on" : "off")) }
    if let lockTimeout { words.append("lock_timeout=" + lockTimeout) }
    if let statementTimeout { words.append("statement_timeout=" + statementTimeout) }
    return words.joined(separator: " ")
  }

  /// Reads what ``text`` has written.
  init(text: String) {
    self.init()
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "transaction": transaction = parts[1] == "on"
      case "lock_timeout": lockTimeout = parts[1]
      case "statement_timeout": statementTimeout = parts[1]
      default: break
      }
    }
  }
}
