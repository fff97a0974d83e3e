import PostgreSQL
import SQLText
import Values

/// The table `rivulet.migration_statement`: how far a migration has come that runs statement by statement.
struct StatementJournal {
  let connection: Connection
  /// The history that it goes with.
  let history: String
  /// Whether the database knows histories by name, which one that this program has not written to may not.
  var isNamed = true

  private var isOurs: String { isNamed ? "history = \(Quote.literal(history))" : "true" }

  /// The last entry of each migration that is under way.
  func underWay() throws -> [JournalEntry] {
    try entries(
      "WHERE \(isOurs) AND (kind, version, direction, statement) IN (SELECT kind, version, direction, "
        + "max(statement) FROM rivulet.migration_statement WHERE \(isOurs) GROUP BY 1, 2, 3)")
  }

  func entries(_ kind: Migration.Kind, _ version: String, _ direction: Direction) throws -> [JournalEntry] {
    try entries(
      "WHERE \(isOurs) AND kind = $1 AND version = $2 AND direction = $3 ORDER BY statement",
      [.text(kind.rawValue), .text(version), .text(direction.rawValue)])
  }

  private func entries(_ condition: String, _ parameters: [Parameter] = []) throws -> [JournalEntry] {
    try connection.query(
      """
      SELECT kind, version, name, direction, statement, checksum, state = 'done',
        to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      FROM rivulet.migration_statement \(condition)
      """, parameters
    ).rows.map { row in
      JournalEntry(
        kind: Migration.Kind(rawValue: try row.value(0)) ?? .versioned, version: try row.value(1),
        name: try row.value(2), direction: Direction(rawValue: try row.value(3)) ?? .up,
        statement: try row.value(4), checksum: try row.value(5), isDone: try row.value(6),
        at: try row.value(7))
    }
  }

  func record(_ work: SectionWork, statement: Int, checksum: String, isDone: Bool) throws {
    try write(
      """
      INSERT INTO rivulet.migration_statement (history, kind, version, direction, statement, name, checksum, state)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (history, kind, version, direction, statement)
      DO UPDATE SET checksum = excluded.checksum, state = excluded.state, at = clock_timestamp()
      """, work, statement, [.text(work.name), .text(checksum), .text(isDone ? "done" : "started")])
  }

  /// The SQL that records that a statement, as its file has it, is done.
  func addition(of work: SectionWork, statement: Int, _ text: String) -> String {
    let values = [work.kind.rawValue, work.version, work.direction.rawValue].map(Quote.literal)
    let others = [work.name, StatementJournal.checksum(text), "done"].map(Quote.literal)
    return "INSERT INTO rivulet.migration_statement "
      + "(history, kind, version, direction, statement, name, checksum, state) VALUES "
      + "(\(([Quote.literal(history)] + values + ["\(statement)"] + others).joined(separator: ", ")));"
  }

  func forget(_ work: SectionWork, statement: Int) throws {
    try write(
      """
      DELETE FROM rivulet.migration_statement
      WHERE history = $1 AND kind = $2 AND version = $3 AND direction = $4 AND statement = $5
      """, work, statement)
  }

  /// As ourselves, whatever role the migration has taken on.
  private func write(_ sql: String, _ work: SectionWork, _ statement: Int, _ more: [Parameter] = []) throws {
    let key: [Parameter] = [
      .text(history), .text(work.kind.rawValue), .text(work.version), .text(work.direction.rawValue),
      .integer(statement),
    ]
    let settings = "SET LOCAL SESSION AUTHORIZATION DEFAULT; SET LOCAL ROLE NONE"
    try connection.transaction(settings: settings) { _ = try connection.query(sql, key + more) }
  }

  /// Forgets a migration: it is through, in whatever direction.
  func clear(_ kind: Migration.Kind, _ version: String) throws {
    try connection.execute(removal(of: kind, version))
  }

  /// The SQL that forgets it.
  func removal(of kind: Migration.Kind, _ version: String) -> String {
    "DELETE FROM rivulet.migration_statement WHERE history = \(Quote.literal(history)) "
      + "AND kind = \(Quote.literal(kind.rawValue)) AND version = \(Quote.literal(version));"
  }

  /// Identifies a statement as its file has it, also in a file that was edited elsewhere.
  static func checksum(_ statement: String) -> String {
    SHA256.hex(of: Array(SQLStatements.normalised(statement).utf8))
  }
}
