import PostgreSQL

/// What one would write by hand to bring some rows of a view up to date, in two ways: into a table each.
struct HandWrittenRefresh {
  let view: BenchView
  /// The view's columns after those that distinguish its rows, which are the first.
  let values: [String]
  /// Which rows of the source, and of the view.
  let condition: String

  /// A table for each way.
  var tables: [String] { ["\(view.name)_by_delete", "\(view.name)_by_merge"] }
  /// A script for each way.
  var scripts: [String] { [deleteAndInsert, merge] }

  /// Makes the tables as the view is now.
  func prepare(on connection: Connection) throws {
    for table in tables {
      try connection.execute(
        """
        CREATE TABLE \(table) (LIKE \(view.name) INCLUDING INDEXES); INSERT INTO \(table) TABLE \(view.name);
        ANALYZE \(table)
        """)
    }
    try connection.execute("CHECKPOINT")
  }

  private var deleteAndInsert: String {
    """
    BEGIN;
    DELETE FROM \(tables[0]) WHERE \(condition);
    INSERT INTO \(tables[0]) \(view.select(where: condition));
    COMMIT;

    """
  }

  /// Writes only what differs.
  private var merge: String {
    func row(_ name: String, _ columns: [String]) -> String {
      columns.map { "\(name).\($0)" }.joined(separator: ", ")
    }
    let others = view.unique.filter { !view.key.contains($0) }
    return """
      BEGIN;
      CREATE TEMP TABLE fresh ON COMMIT DROP AS \(view.select(where: condition));
      DELETE FROM \(tables[1]) t WHERE \(condition)
        AND NOT EXISTS (SELECT FROM fresh f WHERE (\(row("f", others))) = (\(row("t", others))));
      MERGE INTO \(tables[1]) t USING fresh f ON (\(row("t", view.unique))) = (\(row("f", view.unique)))
        WHEN MATCHED AND t.* IS DISTINCT FROM f.* THEN UPDATE SET (\(values.joined(separator: ", ")))
          = ROW(\(row("f", values)))
        WHEN NOT MATCHED THEN INSERT VALUES (\(row("f", view.unique + values)));
      COMMIT;

      """
  }
}
