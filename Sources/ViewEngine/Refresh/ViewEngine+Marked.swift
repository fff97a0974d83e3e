public import PostgreSQL

extension ViewEngine {
  /// The stored views that wait to be computed for what came to tables or went from them by publishing, in the order of
  /// their names: those that read the tables themselves, not through another view.
  public static func marked(by tables: [String], on connection: Connection) throws -> [String] {
    try connection.query(
      "SELECT DISTINCT view FROM rivulet.view_mark WHERE source = ANY ($1) ORDER BY 1", [.textArray(tables)]
    ).rows.map { try $0.value(0) }
  }
}
