import PostgreSQL

/// The groups that something has changed in: a table of the transaction at work.
struct DirtyGroups {
  /// How many there are.
  let count: Int
  /// The types of their columns.
  let types: [String: ColumnType]
  private let columns: [String]

  /// The table, which statements call `d`.
  static let table = "pg_temp.rivulet_dirty"
  /// So many groups are computed one by one, each given as values: the planner leaves out partitions by a
  /// value before it reads any, and by a table's row not.
  private static let few = 4

  /// Puts the groups into the table, in their order: those that are neighbours in an index are looked for one
  /// after the other.
  /// - Parameters:
  ///   - changed: a SELECT of the groups.
  ///   - columns: the names of its columns.
  ///   - connection: that of the transaction at work.
  /// - Throws: `PostgreSQLError`.
  init(_ changed: String, _ columns: [String], on connection: Connection) throws {
    self.columns = columns
    let order = columns.indices.map { String($0 + 1) }.joined(separator: ", ")
    count = try connection.execute(
      "CREATE TEMP TABLE rivulet_dirty ON COMMIT DROP AS \(changed)\nORDER BY \(order)"
    ).affectedRows
    try connection.execute("ANALYZE \(Self.table)")
    types = try ColumnType.columns(of: Self.table, on: connection)
  }

  /// Which of some of the columns are null in them.
  /// - Throws: `PostgreSQLError`.
  func patterns(of key: [String], on connection: Connection) throws -> [NullPattern] {
    try NullPattern.occurring(in: Self.table, key, types, on: connection)
  }

  /// Their values, where they are few; nil where they are many.
  /// - Throws: `PostgreSQLError`.
  func fewValues(on connection: Connection) throws -> [[String?]]? {
    guard count <= Self.few else { return nil }
    return try connection.query("SELECT \(KeysQuery.list(columns)) FROM \(Self.table)").rows.map { row in
      columns.indices.map { row[$0] }
    }
  }
}
