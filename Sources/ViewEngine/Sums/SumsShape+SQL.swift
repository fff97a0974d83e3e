import PostgreSQL

/// What the SELECT is asked for.
extension SumsShape {
  /// All that is stored of a group beside its key.
  var parts: [SumsAggregate.Part] { aggregates.flatMap(\.parts) }

  /// The key's columns, quoted, with commas.
  var keyList: String { KeysQuery.list(key) }

  /// The rows of the source and what is joined to them, of some groups: a FROM, and what comes behind it.
  /// - Parameters:
  ///   - groups: a table of the key's columns, or a SELECT in parentheses.
  ///   - table: what is read instead of the source, with its columns; nil for the source itself.
  /// - Returns: the FROM.
  func from(_ groups: String, _ table: String? = nil) -> String {
    "FROM \(groups) AS \(names.groups) \(joins.between) \(table ?? Quote.qualified(source)) AS \(names.table) \(joins.behind)"
  }

  /// All rows: a FROM, and what comes behind it.
  var fromAll: String {
    rowGroups?.from(rowsOfSource) ?? from("(\(everyGroup))", rowsOfSource)
  }

  /// What rows add to each group that they mean: a SELECT of the key's columns, how many rows there are, and
  /// ``parts``.
  /// - Parameter from: the rows, a FROM.
  /// - Returns: the SELECT.
  func contributions(_ from: String) -> String {
    grouped(["count(*) AS \(Self.rows)"] + parts.map { "\($0.expression) AS \($0.name)" }, from)
  }

  /// Some columns of rows by the columns of the key: a SELECT.
  func grouped(_ columns: [String], _ from: String) -> String {
    let keys = key.map { "\(names.groups).\(Quote.identifier($0)) AS \(Quote.identifier($0))" }
    let groups = key.map { "\(names.groups).\(Quote.identifier($0))" }.joined(separator: ", ")
    return "SELECT \((keys + columns).joined(separator: ", ")) \(from) GROUP BY \(groups)"
  }

  /// What the aggregates are of, a column each that is named as the aggregate's number, but for `*`.
  var arguments: String {
    let values = aggregates.filter { $0.argument != "*" }.map { "(\($0.argument)) AS a\($0.number)" }
    return "SELECT \((["1 AS one"] + values).joined(separator: ", ")) \(fromAll)"
  }

  /// The source's rows with the columns that the rows have which a trigger is given: those of the system are
  /// not among them.
  var rowsOfSource: String { "(SELECT * FROM \(Quote.qualified(source)))" }

  /// The smallest or greatest value of each group of a table, looked for by itself: an index that has the key
  /// and then the value gives it at once.
  /// - Parameters:
  ///   - groups: the table, with the key's columns and `rivulet_place`.
  ///   - extremes: the aggregates that are meant.
  /// - Returns: a SELECT of `rivulet_place` and a column each, named as the part is.
  func extremes(ofGroups groups: String, _ extremes: [SumsAggregate]) -> String {
    let keys = key.map { "rivulet_asked.\(Quote.identifier($0))" }.joined(separator: ", ")
    let joined = from("(SELECT \(keys))")
    let looks = extremes.map { aggregate in
      let order = aggregate.function == .max ? "DESC" : "ASC"
      return """
        LEFT JOIN LATERAL (SELECT v FROM (SELECT (\(aggregate.filtered)) AS v \(joined)) r
          WHERE v IS NOT NULL ORDER BY v \(order) LIMIT 1) found_\(aggregate.number) ON true
        """
    }
    let values = extremes.map { "found_\($0.number).v AS m\($0.number)" }
    return """
      SELECT \((["rivulet_place"] + values).joined(separator: ", ")) FROM \(groups) rivulet_asked
      \(looks.joined(separator: "\n"))
      """
  }

  /// The view's rows, of what is stored: a SELECT.
  /// - Parameters:
  ///   - table: what is stored, with the name `rivulet_sums`, and what is joined to it.
  ///   - columns: the names of the result's columns, in order.
  ///   - intervals: the aggregates that add up intervals, by their numbers.
  /// - Returns: the SELECT.
  func rows(of table: String, _ columns: [String], intervals: Set<Int>) -> String {
    let items = self.items.map { item in
      item.phrase.text(
        item.range,
        replacing: item.aggregates.map { ($0, $1.value(isInterval: intervals.contains($1.number))) })
    }
    // The SELECT finds the key's columns under the name that it has for the groups, and without a name.
    let keys = key.indices.map { "rivulet_key_\($0 + 1)" }
    let stored =
      zip(key, keys).map { "rivulet_sums.\(Quote.identifier($0)) AS \($1)" }
      + ([Self.rows] + parts.map(\.name)).map { "rivulet_sums.\($0)" }
    return """
      SELECT * FROM (SELECT \(items.joined(separator: ", "))
        FROM (SELECT \(stored.joined(separator: ", ")) FROM \(table)) rivulet_sums
        CROSS JOIN LATERAL (SELECT \(keys.joined(separator: ", "))) \(names.groups)(\(keyList)))
        found(\(KeysQuery.list(columns)))
      """
  }
}
