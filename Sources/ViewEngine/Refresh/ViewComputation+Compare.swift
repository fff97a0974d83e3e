import Definitions
import PostgreSQL

/// Says how far what is stored is from what the sources give.
extension ViewComputation {
  /// Computes everything, and counts the rows in which the view differs from it; and, where changes are added
  /// up, the groups in which what is stored of them does.
  /// - Throws: ``ViewProblem`` where the SELECT fails; `PostgreSQLError`.
  func differences() throws -> (ViewComparison.Rows, groups: ViewComparison.Rows?) {
    let columns = try ColumnType.columns(of: table, on: connection)
    let rows = try explained {
      try makeFresh("TABLE \(Quote.qualified(registered.twin))")
      return try difference(columns).count()
    }
    guard let sums = try sums() else { return (rows, nil) }
    let stored = "pg_temp.rivulet_stored"
    return try explained {
      try makeFresh(sums.comparable(sums.computed))
      try connection.execute(
        "CREATE TEMP TABLE rivulet_stored ON COMMIT DROP AS \(sums.comparable("TABLE \(sums.table)"))")
      let types = try ColumnType.columns(of: stored, on: connection)
      let groups = RowDifference(
        table: stored, columns: types.sorted { $0.value.position < $1.value.position }.map(\.key),
        types: types, unique: sums.shape.key, key: sums.shape.key, connection: connection)
      return (rows, try groups.count())
    }
  }

  /// Computes rows, in the place of those that were computed before.
  private func makeFresh(_ rows: String) throws {
    try connection.execute(
      """
      DROP TABLE IF EXISTS \(RowDifference.fresh);
      CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS \(rows);
      ANALYZE \(RowDifference.fresh)
      """)
  }
}
