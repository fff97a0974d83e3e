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
    try write(nil, NullPattern.occurring(in: Self.fresh, unique, types, on: connection))
  }

  /// Writes the difference of some groups, or where these are nil of all there are.
  /// - Parameter rows: the patterns of what tells apart the rows that were computed.
  func write(_ dirty: DirtyGroups?, _ rows: [NullPattern]) throws -> Count {
    var count = Count()
    count.deleted = try delete(dirty, rows)
    let all = columns.map(Quote.identifier)
    for pattern in rows {
      count.updated += try connection.execute(
        """
        UPDATE \(table) s SET (\(all.joined(separator: ", "))) = ROW(\(all.map { "n.\($0)" }.joined(separator: ", ")))
        FROM \(Self.fresh) n WHERE \(pattern.matches("s", "n")) AND s.* OPERATOR(pg_catalog.*<>) n.*
        """
      ).affectedRows
      count.inserted += try connection.execute(
        """
        INSERT INTO \(table) SELECT n.* FROM \(Self.fresh) n WHERE \(pattern.describes("n"))
          AND NOT EXISTS (SELECT FROM \(table) s WHERE \(pattern.matches("s", "n")))
        """
      ).affectedRows
    }
    return count
  }

  private func delete(_ dirty: DirtyGroups?, _ rows: [NullPattern]) throws -> Int {
    let gone = rows.map { "AND NOT EXISTS (SELECT FROM \(Self.fresh) n WHERE \($0.matches("s", "n")))" }
      .joined(separator: " ")
    guard let dirty else {
      return try connection.execute("DELETE FROM \(table) s WHERE true \(gone)").affectedRows
    }
    return try dirty.patterns(of: key, on: connection).reduce(0) { count, group in
      count
        + (try connection.query(
          "DELETE FROM \(table) s USING \(dirty.relation) WHERE \(group.matches("s", "d")) \(gone)",
          dirty.parameters
        ).affectedRows)
    }
  }
}
