import PostgreSQL

/// Says how far the values that are stored are from those of the source.
extension DistinctValues {
  /// Counts the values that are stored more or less often than the rows of the source have them. Those that are
  /// equal are the same, as 1.0 and 1.00: what is stored is the first of them.
  /// - Throws: `PostgreSQLError`.
  func differences() throws -> ViewComparison.Rows {
    let columns = "\(shape.keyList), \(column)"
    let counts = try connection.query(
      """
      SELECT count(*) FILTER (WHERE stored = 0), count(*) FILTER (WHERE fresh = 0),
        count(*) FILTER (WHERE stored <> 0 AND fresh <> 0)
      FROM (
        SELECT sum(stored) AS stored, sum(fresh) AS fresh
        FROM (SELECT \(columns), rivulet_n AS stored, 0 AS fresh FROM (\(stored)) s
          UNION ALL SELECT \(columns), 0, rivulet_n FROM (\(computed)) f) b
        GROUP BY \(columns) HAVING sum(stored) <> sum(fresh)) d
      """)[0]
    return ViewComparison.Rows(
      missing: try counts.value(0), surplus: try counts.value(1), changed: try counts.value(2))
  }
}
