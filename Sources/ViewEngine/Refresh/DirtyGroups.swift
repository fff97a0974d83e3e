import PostgreSQL

/// The groups that something has changed in: a few as values, or a table of the transaction at work.
///
/// To make, analyse and drop a table takes several times as long as to find one group.
struct DirtyGroups {
  /// How many there are.
  let count: Int
  /// The types of their columns.
  let types: [String: ColumnType]
  /// Their values, in the order of ``columns``; nil where they are in the table.
  let values: [[String?]]?
  private let columns: [String]

  private static let table = "pg_temp.rivulet_dirty"
  /// So many groups are computed one by one, each given as values: the planner leaves out partitions by a value before it
  /// reads any, and by a table's row not.
  static let few = 4

  /// Reads the groups; nil where they are more than a few, or equal ones need not be identical.
  /// - Parameter changed: a SELECT of the groups.
  init?(few changed: String, _ columns: [String], on connection: Connection) throws {
    let collations = columns.map { "pg_collation_for(\(Quote.identifier($0))::text)" }
    let found = try connection.query(
      """
      SELECT \((columns.map(Quote.identifier) + collations).joined(separator: ", ")) FROM (
      \(changed)
      ) d LIMIT \(Self.few + 1)
      """)
    guard found.count <= Self.few else { return nil }
    var types: [String: ColumnType] = [:]
    for (index, column) in columns.enumerated() {
      let isUsual = found.rows.allSatisfy { $0[columns.count + index] == "\"default\"" }
      guard isUsual, let type = ColumnType.exact(found.columnTypes[index]) else { return nil }
      types[column] = type
    }
    self.columns = columns
    self.types = types
    count = found.count
    values = found.rows.map { row in columns.indices.map { row[$0] } }
  }

  /// Puts the groups into a table, in their order: those that are neighbours in an index are looked for one after the other.
  init(_ changed: String, _ columns: [String], on connection: Connection) throws {
    self.columns = columns
    values = nil
    let order = columns.indices.map { String($0 + 1) }.joined(separator: ", ")
    count = try connection.execute(
      "CREATE TEMP TABLE rivulet_dirty ON COMMIT DROP AS \(changed)\nORDER BY \(order)"
    ).affectedRows
    types = try ColumnType.columns(of: Self.table, on: connection)
  }

  /// Lets the planner know what is in the table.
  func analyse(on connection: Connection) throws {
    if values == nil { try connection.execute("ANALYZE \(Self.table)") }
  }

  /// What to write behind FROM, named `d`, with ``parameters``; there must be any.
  var relation: String {
    guard let values else { return "\(Self.table) d" }
    let rows = values.indices.map { row in
      let places = columns.enumerated().map { index, column in
        "$\(row * columns.count + index + 1)::\((types[column] ?? .boolean).name)"
      }
      return "(\(places.joined(separator: ", ")))"
    }
    return "(VALUES \(rows.joined(separator: ", "))) d(\(KeysQuery.list(columns)))"
  }

  /// The values in ``relation``.
  var parameters: [Parameter] { (values ?? []).flatMap { $0.map { Parameter($0) } } }

  /// Which of some of the columns are null in them.
  func patterns(of key: [String], on connection: Connection) throws -> [NullPattern] {
    guard let values else { return try NullPattern.occurring(in: Self.table, key, types, on: connection) }
    let places = key.compactMap(columns.firstIndex)
    let bits = Set(values.map { row in places.map { row[$0] == nil ? "1" : "0" }.joined() })
    return bits.sorted().map { NullPattern(key, types, $0) }
  }

  /// Their values, read from the table where they are there.
  func read(on connection: Connection) throws -> [[String?]] {
    if let values { return values }
    return try connection.query("SELECT \(KeysQuery.list(columns)) FROM \(Self.table)").rows.map { row in
      columns.indices.map { row[$0] }
    }
  }
}
