import PostgreSQL

/// What is added to what is stored.
enum AddedRows {
  /// What statements have put into a queue, by its quoted name.
  case queue(String)
  /// Rows of releases with their sign, a SELECT.
  case releases(String)

  /// For a FROM.
  var table: String {
    switch self {
    case .queue(let name): name
    case .releases(let rows): "(\(rows)) rivulet_r"
    }
  }
}

/// Adds what has changed to what is stored of each group.
extension StoredSums {
  /// The view's rows of some groups: a SELECT.
  /// - Parameters:
  ///   - columns: the names of the view's columns, in order.
  ///   - patterns: those of the groups in ``DirtyGroups/table``.
  /// - Returns: the SELECT.
  func rows(_ columns: [String], of patterns: [NullPattern]) -> String {
    patterns.map { pattern in
      shape.rows(
        of: "\(table) AS rivulet_sums JOIN \(DirtyGroups.table) d ON \(pattern.matches("rivulet_sums", "d"))",
        columns, intervals: intervals)
    }.joined(separator: "\nUNION ALL\n")
  }

  /// What the queue holds, by group: a temporary table with the columns of ``table``.
  static let delta = "pg_temp.rivulet_delta"

  /// Puts together what statements or releases have added.
  /// - Throws: `PostgreSQLError`.
  func gather(_ rows: AddedRows?) throws {
    if case .releases(let rows) = rows, let groups = shape.rowGroups {
      try makeDelta(changes(groups.from("(\(rows))")))
      return
    }
    let sums = columns.map { name -> String in
      let part = shape.parts.first { name == $0.name || name == $0.name + "_out" }
      return "\(part?.extreme ?? "sum")(\(name))::\(types[name]?.name ?? "bigint") AS \(name)"
    }
    let list = ([shape.keyList] + sums).joined(separator: ", ")
    try makeDelta(
      "SELECT \(list) FROM \(rows?.table ?? "\(table) WHERE false") GROUP BY \(shape.keyList)")
  }

  /// Puts together what rows mean.
  /// - Throws: `PostgreSQLError`.
  func gatherRows(_ rows: AddedRows?) throws {
    try makeDelta(rows.map { changes(from($0)) } ?? "TABLE \(table) LIMIT 0")
  }

  private func makeDelta(_ groups: String) throws {
    try connection.execute("CREATE TEMP TABLE rivulet_delta ON COMMIT DROP AS \(groups)")
  }

  /// The changed rows of the groups at hand, and what is joined to them: a FROM.
  private func from(_ rows: AddedRows) -> String {
    shape.from(DirtyGroups.table, "(SELECT * FROM \(rows.table))")
  }

  /// Adds what was gathered to what is stored, and looks again at what that cannot tell.
  /// - Parameters:
  ///   - patterns: those of the groups in ``DirtyGroups/table``, which are all that something is done for.
  ///   - rows: what they were gathered from; nil where nothing was.
  ///   - asked: a SELECT of those of them that are computed from their rows in any case; nil for none.
  /// - Returns: false where what is stored cannot be right, and everything is to be computed.
  /// - Throws: `PostgreSQLError`.
  func add(_ patterns: [NullPattern], from rows: AddedRows?, asking asked: String?) throws -> Bool {
    let added = columns.map { name -> String in
      let both = "o.\(name), excluded.\(name)"
      if name.hasSuffix("_out") { return "\(name) = excluded.\(name)" }
      if let extreme = shape.parts.first(where: { $0.name == name })?.extreme {
        return "\(name) = \(extreme == "min" ? "least" : "greatest")(\(both))"
      }
      return "\(name) = coalesce(o.\(name) + excluded.\(name), \(both))"
    }
    try connection.execute(
      """
      INSERT INTO \(table) AS o TABLE \(Self.delta)
      ON CONFLICT (\(shape.keyList)) DO UPDATE SET \(added.joined(separator: ", "))
      """)
    if let rows {
      for values in distinct where try !values.add(from(rows), to: table) { return false }
    }
    if try !isPlausible(patterns) { return false }
    try removeEmpty(patterns)
    try lookAgain(patterns, asking: asked)
    try removeEmpty(patterns)
    return true
  }

  /// The dirty groups that are stored, for a FROM, as `o`.
  private func stored(_ pattern: NullPattern) -> String {
    "\(table) o JOIN \(DirtyGroups.table) d ON \(pattern.matches("o", "d"))"
  }

  private func isPlausible(_ patterns: [NullPattern]) throws -> Bool {
    let isWrong = counts.map { "o.\($0) < 0" }.joined(separator: " OR ")
    return try patterns.allSatisfy {
      try connection.execute("SELECT FROM \(stored($0)) WHERE \(isWrong) LIMIT 1").count == 0
    }
  }

  /// A group without rows is none.
  private func removeEmpty(_ patterns: [NullPattern]) throws {
    for pattern in patterns {
      try connection.execute(
        """
        DELETE FROM \(table) o USING \(DirtyGroups.table) d
        WHERE o.\(SumsShape.rows) = 0 AND \(pattern.matches("o", "d"))
        """)
    }
  }

