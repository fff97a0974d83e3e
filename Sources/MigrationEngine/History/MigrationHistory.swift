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
  /// The version as it was in the file's name; of a repeatable one its name.
  public let version: String
  /// The name.
  public let name: String
  /// The checksum it was applied with; empty while only part of it is.
  public let checksum: String
  /// When, as ISO 8601 with zone.
  public let appliedAt: String
  /// How long it took.
  public let seconds: Double
  /// Its place among all that was applied.
  let position: Int
  /// It was there before this program came.
  public let isBaseline: Bool
  /// The datasets that were used when it was applied; nil for all.
  let datasets: [String]?
  /// Against the folder.
  public internal(set) var state = State.applied
  /// How far its statement has come that is under way in batches; nil where none is.
  public internal(set) var batch: BatchState?

  /// Whether it is on its way up, and not through.
  var isBegun: Bool { state == .partial && checksum.isEmpty }

  /// Whether it is on its way back, and not through.
  public var isOnItsWayBack: Bool { kind == .versioned && state == .partial && !isBegun }

  /// As people name it.
  public var label: String { kind.label(version, name) }
}

struct MigrationHistory {
  let connection: Connection
  /// Its name, empty for that of the project; nil for all that there are.
  var name: String? = ""

  /// The version of the catalog from which on histories have names.
  static let namedSince = 2
  /// The version from which on the journal knows batches.
  static let batchesSince = 3

  /// The versioned migration of a version.
  func applied(_ version: String) throws -> [AppliedMigration] {
    try rows("\(condition(.versioned)) AND version = \(Quote.literal(version))")
  }

  func applied() throws -> [AppliedMigration] { try rows(filter) }

  private func rows(_ condition: String) throws -> [AppliedMigration] {
    let rows = try connection.query(
      """
      SELECT kind, version, name, checksum,
        to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), seconds, position, is_baseline,
        array_to_string(datasets, ',')
      FROM rivulet.migration \(condition) ORDER BY position
      """)
    return try rows.rows.map { row in
      AppliedMigration(
        kind: Migration.Kind(rawValue: try row.value(0)) ?? .versioned, version: try row.value(1),
        name: try row.value(2), checksum: try row.value(3), appliedAt: try row.value(4),
        seconds: try row.value(5), position: try row.value(6), isBaseline: try row.value(7),
        datasets: row[8].map { $0.split(separator: ",").map(String.init) })
    }
  }

  /// What was applied as some rows say, or all, by ``AppliedMigration/position``.
  func texts(of applied: [AppliedMigration]? = nil) throws -> [Int: AppliedText] {
    if applied?.isEmpty == true { return [:] }
    let rows = try connection.query(
      """
      SELECT position, up_sql, down_sql, definition FROM rivulet.migration
      \(applied == nil ? filter : "WHERE position = ANY ($1)")
      """, applied.map { [.textArray($0.map { "\($0.position)" })] } ?? [])
    return try Dictionary(
      uniqueKeysWithValues: rows.rows.map { row in
        (try row.value(0), AppliedText(up: try row.value(1), down: row[2], definition: try row.value(3)))
      })
  }

  /// The SQL that writes that a migration is applied in a database that uses some datasets, nil for all; a
  /// repeatable one replaces its row. `seconds` is SQL too. One that is to be filled has no text yet.
  func addition(
    of migration: Migration, using datasets: [String]?, seconds: String = "0", isBaseline: Bool = false,
    isToBeFilled: Bool = false
  ) -> String {
    let removal = migration.kind == .repeatable ? removal(of: .repeatable, version: migration.version) : ""
    return """
      \(removal)INSERT INTO rivulet.migration
        (history, kind, version, name, checksum, up_sql, down_sql, definition, seconds, is_baseline, datasets)
      SELECT \(Quote.literal(name ?? "")), \(MigrationHistory.values(migration)), \(seconds), \(isBaseline),
        \(MigrationHistory.array(datasets)) \(MigrationHistory.source(isToBeFilled ? "" : migration.up.sql));
      """
  }

  /// Writes the text of a migration whose row was added without it.
  ///
  /// As a value of its own: what is part of a statement's text the server holds in more than ten times its
  /// memory.
  func fill(_ migration: Migration) throws(PostgreSQLError) {
    let (head, tail) = migration.textAroundUp
    let row = "\(condition(migration.kind)) AND version = \(Quote.literal(migration.version))"
    _ = try connection.query("UPDATE rivulet.migration SET up_sql = $1 \(row)", [.text(migration.up.sql)])
    try connection.execute(
      "UPDATE rivulet.migration SET definition = "
        + "\(Quote.literal(head)) || up_sql || \(Quote.literal(tail + migration.rest)) \(row)")
  }

