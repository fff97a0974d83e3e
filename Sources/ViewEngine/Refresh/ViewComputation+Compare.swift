import Definitions
import PostgreSQL

/// Says how far what is stored is from what the sources give.
extension ViewComputation {
  /// Computes everything, and counts the rows in which the view differs from it; and, where changes are added
  /// up, the groups in which what is stored of them does.
  /// - Throws: ``ViewProblem`` where the SELECT fails; `PostgreSQLError`.
  func differences() throws -> (ViewComparison.Rows, groups: ViewComparison.Rows?) {
    if registered.isOnShards {
      let (unique, key) = (view.unique.map(\.value), view.key.map(\.value))
      let twin = "TABLE \(Quote.qualified(registered.twin))"
      return (try explained { try differences(of: "TABLE \(table)", from: twin, by: unique, in: key) }, nil)
    }
    let columns = try ColumnType.columns(of: table, on: connection)
    let rows = try explained {
      try makeFresh("TABLE \(Quote.qualified(registered.twin))")
      return try difference(columns).count()
    }
    guard let sums = try StoredSums.known(of: registered, view, on: connection) else { return (rows, nil) }
    return try explained {
      let key = sums.shape.key
      var groups = try differences(
        of: sums.comparable("TABLE \(sums.table)"), from: sums.comparable(sums.computed), by: key, in: key)
      for values in sums.distinct {
        groups.add(try values.differences())
      }
      return (rows, groups)
    }
  }

  /// Counts the rows in which what is stored differs from what is computed.
  private func differences(
    of stored: String, from computed: String, by unique: [String], in key: [String]
  ) throws -> ViewComparison.Rows {
    let table = "pg_temp.rivulet_stored"
    try makeFresh(computed)
    try connection.execute(
      "DROP TABLE IF EXISTS \(table); CREATE TEMP TABLE rivulet_stored ON COMMIT DROP AS \(stored)")
    let types = try ColumnType.columns(of: table, on: connection)
    return try RowDifference(
      table: table, columns: types.sorted { $0.value.position < $1.value.position }.map(\.key),
      types: types, unique: unique, key: key, connection: connection
    ).count()
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
