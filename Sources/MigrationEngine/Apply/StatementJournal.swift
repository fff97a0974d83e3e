import PostgreSQL
import SQLText
import Values

/// The table `rivulet.migration_statement`: how far a migration has come that runs statement by statement.
struct StatementJournal {
  let connection: Connection

  private static let asOurselves = "SET LOCAL SESSION AUTHORIZATION DEFAULT; SET LOCAL ROLE NONE"

  /// The last entry of each migration that is under way.
  func underWay() throws -> [JournalEntry] {
    try entries(
      "WHERE (kind, version, direction, statement) IN "
        + "(SELECT kind, version, direction, max(statement) FROM rivulet.migration_statement GROUP BY 1, 2, 3)"
    )
  }

  /// The entries of one migration in one direction, in order.
  func entries(_ kind: Migration.Kind, _ version: String, _ direction: Direction) throws -> [JournalEntry] {
    try entries(
      "WHERE kind = $1 AND version = $2 AND direction = $3 ORDER BY statement",
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

  /// Writes that a statement begins, or is done; as ourselves, whatever role the migration has taken on.
  func record(_ work: SectionWork, statement: Int, checksum: String, isDone: Bool) throws {
    try connection.transaction(settings: StatementJournal.asOurselves) {
      _ = try connection.query(
        """
        INSERT INTO rivulet.migration_statement (kind, version, name, direction, statement, checksum, state)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (kind, version, direction, statement)
        DO UPDATE SET checksum = excluded.checksum, state = excluded.state, at = clock_timestamp()
        """,
        [
          .text(work.kind.rawValue), .text(work.version), .text(work.name), .text(work.direction.rawValue),
          .integer(statement), .text(checksum), .text(isDone ? "done" : "started"),
        ])
    }
  }

  /// Forgets that a statement was begun.
  func forget(_ work: SectionWork, statement: Int) throws {
    try connection.transaction(settings: StatementJournal.asOurselves) {
      _ = try connection.query(
        """
        DELETE FROM rivulet.migration_statement
        WHERE kind = $1 AND version = $2 AND direction = $3 AND statement = $4
        """,
        [.text(work.kind.rawValue), .text(work.version), .text(work.direction.rawValue), .integer(statement)])
    }
  }

  /// Forgets a migration: it is through, in whatever direction.
  func clear(_ kind: Migration.Kind, _ version: String) throws {
    try connection.query(
      "DELETE FROM rivulet.migration_statement WHERE kind = $1 AND version = $2",
      [.text(kind.rawValue), .text(version)])
  }

  /// Identifies a statement, also in a file that was edited elsewhere.
  static func checksum(_ statement: SQLStatement) -> String {
    SHA256.hex(of: Array(SQLStatements.normalised(statement.text).utf8))
  }
}
