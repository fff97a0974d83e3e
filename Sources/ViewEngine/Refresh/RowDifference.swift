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
  /// Those that distinguish one row from another.
  let unique: [String]
  /// Those that distinguish one group from another.
  let key: [String]
  let connection: Connection

  /// The rows that were computed.
  static let fresh = "pg_temp.rivulet_fresh"
  /// What there is to say of the rows that were computed, before they are written.
  struct Findings {
    /// They belong to the groups that they were computed for.
    let staysInGroups: Bool
    /// No two of them are the same by what distinguishes rows.
    let rowsAreDistinct: Bool
    /// Which of the columns that distinguish rows are null in them.
    let patterns: [NullPattern]
  }

  /// Looks at the rows that were computed for some groups.
  func examine(_ dirty: DirtyGroups) throws -> Findings {
    let known = try dirty.patterns(of: key, on: connection).map {
      "AND NOT EXISTS (SELECT FROM \(DirtyGroups.table) d WHERE \($0.matches("n", "d")))"
    }
    let grouping = unique.isEmpty ? "()" : KeysQuery.list(unique)
    // Those outside are counted: asked for a first row only, the planner compares each with each.
    let found = try connection.query(
      """
      SELECT (SELECT count(*) FROM \(Self.fresh) n WHERE true \(known.joined(separator: " "))) = 0,
        NOT EXISTS (SELECT FROM \(Self.fresh) GROUP BY \(grouping) HAVING count(*) > 1),
        array_to_string(ARRAY(\(NullPattern.query(Self.fresh, unique))), ',')
      """)[0]
    let patterns = try found.value(2, String.self).split(separator: ",").map(String.init)
    return Findings(
      staysInGroups: try found.value(0), rowsAreDistinct: try found.value(1),
      patterns: (unique.isEmpty ? [""] : patterns).map { NullPattern(unique, types, $0) })
  }

  /// Whether none of the rows that were computed is alike, by what distinguishes rows, to a row of another
  /// group.
  func leavesOtherGroups(_ dirty: DirtyGroups, _ rows: [NullPattern]) throws -> Bool {
    // Where the key is part of it, rows of two groups never are.
    if Set(key).isSubset(of: unique) { return true }
    let known = try dirty.patterns(of: key, on: connection).map {
      "AND NOT EXISTS (SELECT FROM \(DirtyGroups.table) d WHERE \($0.matches("s", "d")))"
    }
    return try rows.allSatisfy { pattern in
      try connection.query(
        """
        SELECT count(*) FROM \(Self.fresh) n JOIN \(table) s ON \(pattern.matches("s", "n"))
        WHERE true \(known.joined(separator: " "))
        """)[0].value(0) == 0
    }
  }

  /// Which of the columns that distinguish rows are null in the rows that were computed.
  func patterns() throws -> [NullPattern] {
    try NullPattern.occurring(in: Self.fresh, unique, types, on: connection)
  }

  /// Writes the difference of some groups, or where they are nil of the whole view.
  ///
  /// Stored rows and computed ones are brought together once: to look for each stored row three times, to
  /// delete, to update and to insert it, takes longer than to compute it.
  /// - Parameters:
  ///   - dirty: the groups.
  ///   - rows: the patterns of what distinguishes the rows that were computed.
  /// - Returns: how many rows were written.
  /// - Throws: `PostgreSQLError`, also where somebody's own index or constraint refuses a row.
  func write(_ dirty: DirtyGroups?, _ rows: [NullPattern]) throws -> Count {
    let list = columns.map(Quote.identifier).joined(separator: ", ")
    let values = columns.map { "n.\(Quote.identifier($0))" }.joined(separator: ", ")
    // Each kind of change waits for the one before it: the server promises no order, and a row that goes
    // makes room for another under an index of somebody's.
    let counts = try connection.query(
      """
      WITH differing (stored, fresh) AS MATERIALIZED (
      \(differences(dirty, rows))
      ), deleted AS (
        DELETE FROM \(table) s USING differing d WHERE s.ctid = d.stored AND d.fresh IS NULL RETURNING true
      ), updated AS (
        UPDATE \(table) s SET (\(list)) = ROW(\(values)) FROM differing d, \(Self.fresh) n
        WHERE s.ctid = d.stored AND n.ctid = d.fresh AND (SELECT count(*) FROM deleted) >= 0 RETURNING true
      ), inserted AS (
        INSERT INTO \(table) (\(list)) SELECT n.* FROM differing d JOIN \(Self.fresh) n ON n.ctid = d.fresh
        WHERE d.stored IS NULL AND (SELECT count(*) FROM updated) >= 0 RETURNING true
      )
      SELECT (SELECT count(*) FROM inserted), (SELECT count(*) FROM updated), (SELECT count(*) FROM deleted)
      """)[0]
    return Count(
      inserted: try counts.value(0), updated: try counts.value(1), deleted: try counts.value(2))
  }

  // MARK: Differences

  /// A SELECT of the places of a stored row and of the one that was computed for it, where they differ or one
  /// of them is not there.
  private func differences(_ dirty: DirtyGroups?, _ rows: [NullPattern]) throws -> String {
    // A row with a null is never equal to another, and so is gone where none with a null was computed.
    let isPlain = rows.count == 1 && !rows[0].hasNull
    let stored = try self.stored(dirty)
    func side(_ sql: String, _ pattern: NullPattern, _ alias: String) -> String {
      isPlain
        ? "(\n\(sql)\n) \(alias)" : "(SELECT * FROM (\n\(sql)\n) r WHERE \(pattern.describes("r"))) \(alias)"
    }
    var parts = rows.flatMap { pattern in
      let (old, new) = (side(stored, pattern, "s"), side(places(Self.fresh), pattern, "n"))
      let equal = pattern.equals("s", "n")
      let joined = """
        SELECT s.rivulet_place, n.rivulet_place
        FROM \(old) \(pattern.isJoinable ? "FULL" : "RIGHT") JOIN \(new) ON \(equal)
        WHERE s.rivulet_place IS NULL OR n.rivulet_place IS NULL
          OR s.rivulet_row OPERATOR(pg_catalog.*<>) n.rivulet_row
        """
      if pattern.isJoinable { return [joined] }
      return [
        joined,
        "SELECT s.rivulet_place, NULL::tid FROM \(old) WHERE NOT EXISTS (SELECT FROM \(new) WHERE \(equal))",
      ]
    }
    if !isPlain {
      let known = rows.map { " AND NOT (\($0.describes("r")))" }.joined()
      parts.append("SELECT r.rivulet_place, NULL::tid FROM (\n\(stored)\n) r WHERE true\(known)")
    }
    return parts.joined(separator: "\nUNION ALL\n")
  }

  /// A SELECT of the rows that are stored of the groups.
  private func stored(_ dirty: DirtyGroups?) throws -> String {
    guard let dirty else { return places(table) }
    return try dirty.patterns(of: key, on: connection).map {
      "\(places(table)), \(DirtyGroups.table) d WHERE \($0.matches("rivulet_t", "d"))"
    }.joined(separator: "\nUNION ALL\n")
  }

  /// A SELECT of the rows of a table: the place of each, all of it, and what distinguishes it.
  private func places(_ table: String) -> String {
    let apart = unique.map { ", rivulet_t.\(Quote.identifier($0))" }.joined()
    return "SELECT rivulet_t.ctid AS rivulet_place, rivulet_t AS rivulet_row\(apart) FROM \(table) rivulet_t"
  }
}
