import PostgreSQL

extension Connection {
  /// The rows of a query as lines, `|` between columns and `-` for null.
  func lines(_ sql: String) throws -> [String] {
    let result = try execute(sql)
    return result.rows.map { row in
      result.columns.indices.map { row[$0] ?? "-" }.joined(separator: "|")
    }
  }
}
