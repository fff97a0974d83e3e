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
  /// Whether the database knows how far batches have come.
  var hasBatches = true

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
    let batch = hasBatches ? ", batches, rows_changed, rows_read, rows_total" : ", NULL"
    return try connection.query(
      """
      SELECT kind, version, name, direction, statement, checksum, state = 'done',
        date_trunc('second', at AT TIME ZONE 'UTC')\(batch)
      FROM rivulet.migration_statement \(condition)
      """, parameters
    ).rows.map { row in
      JournalEntry(
        kind: Migration.Kind(rawValue: try row.value(0)) ?? .versioned, version: try row.value(1),
        name: try row.value(2), direction: Direction(rawValue: try row.value(3)) ?? .up,
        statement: try row.value(4), checksum: try row.value(5), isDone: try row.value(6),
        batch: try row.optional(8, Int.self).map { batches in
          BatchState(
            batches: batches, changedRows: try row.value(9), rows: try row.value(10),
            totalRows: try row.optional(11))
        }, at: try row.value(7))
    }
  }

  /// `batch` and `position` are how far a statement has come that runs in batches; no keys where it is through.
  func record(
    _ work: SectionWork, statement: Int, checksum: String, isDone: Bool, batch: BatchState? = nil,
    position: BatchPosition? = nil
  ) throws {
    try write(
      """
      INSERT INTO rivulet.migration_statement (history, kind, version, direction, statement, name, checksum, state,
        last_key, end_key, key_types, batches, rows_changed, rows_read, rows_total)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      ON CONFLICT (history, kind, version, direction, statement)
      DO UPDATE SET (checksum, state, at, last_key, end_key, key_types, batches, rows_changed, rows_read, rows_total) =
        (excluded.checksum, excluded.state, clock_timestamp(), excluded.last_key, excluded.end_key,
        excluded.key_types, excluded.batches, excluded.rows_changed, excluded.rows_read, excluded.rows_total)
      """, work, statement,
      [
        .text(work.name), .text(checksum), .text(isDone ? "done" : "started"),
        position?.last.map { .textArray($0) } ?? .null, position?.end.map { .textArray($0) } ?? .null,
        position.map { .textArray($0.types) } ?? .null, Parameter(batch?.batches),
        Parameter(batch?.changedRows), Parameter(batch?.rows), Parameter(batch?.totalRows),
      ])
  }

  /// Where a statement is that runs in batches; nil where it has not begun.
  func position(_ work: SectionWork, statement: Int) throws -> BatchPosition? {
    try connection.transaction(settings: StatementJournal.asOurselves) {
      try connection.query(
        """
        SELECT last_key, end_key, key_types FROM rivulet.migration_statement
        WHERE history = $1 AND kind = $2 AND version = $3 AND direction = $4 AND statement = $5
          AND key_types IS NOT NULL
        """, key(of: work, statement)
      ).first.map { row in
        BatchPosition(last: try row.optional(0), end: try row.optional(1), types: try row.value(2))
      }
    }
  }

  /// The SQL that records that a statement, as its file has it, is done.
  func addition(of work: SectionWork, statement: Int, checksum: String) -> String {
    let values = [work.kind.rawValue, work.version, work.direction.rawValue].map(Quote.literal)
    let others = [work.name, checksum, "done"].map(Quote.literal)
    return "INSERT INTO rivulet.migration_statement "
      + "(history, kind, version, direction, statement, name, checksum, state) VALUES "
      + "(\(([Quote.literal(history)] + values + ["\(statement)"] + others).joined(separator: ", ")));"
  }

  /// The SQL that records that a statement has begun which runs in batches, unless it is recorded.
  ///
  /// `more` is further columns, each with its value as SQL.
  func beginning(
    of work: SectionWork, statement: Int, checksum: String, _ more: KeyValuePairs<String, String>
  )
    -> String
  {
    let values = [history, work.kind.rawValue, work.version, work.direction.rawValue, work.name, checksum]
      .map(Quote.literal)
    return
      "INSERT INTO rivulet.migration_statement (history, kind, version, direction, name, checksum, statement, "
      + "state, batches, rows_changed, rows_read, \(more.map(\.key).joined(separator: ", "))) "
      + "VALUES (\(values.joined(separator: ", ")), \(statement), 'started', 0, 0, 0, "
      + "\(more.map(\.value).joined(separator: ", "))) ON CONFLICT DO NOTHING;"
  }

  /// The condition in SQL that holds for the entry of a statement.
  func condition(of work: SectionWork, statement: Int) -> String {
    let values = [history, work.kind.rawValue, work.version, work.direction.rawValue].map(Quote.literal)
    return "WHERE (history, kind, version, direction, statement) = "
      + "(\(values.joined(separator: ", ")), \(statement))"
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
    try connection.transaction(settings: StatementJournal.asOurselves) {
      _ = try connection.query(sql, key(of: work, statement) + more)
    }
  }

  /// Whatever role the migration has taken on.
  static let asOurselves = "SET LOCAL SESSION AUTHORIZATION DEFAULT; SET LOCAL ROLE NONE;"

  private func key(of work: SectionWork, _ statement: Int) -> [Parameter] {
    [
      .text(history), .text(work.kind.rawValue), .text(work.version), .text(work.direction.rawValue),
      .integer(statement),
    ]
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
