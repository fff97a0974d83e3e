public import PostgreSQL

extension ViewEngine {
  /// The stored views that wait to be computed for what came to tables or went from them by publishing, or
  /// was changed in them, in the order of their names: those that read the tables themselves, not through
  /// another view.
  /// - Throws: `PostgreSQLError`.
  public static func waiting(for tables: [String], on connection: Connection) throws -> [String] {
    let marked = try connection.query(
      "SELECT DISTINCT view FROM rivulet.view_mark WHERE source = ANY ($1)", [.textArray(tables)]
    ).rows.map { try $0.value(0, String.self) }
    let queues = try connection.query(
      """
      SELECT view, queue FROM rivulet.view_source
      WHERE source = ANY ($1) AND view <> ALL ($2) AND rivulet.relation(queue) IS NOT NULL
      """, [.textArray(tables), .textArray(marked)])
    let changed = try queues.rows.filter { row in
      try connection.query("SELECT FROM \(Quote.qualified(try row.value(1))) LIMIT 1").count > 0
    }
    return Set(marked + (try changed.map { try $0.value(0) })).sorted()
  }
}
