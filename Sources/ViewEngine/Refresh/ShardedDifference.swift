import Definitions
import PostgreSQL

/// Writes to a view that is distributed what differs between its rows and those that were computed, each shard's on its
/// server; rows are the same where they are byte by byte.
struct ShardedDifference {
  let sharded: ShardedView
  /// The types of the view's columns.
  let types: [String: ColumnType]
  /// Whether only the groups that something has changed in were computed.
  let isPartial: Bool

  private var view: ViewDefinition { sharded.view }
  private var connection: Connection { sharded.connection }
  private var unique: [String] { view.unique.map(\.value) }

  /// Whether the rows that were computed belong to the groups that they were computed for.
  /// - Throws: `PostgreSQLError`.
  func staysInGroups() throws -> Bool {
    try connection.query("SELECT count(*) FROM \(sharded.fresh) n WHERE \(try outside("n"))")[0].value(0) == 0
  }

  /// Whether no row that was computed is alike, by what distinguishes rows, to another one or to a stored row of
  /// another group.
  /// - Throws: `PostgreSQLError`.
  func isDistinct() throws -> Bool {
    let alike = """
      SELECT 1 FROM \(sharded.fresh) GROUP BY \(KeysQuery.list(unique)) HAVING count(*) > 1 LIMIT 1
      """
    if try connection.execute(alike).count > 0 { return false }
    // Where the key is part of it, rows of two groups never are.
    if !isPartial || Set(view.key.map(\.value)).isSubset(of: unique) { return true }
    let others = try outside("s")
    return try patterns().allSatisfy { pattern in
      try connection.query(
        """
        SELECT count(*) FROM \(sharded.fresh) n JOIN \(sharded.table) s ON \(pattern.matches("s", "n")) WHERE \(others)
        """)[0].value(0) == 0
    }
  }

  /// Writes it: what is gone first, which makes room.
  /// - Parameter refresh: gets how many rows were written.
  /// - Throws: `PostgreSQLError`.
  func write(into refresh: inout ViewRefresh) throws {
    let (table, fresh) = (sharded.table, sharded.fresh)
    let patterns = try patterns()
    func none(_ one: String, like other: String, in table: String) -> String {
      patterns.map { "NOT EXISTS (SELECT FROM \(table) \(one) WHERE \($0.matches(one, other)))" }
        .joined(separator: " AND ")
    }
    let isGone = none("n", like: "s", in: fresh)
    let groups =
      isPartial
      ? try groups().map { "USING \(sharded.dirty) d WHERE \($0.matches("s", "d")) AND" } : ["WHERE"]
    for group in groups {
      refresh.deleted += try connection.execute("DELETE FROM \(table) s \(group) \(isGone)").affectedRows
    }
    let columns = ShardedView.columns(types)
    let written = columns.filter { $0 != sharded.distributed }.map(Quote.identifier)
    func row(_ alias: String) -> String {
      "ROW(\(columns.map { "\(alias).\(Quote.identifier($0))" }.joined(separator: ", ")))"
    }
    for pattern in patterns where !written.isEmpty {
      refresh.updated += try connection.execute(
        """
        UPDATE \(table) s SET \(written.map { "\($0) = n.\($0)" }.joined(separator: ", ")) FROM \(fresh) n
        WHERE \(pattern.matches("s", "n")) AND record_image_ne(\(row("s")), \(row("n")))
        """
      ).affectedRows
    }
    let names = KeysQuery.list(columns)
    refresh.inserted += try connection.execute(
      """
      INSERT INTO \(table) (\(names)) SELECT \(columns.map { "n.\(Quote.identifier($0))" }.joined(separator: ", "))
      FROM \(fresh) n WHERE \(none("s", like: "n", in: table))
      """
    ).affectedRows
  }

  /// Which of the columns that distinguish rows are null in those that were computed.
  private func patterns() throws -> [NullPattern] {
    try NullPattern.occurring(in: sharded.fresh, unique, types, on: connection)
  }

  /// The same of the columns of the key in the groups that have changed.
  private func groups() throws -> [NullPattern] {
    try NullPattern.occurring(in: sharded.dirty, view.key.map(\.value), types, on: connection)
  }

  /// A condition: a row is of none of the groups that have changed.
  private func outside(_ alias: String) throws -> String {
    try groups().map { "NOT EXISTS (SELECT FROM \(sharded.dirty) d WHERE \($0.matches(alias, "d")))" }
      .joined(separator: " AND ")
  }
}
