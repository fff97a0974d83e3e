import PostgreSQL

/// Writes to a stored view what differs between its rows and those that were computed, and nothing else.
///
/// Rows are the same where they are byte by byte: 1.0 becomes 1.00 where the SELECT now says so.
struct RowDifference {
  /// How many rows were written.
  struct Count {
    var inserted = 0
    var updated = 0
    var deleted = 0

    /// All of them.
    var rows: Int { inserted + updated + deleted }
  }

  /// The stored view's table, quoted.
  let table: String
  /// All its columns.
  let columns: [String]
  /// Their types.
  let types: [String: ColumnType]
  /// Those that tell one row from another.
  let unique: [String]
  /// Those that tell one group from another.
  let key: [String]
  let connection: Connection

  /// The rows that were computed.
  static let fresh = "pg_temp.rivulet_fresh"
  /// What there is to say of the rows that were computed, before they are written.
  struct Findings {
    /// They belong to the groups that they were computed for.
    let staysInGroups: Bool
    /// No two of them are the same by what tells rows apart.
    let tellsRowsApart: Bool
    /// Which of the columns that tell rows apart are null in them.
    let patterns: [NullPattern]
  }

  /// Looks at the rows that were computed for some groups.
  func examine(_ dirty: DirtyGroups) throws -> Findings {
    let known = try dirty.patterns(of: key, on: connection).map {
      "AND NOT EXISTS (SELECT FROM \(dirty.relation) WHERE \($0.matches("n", "d")))"
    }
    let grouping = unique.isEmpty ? "()" : KeysQuery.list(unique)
    // Those outside are counted: asked for a first row only, the planner compares each with each.
    let found = try connection.query(
      """
      SELECT (SELECT count(*) FROM \(Self.fresh) n WHERE true \(known.joined(separator: " "))) = 0,
        NOT EXISTS (SELECT FROM \(Self.fresh) GROUP BY \(grouping) HAVING count(*) > 1),
        array_to_string(ARRAY(\(NullPattern.query(Self.fresh, unique))), ',')
      """, dirty.parameters)[0]
    let patterns = try found.value(2, String.self).split(separator: ",").map(String.init)
    return Findings(
      staysInGroups: try found.value(0), tellsRowsApart: try found.value(1),
      patterns: (unique.isEmpty ? [""] : patterns).map { NullPattern(unique, types, $0) })
  }

  /// Whether none of the rows that were computed is alike, by what tells rows apart, to a row of another group.
  func leavesOtherGroups(_ dirty: DirtyGroups, _ rows: [NullPattern]) throws -> Bool {
    // Where the key is part of it, rows of two groups never are.
    if Set(key).isSubset(of: unique) { return true }
    let known = try dirty.patterns(of: key, on: connection).map {
      "AND NOT EXISTS (SELECT FROM \(dirty.relation) WHERE \($0.matches("s", "d")))"
    }
    return try rows.allSatisfy { pattern in
      try connection.query(
        """
        SELECT count(*) FROM \(Self.fresh) n JOIN \(table) s ON \(pattern.matches("s", "n"))
        WHERE true \(known.joined(separator: " "))
        """, dirty.parameters)[0].value(0) == 0
    }
  }

  /// Writes the difference of the whole view.
  func write() throws -> Count {
    let rows = try NullPattern.occurring(in: Self.fresh, unique, types, on: connection)
    var count = Count()
    count.deleted =
      try connection.execute("DELETE FROM \(table) s WHERE true \(isGone("s", rows))").affectedRows
    for pattern in rows {
      count.updated += try update("\(Self.fresh) n", where: pattern.matches("s", "n"))
      count.inserted += try insert(pattern, unlessIn: table)
    }
    return count
  }

  /// Writes the difference of some groups.
  ///
  /// Where their rows are is found out once: to look for each of them three times, to delete, to update and to insert it, takes
  /// as long as to compute it.
  /// - Parameter rows: the patterns of what tells apart the rows that were computed.
  func write(_ dirty: DirtyGroups, _ rows: [NullPattern]) throws -> Count {
    try findStored(dirty)
    var count = Count()
    count.deleted =
      try connection.execute(
        "DELETE FROM \(table) s USING \(Self.stored) o WHERE s.ctid = o.\(Self.place) \(isGone("o", rows))"
      ).affectedRows
    for pattern in rows {
      count.updated += try update(
        "\(Self.stored) o, \(Self.fresh) n",
        where: "\(pattern.matches("o", "n")) AND s.ctid = o.\(Self.place)")
      count.inserted += try insert(pattern, unlessIn: Self.stored)
    }
    return count
  }

  // MARK: Statements

  /// The rows that are stored of some groups: the place of each, and what tells them apart.
  private static let stored = "pg_temp.rivulet_stored"
  /// Not the name of a column of a view.
  private static let place = "rivulet_place"

  private func findStored(_ dirty: DirtyGroups) throws {
    let columns = (["s.ctid AS \(Self.place)"] + unique.map { "s.\(Quote.identifier($0))" }).joined(
      separator: ", ")
    try connection.execute(
      "CREATE TEMP TABLE rivulet_stored ON COMMIT DROP AS SELECT \(columns) FROM \(table) s WITH NO DATA")
    for group in try dirty.patterns(of: key, on: connection) {
      try connection.query(
        "INSERT INTO \(Self.stored) SELECT \(columns) FROM \(dirty.relation), \(table) s WHERE \(group.matches("s", "d"))",
        dirty.parameters)
    }
    try connection.execute("ANALYZE \(Self.stored)")
  }

  /// A condition, to stand behind another: no row that was computed is the one that a table has.
  private func isGone(_ alias: String, _ rows: [NullPattern]) -> String {
    rows.map { "AND NOT EXISTS (SELECT FROM \(Self.fresh) n WHERE \($0.matches(alias, "n")))" }.joined(
      separator: " ")
  }

  private func update(_ sources: String, where condition: String) throws -> Int {
    let all = columns.map(Quote.identifier)
    return try connection.execute(
      """
      UPDATE \(table) s SET (\(all.joined(separator: ", "))) = ROW(\(all.map { "n.\($0)" }.joined(separator: ", ")))
      FROM \(sources) WHERE \(condition) AND s.* OPERATOR(pg_catalog.*<>) n.*
      """
    ).affectedRows
  }

  private func insert(_ pattern: NullPattern, unlessIn known: String) throws -> Int {
    try connection.execute(
      """
      INSERT INTO \(table) SELECT n.* FROM \(Self.fresh) n WHERE \(pattern.describes("n"))
        AND NOT EXISTS (SELECT FROM \(known) o WHERE \(pattern.matches("o", "n")))
      """
    ).affectedRows
  }
}