  /// The SQL that replaces what was applied by a file's text; when and by whom stay as they are.
  func replacement(of row: AppliedMigration, by migration: Migration) -> String {
    """
    UPDATE rivulet.migration
    SET (kind, version, name, checksum, up_sql, down_sql, definition) =
      (SELECT \(MigrationHistory.values(migration)) \(MigrationHistory.source(migration.up.sql)))
    \(condition(row.kind)) AND version = \(Quote.literal(row.version));
    """
  }

  /// The SQL that forgets a migration.
  func removal(of kind: Migration.Kind, version: String) -> String {
    "DELETE FROM rivulet.migration \(condition(kind)) AND version = \(Quote.literal(version));"
  }

  /// The SQL that forgets the repeatable ones, so that the next `up` runs them again.
  var removalOfRepeatables: String { "DELETE FROM rivulet.migration \(condition(.repeatable));" }

  /// The SQL that writes down that somebody has marked a migration, and why.
  func mark(_ version: String, _ label: String, _ state: MigrationMark, reason: String) -> String {
    let values = [name ?? "", version, label, state.rawValue, reason].map(Quote.literal)
    return "INSERT INTO rivulet.migration_mark (history, version, name, state, reason) "
      + "VALUES (\(values.joined(separator: ", ")));"
  }

  private var filter: String { name.map { "WHERE history = \(Quote.literal($0))" } ?? "" }

  private func condition(_ kind: Migration.Kind) -> String {
    "WHERE history = \(Quote.literal(name ?? "")) AND kind = \(Quote.literal(kind.rawValue))"
  }

  private static func array(_ datasets: [String]?) -> String {
    datasets.map { "ARRAY[\($0.map(Quote.literal).joined(separator: ", "))]::pg_catalog.text[]" } ?? "NULL"
  }

  /// The columns that a file gives, of ``source(_:)``: its text may be many megabytes and is sent once, though
  /// it is in two of them.
  private static func values(_ migration: Migration) -> String {
    let (head, tail) = migration.textAroundUp
    let names = [migration.kind.rawValue, migration.version, migration.name, migration.checksum]
    let down = migration.down.section.map { Quote.literal($0.sql) } ?? "NULL"
    return names.map(Quote.literal).joined(separator: ", ")
      + ", up, \(down), \(Quote.literal(head)) || up || \(Quote.literal(tail + migration.rest))"
  }

  private static func source(_ up: String) -> String {
    "FROM (SELECT \(Quote.literal(up))::pg_catalog.text AS up) AS file"
  }
}

struct AppliedText: Sendable {
  let up: String
  /// The section `down`; nil where there was none.
  let down: String?
  /// All of it as a file in our own format; of a first half with the second as it was then, of a second half it
  /// alone.
  let definition: String

  /// The migration, read from ``definition``; its file is named for people, since errors in it have no place in
  /// any.
  ///
  /// - Throws: `MigrationError.malformed` where somebody has edited the history.
  func migration(_ row: AppliedMigration) throws(MigrationError) -> Migration {
    try MigrationParser(text: definition, file: "\(row.version)_\(row.name).sql (as applied)")
      .applied(version: row.version, name: row.name)
  }

  /// ``definition`` without the half that another row is of.
  func ownText(_ row: AppliedMigration) throws(MigrationError) -> String {
    let own = try migration(row)
    return own.rest.isEmpty ? definition : own.text
  }
}

/// One statement of a migration that runs outside a transaction: begun, or done.
struct JournalEntry: Sendable {
  let kind: Migration.Kind
  let version: String
  let name: String
  let direction: Direction
  /// The statement's place in its section, from 1.
  let statement: Int
  let checksum: String
  let isDone: Bool
  /// How far it has come; nil where it does not run in batches.
  let batch: BatchState?
  /// As ISO 8601 with zone.
  let at: String

  func isAbout(_ row: AppliedMigration) -> Bool { kind == row.kind && version == row.version }

  /// A migration of which nothing is known but that some of it was done.
  var asApplied: AppliedMigration {
    AppliedMigration(
      kind: kind, version: version, name: name, checksum: "", appliedAt: at, seconds: 0, position: 0,
      isBaseline: false, datasets: nil, state: .partial, batch: isDone ? nil : batch)
  }
}
