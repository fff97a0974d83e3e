import PostgreSQL

/// What triggers put into the queue of a source whose changes are added up.
extension StoredSums {
  /// Makes the table of a queue.
  /// - Parameters:
  ///   - queue: its name, quoted.
  ///   - columns: those that the refresh needs of a row, where it adds up rows.
  /// - Throws: `PostgreSQLError`.
  func makeQueue(_ queue: String, _ columns: [String]) throws {
    switch shape.adds {
    case .sums:
      // Small, since a statement of a row is the usual one; and one that changes more rows than that has all
      // computed.
      let small = counts.map { "ALTER COLUMN \($0) TYPE integer" }.joined(separator: ", ")
      try connection.execute("CREATE TABLE \(queue) (LIKE \(table)); ALTER TABLE \(queue) \(small)")
    case .rows:
      try connection.execute(
        """
        CREATE TABLE \(queue) AS SELECT \(KeysQuery.list(columns)), 1::smallint AS \(SumsShape.sign)
        FROM \(Quote.qualified(shape.source)) WITH NO DATA
        """)
    }
  }

  /// What the function of the source's triggers does: a statement for each kind of change.
  /// - Parameters:
  ///   - queue: the queue's table, quoted.
  ///   - columns: those that the refresh needs of a row, where it adds up rows.
  /// - Returns: the statements.
  func capture(into queue: String, _ columns: [String]) -> (insert: String, update: String, delete: String) {
    guard let groups = shape.rowGroups else {
      let list = KeysQuery.list(columns)
      let (came, went) = ("SELECT \(list), 1 FROM changed", "SELECT \(list), -1 FROM")
      return (
        "INSERT INTO \(queue) \(came)", "INSERT INTO \(queue) \(went) former UNION ALL \(came)",
        "INSERT INTO \(queue) \(went) changed"
      )
    }
    let rows = Self.added(shape.contributions(groups.from("changed")), shape)
    let both = "(SELECT *, 1 AS \(SumsShape.sign) FROM changed UNION ALL SELECT *, -1 FROM former)"
    return (
      "INSERT INTO \(queue) \(rows)", "INSERT INTO \(queue) \(changes(groups.from(both)))",
      "INSERT INTO \(queue) \(taken(rows))"
    )
  }

  /// Rows taken away, in the table's columns.
  private func taken(_ rows: String) -> String {
    let values = shape.parts.flatMap { part in
      part.extreme == nil ? ["-t.\(part.name)"] : ["t.\(part.name)_out", "t.\(part.name)"]
    }
    let list = shape.key.map { "t.\(Quote.identifier($0))" } + ["-t.\(SumsShape.rows)"] + values
    return "SELECT \(list.joined(separator: ", ")) FROM (\(rows)) t"
  }

  /// What rows that came add to each group less what those that went take away, in the table's columns, of
  /// groups where that is something: a SELECT. In one pass over both, since each statement pays for it.
  /// - Parameter from: the rows, each with its sign, a FROM.
  /// - Returns: the SELECT.
  func changes(_ from: String) -> String {
    let sign = "\(shape.names.table).\(SumsShape.sign)"
    let (came, went) = ("\(sign) > 0", "\(sign) < 0")
    func counted(_ condition: String) -> String { "count(*) FILTER (WHERE \(condition))" }
    var values = ["\(counted(came)) - \(counted(went)) AS \(SumsShape.rows)"]
    var isChange = ["\(counted(came)) <> \(counted(went))"]
    for part in shape.parts {
      let (added, gone) = (part.expression(where: came), part.expression(where: went))
      switch part.kind {
      case .count:
        values.append("\(added) - \(gone) AS \(part.name)")
        isChange.append("\(added) <> \(gone)")
      case .sum:
        values.append("coalesce(\(added) - \(gone), \(added), -\(gone)) AS \(part.name)")
        // A month is as long as thirty days, and another interval.
        let isInterval = types[part.name]?.name.hasPrefix("interval") == true
        isChange.append(isInterval ? "true" : "\(added) IS DISTINCT FROM \(gone)")
      case .extreme:
        // What one statement takes away and brings is still there after it; after many it may not be.
        let isOneStatement = shape.adds == .sums
        let isBeyond = "\(added) IS NULL OR \(gone) \(part.extreme == "min" ? "<" : ">") \(added)"
        let isGone = isOneStatement ? "CASE WHEN \(isBeyond) THEN \(gone) END" : gone
        values += ["\(added) AS \(part.name)", "\(isGone) AS \(part.name)_out"]
        isChange.append(
          isOneStatement
            ? "\(added) IS DISTINCT FROM \(gone)" : "num_nonnulls(\(added), \(gone)) > 0")
      case .distinct:
        // These are added from their own table.
        values.append("0::bigint AS \(part.name)")
        isChange.append("true")
      }
    }
    return "\(shape.grouped(values, from))\nHAVING \(isChange.joined(separator: " OR "))"
  }
}
