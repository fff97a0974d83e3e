import Definitions
import PostgreSQL

/// What a refresh computes, each group on the server of its shard.
extension ShardedView {
  /// Computes the groups that something has changed in.
  /// - Parameters:
  ///   - changed: a SELECT of the groups.
  ///   - query: what says which groups there are.
  ///   - types: those of the view's columns.
  ///   - most: how many groups may have changed; with more nothing is computed.
  /// - Returns: how many groups have changed.
  /// - Throws: `PostgreSQLError`, ``ViewProblem``.
  func compute(_ changed: String, _ query: KeysQuery, _ types: [String: ColumnType], most: Int) throws -> Int
  {
    let count = try connection.execute("INSERT INTO \(dirty) \(changed)").affectedRows
    guard count > 0, count <= most else { return count }
    let isCounted = try canAnalyze()
    if isCounted { try analyze(dirty) }
    let groups = givesRowsOfPresentGroupsOnly ? dirty : present
    if groups == present { try findPresent(query, types) }
    let names = KeysQuery.list(Self.columns(types))
    let head = "INSERT INTO \(fresh) (\(names))\nSELECT \(names) FROM (\n"
    do {
      try connection.execute(head + view.sql(keys: groups) + "\n) computed")
    } catch {
      throw view.located(error, after: head, keys: groups)
    }
    if isCounted { try analyze(fresh) }
    return count
  }

  /// Has the servers count a table's rows, of which they would guess many more.
  private func analyze(_ table: String) throws { try connection.execute("ANALYZE (SKIP_LOCKED) \(table)") }

  /// Whether the tables beside the view's may be analysed; only their owner may. Where this server has shards, too,
  /// which it reads without a connection, Citus refuses to analyse any of them behind that.
  private func canAnalyze() throws -> Bool {
    let here = """
      SELECT FROM pg_dist_placement p JOIN pg_dist_shard s USING (shardid) JOIN pg_dist_local_group USING (groupid)
      WHERE s.logicalrelid = rivulet.relation($1) LIMIT 1
      """
    return try Self.isOwned(dirty, on: connection) && connection.query(here, [.text(dirty)]).count == 0
  }

  /// Whether the SELECT joins the groups to the very rows that say which groups there are: of others it gives nothing.
  private var givesRowsOfPresentGroupsOnly: Bool {
    view.sources.contains { (try? SumsShape(view, of: $0.name.value))?.rowGroups != nil }
  }

  /// Finds which groups that something has changed in are still there.
  private func findPresent(_ query: KeysQuery, _ types: [String: ColumnType]) throws {
    let patterns = try NullPattern.occurring(in: dirty, query.columns, types, on: connection)
    for (index, part) in query.parts.enumerated() {
      for pattern in patterns {
        let isKnown = "EXISTS (SELECT FROM \(present) p WHERE \(pattern.matches("p", "d")))"
        try connection.execute(
          """
          INSERT INTO \(present) SELECT d.* FROM \(dirty) d
          WHERE \(pattern.describes("d")) AND EXISTS (SELECT FROM (\(part)) s WHERE \(pattern.matches("s", "d")))
            \(index == 0 ? "" : "AND NOT \(isKnown)")
          """)
      }
    }
  }

  /// Computes all rows.
  /// - Returns: how many there are.
  /// - Throws: `PostgreSQLError`.
  func computeAll(_ twin: String, into table: String, _ types: [String: ColumnType]) throws -> Int {
    let names = KeysQuery.list(Self.columns(types))
    return try connection.execute(
      "INSERT INTO \(table) (\(names)) SELECT \(names) FROM \(Quote.qualified(twin))"
    )
    .affectedRows
  }

  static func columns(_ types: [String: ColumnType]) -> [String] {
    types.sorted { $0.value.position < $1.value.position }.map(\.key)
  }
}