  /// So many groups are each asked for their smallest and greatest values by themselves; of more all of their
  /// rows are read at once.
  private static let few = 4

  /// Looks at the rows of groups again where a value that was the smallest or greatest was taken away, where a
  /// sum is not a number, and where that is asked for.
  private func lookAgain(_ patterns: [NullPattern], asking asked: String?) throws {
    let isGone = extremes.map { aggregate in
      let (value, gone) = ("o.m\(aggregate.number)", "o.m\(aggregate.number)_out")
      return
        "(\(gone) \(aggregate.function == .min ? "<=" : ">=") \(value) OR \(gone) IS NOT NULL AND \(value) IS NULL)"
    }
    let numbers = shape.parts.filter { $0.kind == .sum }.map(\.name)
    let isNoNumber = numbers.map { "o.\($0)::text ~* '(nan|inf)'" }
    let keys = shape.key.map { "o.\(Quote.identifier($0))" }.joined(separator: ", ")
    let parts = patterns.map { pattern in
      """
      SELECT \(keys), o.ctid AS rivulet_place, \(isNoNumber.isEmpty ? "false" : isNoNumber.joined(separator: " OR ")) AS rivulet_whole
      FROM \(stored(pattern))
      WHERE \((["false"] + isGone + isNoNumber).joined(separator: " OR "))
      """
    }
    let also =
      asked.map { ["SELECT \(shape.keyList), NULL::tid, true FROM (\($0)) a(\(shape.keyList))"] } ?? []
    let count = try connection.execute(
      "CREATE TEMP TABLE rivulet_again ON COMMIT DROP AS \((parts + also).joined(separator: "\nUNION ALL\n"))"
    ).affectedRows
    if count > 0 {
      try connection.execute("ANALYZE pg_temp.rivulet_again")
      let isWhole =
        try connection.execute("SELECT FROM pg_temp.rivulet_again WHERE rivulet_whole LIMIT 1").count > 0
      isWhole || count > Self.few ? try replace() : try findExtremes()
    }
    guard !extremes.isEmpty else { return }
    let none = extremes.map { "m\($0.number)_out = NULL" }.joined(separator: ", ")
    let isSome = extremes.map { "o.m\($0.number)_out IS NOT NULL" }.joined(separator: " OR ")
    for pattern in patterns {
      try connection.execute(
        """
        UPDATE \(table) o SET \(none) FROM \(DirtyGroups.table) d
        WHERE (\(isSome)) AND \(pattern.matches("o", "d"))
        """)
    }
  }

  private func findExtremes() throws {
    let values = extremes.map { "m\($0.number) = f.m\($0.number)" }.joined(separator: ", ")
    let found = shape.extremes(ofGroups: "pg_temp.rivulet_again", extremes)
    try connection.execute(
      "UPDATE \(table) o SET \(values) FROM (\(found)) f WHERE o.ctid = f.rivulet_place")
  }

  /// Computes groups from their rows.
  private func replace() throws {
    try connection.execute(
      """
      CREATE TEMP TABLE rivulet_groups ON COMMIT DROP AS
      SELECT DISTINCT \(shape.keyList) FROM pg_temp.rivulet_again;
      ANALYZE pg_temp.rivulet_groups
      """)
    let patterns = try NullPattern.occurring(in: "pg_temp.rivulet_groups", shape.key, types, on: connection)
    for pattern in patterns {
      try connection.execute(
        "UPDATE \(table) o SET \(SumsShape.rows) = 0 FROM pg_temp.rivulet_groups g WHERE \(pattern.matches("o", "g"))"
      )
      for values in distinct {
        try values.remove(using: "pg_temp.rivulet_groups g", where: pattern.matches("o", "g"))
      }
    }
    for (groups, parameters) in try given("pg_temp.rivulet_groups") {
      let values = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      // Computed first and written then, as all groups are.
      try connection.query(
        """
        CREATE TEMP TABLE rivulet_replaced ON COMMIT DROP AS
        \(Self.added(shape.contributions(shape.from(groups)), shape))
        """, parameters)
      try connection.execute(
        """
        INSERT INTO \(table) AS o TABLE pg_temp.rivulet_replaced
        ON CONFLICT (\(shape.keyList)) DO UPDATE SET \(values);
        DROP TABLE pg_temp.rivulet_replaced
        """)
      for values in distinct { try values.put(groups, parameters) }
    }
  }

  /// A few groups of a table as values, each by itself; of more the table. The planner leaves out partitions by
  /// a value, and by a table's row not.
  private func given(_ groups: String) throws -> [(String, [Parameter])] {
    let rows = try connection.query("SELECT \(shape.keyList) FROM \(groups) LIMIT \(Self.few + 1)").rows
    guard rows.count <= Self.few else { return [(groups, [])] }
    let values = shape.key.enumerated().map { index, column in
      let type = types[column] ?? .boolean
      return "$\(index + 1)::\(type.name)\(type.collation) AS \(Quote.identifier(column))"
    }
    return rows.map { row in
      ("(SELECT \(values.joined(separator: ", ")))", shape.key.indices.map { Parameter(row[$0]) })
    }
  }
}
