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
  /// The groups that they were computed for.
  static let dirty = "pg_temp.rivulet_dirty"

  /// Writes the difference: of some groups, or where `isWhole` of all there are.
  func write(isWhole: Bool) throws -> Count {
    let rows = try NullPattern.occurring(in: Self.fresh, unique, types, on: connection)
    var count = Count()
    count.deleted = try delete(isWhole ? nil : groups(), rows)
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

  /// The patterns of the groups that were computed.
  private func groups() throws -> [NullPattern] {
    try NullPattern.occurring(in: Self.dirty, key, types, on: connection)
  }

  private func delete(_ groups: [NullPattern]?, _ rows: [NullPattern]) throws -> Int {
    let gone = rows.map { "AND NOT EXISTS (SELECT FROM \(Self.fresh) n WHERE \($0.matches("s", "n")))" }
      .joined(separator: " ")
    guard let groups else {
      return try connection.execute("DELETE FROM \(table) s WHERE true \(gone)").affectedRows
    }
    return try groups.reduce(0) { count, group in
      count
        + (try connection.execute(
          "DELETE FROM \(table) s USING \(Self.dirty) d WHERE \(group.matches("s", "d")) \(gone)"
        ).affectedRows)
    }
  }

  /// Whether the rows that were computed belong to the groups that they were computed for.
  func staysInGroups() throws -> Bool {
    let known = try groups().map {
      "AND NOT EXISTS (SELECT FROM \(Self.dirty) d WHERE \($0.matches("n", "d")))"
    }
    // Counted: asked for a first row only, the planner compares each with each.
    return try connection.query(
      "SELECT count(*) FROM \(Self.fresh) n WHERE true \(known.joined(separator: " "))"
    )[0].value(0) == 0
  }

  /// Whether no two of the rows that were computed are the same by what tells rows apart.
  func tellsRowsApart() throws -> Bool {
    let grouping = unique.isEmpty ? "()" : KeysQuery.list(unique)
    return try connection.execute(
      "SELECT FROM \(Self.fresh) GROUP BY \(grouping) HAVING count(*) > 1 LIMIT 1"
    ).count == 0
  }

  /// Whether none of the rows that were computed is alike, by what tells rows apart, to a row of another group.
  func leavesOtherGroups() throws -> Bool {
    // Where the key is part of it, rows of two groups never are.
    if Set(key).isSubset(of: unique) { return true }
    let known = try groups().map {
      "AND NOT EXISTS (SELECT FROM \(Self.dirty) d WHERE \($0.matches("s", "d")))"
    }
    return try NullPattern.occurring(in: Self.fresh, unique, types, on: connection).allSatisfy { pattern in
      try connection.query(
        """
        SELECT count(*) FROM \(Self.fresh) n JOIN \(table) s ON \(pattern.matches("s", "n"))
        WHERE true \(known.joined(separator: " "))
        """)[0].value(0) == 0
    }
  }
}
