import PostgreSQL

/// Which of some columns are null in a row.
///
/// Null is a value like any other in a key, but no index finds rows by `IS NOT DISTINCT FROM`. So rows are looked for by
/// plain conditions, one set for each pattern of nulls that occurs, which is nearly always the one without any.
struct NullPattern {
  /// The columns, quoted, with the equality of each and whether it is null.
  private let columns: [(name: String, equality: String, isNull: Bool)]

  /// The patterns that occur in a table.
  /// - Parameter types: those of the columns; one that is not among them is boolean.
  static func occurring(
    in table: String, _ columns: [String], _ types: [String: ColumnType], on connection: Connection
  ) throws -> [NullPattern] {
    guard !columns.isEmpty else { return [NullPattern(columns: [])] }
    let bits = columns.map { "CASE WHEN \(Quote.identifier($0)) IS NULL THEN '1' ELSE '0' END" }
    return try connection.query("SELECT DISTINCT \(bits.joined(separator: " || ")) FROM \(table) ORDER BY 1")
      .rows.map { row in
        NullPattern(
          columns: zip(columns, try row.value(0, String.self)).map { column, bit in
            (Quote.identifier(column), (types[column] ?? .boolean).equality, bit == "1")
          })
      }
  }

  /// A condition: rows of two tables, by their aliases, are both of the pattern and equal in all columns.
  func matches(_ one: String, _ other: String) -> String {
    condition { name, equality, isNull in
      isNull
        ? "\(one).\(name) IS NULL AND \(other).\(name) IS NULL"
        : "\(one).\(name) \(equality) \(other).\(name)"
    }
  }

  /// A condition: the rows of a table, by its alias, are of the pattern.
  func describes(_ table: String) -> String {
    condition { name, _, isNull in "\(table).\(name) IS \(isNull ? "" : "NOT ")NULL" }
  }

  private func condition(_ each: (String, String, Bool) -> String) -> String {
    guard !columns.isEmpty else { return "true" }
    return columns.map(each).joined(separator: " AND ")
  }
}
