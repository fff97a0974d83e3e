import PostgreSQL

/// Which of some columns are null in a row.
///
/// Null is a value like any other in a key, but no index finds rows by `IS NOT DISTINCT FROM`. So rows are
/// looked for by plain conditions, one set for each pattern of nulls that occurs, which is nearly always the
/// one without any.
struct NullPattern {
  /// The columns, quoted, with the type of each and whether it is null.
  private let columns: [(name: String, type: ColumnType, isNull: Bool)]

  /// A pattern.
  /// - Parameters:
  ///   - columns: their names.
  ///   - types: those of the columns; one that is not among them is boolean.
  ///   - bits: `1` for each column that is null, else `0`.
  init(_ columns: [String], _ types: [String: ColumnType], _ bits: String) {
    self.columns = zip(columns, bits).map { column, bit in
      (Quote.identifier(column), types[column] ?? .boolean, bit == "1")
    }
  }

  /// A SELECT of the patterns that occur in a table.
  static func query(_ table: String, _ columns: [String]) -> String {
    let bits = columns.map { "CASE WHEN \(Quote.identifier($0)) IS NULL THEN '1' ELSE '0' END" }
    return "SELECT DISTINCT \(bits.isEmpty ? "''" : bits.joined(separator: " || ")) FROM \(table) ORDER BY 1"
  }

  /// The patterns that occur in a table. A column whose type is not given is boolean.
  /// - Throws: `PostgreSQLError`.
  static func occurring(
    in table: String, _ columns: [String], _ types: [String: ColumnType], on connection: Connection
  ) throws -> [NullPattern] {
    guard !columns.isEmpty else { return [NullPattern([], types, "")] }
    return try connection.query(query(table, columns)).rows.map {
      NullPattern(columns, types, try $0.value(0))
    }
  }

  /// A condition: rows of two tables, by their aliases, are both of the pattern and equal in all columns.
  func matches(_ one: String, _ other: String) -> String {
    condition { name, type, isNull in
      isNull
        ? "\(one).\(name) IS NULL AND \(other).\(name) IS NULL"
        : "\(one).\(name) \(type.equality) \(other).\(name)"
    }
  }

  /// A condition on rows that are both of the pattern: they are equal.
  func equals(_ one: String, _ other: String) -> String {
    let equal = columns.filter { !$0.isNull }.map {
      "\(one).\($0.name) \($0.type.equality) \(other).\($0.name)"
    }
    return equal.isEmpty ? "true" : equal.joined(separator: " AND ")
  }

  /// A FULL JOIN can be by that condition.
  var isJoinable: Bool {
    let equal = columns.filter { !$0.isNull }
    return equal.isEmpty || equal.contains { $0.type.isJoinable }
  }

  /// A column is null in it.
  var hasNull: Bool { columns.contains { $0.isNull } }

  /// A condition: the rows of a table, by its alias, are of the pattern.
  func describes(_ table: String) -> String {
    condition { name, _, isNull in "\(table).\(name) IS \(isNull ? "" : "NOT ")NULL" }
  }

  private func condition(_ each: (String, ColumnType, Bool) -> String) -> String {
    guard !columns.isEmpty else { return "true" }
    return columns.map(each).joined(separator: " AND ")
  }
}
