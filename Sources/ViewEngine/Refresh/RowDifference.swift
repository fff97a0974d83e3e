import PostgreSQL

/// Writes to a stored view what differs between its rows and those that were computed, and nothing else.
///
/// Rows are the same where they are byte by byte: 1.0 becomes 1.00 where the SELECT now says so.
struct RowDifference {
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

  /// Whether the rows that were computed belong to the groups that they were computed for.
  func staysIn(_ dirty: DirtyGroups) throws -> Bool {
    // They are counted: asked for a first row only, the planner compares each with each.
    try connection.query("SELECT count(*) FROM \(Self.fresh) n WHERE \(outside(dirty, "n"))")[0].value(0) == 0
  }

  /// Whether no row that was computed is alike, by what distinguishes rows, to another one or to a stored row
  /// of another group.
  func isDistinct(_ dirty: DirtyGroups, _ rows: [NullPattern]) throws -> Bool {
    let grouping = unique.isEmpty ? "()" : KeysQuery.list(unique)
    let alike = "SELECT FROM \(Self.fresh) GROUP BY \(grouping) HAVING count(*) > 1 LIMIT 1"
    if try connection.execute(alike).count > 0 { return false }
    // Where the key is part of it, rows of two groups never are.
    if Set(key).isSubset(of: unique) { return true }
    let others = try outside(dirty, "s")
    return try rows.allSatisfy { pattern in
      try connection.query(
        """
        SELECT count(*) FROM \(Self.fresh) n JOIN \(table) s ON \(pattern.matches("s", "n"))
        WHERE \(others)
        """)[0].value(0) == 0
    }
  }

  /// A condition: a row is of none of the groups.
  private func outside(_ dirty: DirtyGroups, _ alias: String) throws -> String {
    try dirty.patterns(of: key).map {
      "NOT EXISTS (SELECT FROM \(DirtyGroups.table) d WHERE \($0.matches(alias, "d")))"
    }.joined(separator: " AND ")
  }

  /// Which of the columns that distinguish rows are null in the rows that were computed.
  func patterns() throws -> [NullPattern] {
    try NullPattern.occurring(in: Self.fresh, unique, types, on: connection)
  }

  /// Writes the difference of some groups.
  ///
  /// Stored rows and computed ones are brought together once: to look for each stored row three times, to
  /// delete, to update and to insert it, takes longer than to compute it.
  /// - Parameters:
  ///   - dirty: the groups.
  ///   - rows: the patterns of what distinguishes the rows that were computed.
  ///   - refresh: gets how many rows were written.
  /// - Throws: `PostgreSQLError`, also where somebody's own index or constraint refuses a row.
  func write(_ dirty: DirtyGroups, _ rows: [NullPattern], into refresh: inout ViewRefresh) throws {
    try write(differences(dirty, rows), into: &refresh)
  }

  /// Writes what differs in the whole view, of which so many rows were computed.
  ///
  /// Where more rows change than stay, all are written again, in the order of an index: to add a row beside the
  /// one before it takes half as long as to update one anywhere. Who learns of changes by triggers, as views of
  /// this one and foreign keys do, is given the difference.
  /// - Parameters:
  ///   - count: how many rows were computed.
  ///   - order: an ORDER BY.
  ///   - refresh: gets how many rows differed.
  /// - Throws: as ``write(_:_:into:)``.
  func writeAll(of count: Int, _ order: String, into refresh: inout ViewRefresh) throws {
    let differing = "pg_temp.rivulet_differing"
    let differences = try differences(nil, patterns())
    try connection.execute(
      "CREATE TEMP TABLE rivulet_differing (stored, fresh) ON COMMIT DROP AS\n\(differences)")
    let rows = try self.count("TABLE \(differing)")
    if rows.isEmpty { return }
    if try rows.changed < count - rows.missing - rows.changed || hasTriggers() {
      return try write("TABLE \(differing)", into: &refresh)
    }
    try connection.execute(
      "DELETE FROM \(table); INSERT INTO \(table) (\(list)) SELECT \(list) FROM \(Self.fresh)\(order)")
    (refresh.inserted, refresh.updated, refresh.deleted) = (rows.missing, rows.changed, rows.surplus)
  }

  /// Whether anything is done for each row or statement that changes the table.
  private func hasTriggers() throws -> Bool {
    try connection.query("SELECT FROM pg_trigger WHERE tgrelid = to_regclass($1) LIMIT 1", [.text(table)])
      .count > 0
  }

  /// All columns, as a list.
  private var list: String { KeysQuery.list(columns) }

  /// Writes what a SELECT gives of the places of rows that differ.
  private func write(_ differences: String, into refresh: inout ViewRefresh) throws {
    let values = columns.map { "n.\(Quote.identifier($0))" }.joined(separator: ", ")
    // Each kind of change waits for the one before it: the server promises no order, and a row that goes
    // makes room for another under an index of somebody's.
    let counts = try connection.query(
      """
      WITH differing (stored, fresh) AS MATERIALIZED (
      \(differences)
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
    refresh.inserted = try counts.value(0)
    refresh.updated = try counts.value(1)
    refresh.deleted = try counts.value(2)
  }

  // MARK: Differences

  /// Counts the rows in which the whole table differs, and writes nothing.
  /// - Throws: `PostgreSQLError`.
  func count() throws -> ViewComparison.Rows { try count(differences(nil, patterns())) }

  /// Counts them by a SELECT of their places.
  private func count(_ differences: String) throws -> ViewComparison.Rows {
    let counts = try connection.query(
      """
      SELECT count(*) FILTER (WHERE stored IS NULL), count(*) FILTER (WHERE fresh IS NULL),
        count(*) FILTER (WHERE stored IS NOT NULL AND fresh IS NOT NULL)
      FROM (
      \(differences)
      ) d(stored, fresh)
      """)[0]
    return ViewComparison.Rows(
      missing: try counts.value(0), surplus: try counts.value(1), changed: try counts.value(2))
  }

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
    return try dirty.patterns(of: key).map {
      "\(places(table)), \(DirtyGroups.table) d WHERE \($0.matches("rivulet_t", "d"))"
    }.joined(separator: "\nUNION ALL\n")
  }

  /// A SELECT of the rows of a table: the place of each, all of it, and what distinguishes it.
  private func places(_ table: String) -> String {
    let apart = unique.map { ", rivulet_t.\(Quote.identifier($0))" }.joined()
    return "SELECT rivulet_t.ctid AS rivulet_place, rivulet_t AS rivulet_row\(apart) FROM \(table) rivulet_t"
  }
}
