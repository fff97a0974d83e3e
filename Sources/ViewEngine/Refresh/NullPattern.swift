import PostgreSQL

/// Which of some columns are null in a row.
///
/// Null is a value like any other in a key, but no index finds rows by `IS NOT DISTINCT FROM`. So rows are looked for by
/// plain conditions, one set for each pattern of nulls that occurs, which is nearly always the one without any.
struct NullPattern: Hashable {
  let columns: [String]
  /// Whether each column is null.
  private let nulls: [Bool]

  /// The patterns that occur in a table.
  static func occurring(
    in table: String, _ columns: [String], on connection: Connection
  ) throws -> [NullPattern] {
    guard !columns.isEmpty else { return [NullPattern(columns: [], nulls: [])] }
    let bits = columns.map { "CASE WHEN \(Quote.identifier($0)) IS NULL THEN '1' ELSE '0' END" }
    return try connection.query("SELECT DISTINCT \(bits.joined(separator: " || ")) FROM \(table) ORDER BY 1")
      .rows.map {
        NullPattern(columns: columns, nulls: try $0.value(0, String.self).map { $0 == "1" })
      }
  }

  /// A condition: rows of two tables, by their aliases, are both of the pattern and equal in all columns.
  func matches(_ one: String, _ other: String) -> String {
    condition { column, isNull in
      isNull
        ? "\(one).\(column) IS NULL AND \(other).\(column) IS NULL" : "\(one).\(column) = \(other).\(column)"
    }
  }

  /// A condition: the rows of a table, by its alias, are of the pattern.
  func describes(_ table: String) -> String {
    condition { column, isNull in "\(table).\(column) IS \(isNull ? "" : "NOT ")NULL" }
  }

  private func condition(_ each: (String, Bool) -> String) -> String {
    guard !columns.isEmpty else { return "true" }
    return zip(columns, nulls).map { each(Quote.identifier($0), $1) }.joined(separator: " AND ")
  }
}
