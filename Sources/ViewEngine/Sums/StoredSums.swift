import Definitions
import PostgreSQL

/// What is stored of each group of a view whose changes are added up: a table beside the view's own, and
/// what its queue holds.
///
/// A row is a group: the columns of the key, how many rows of the source there are of it, and the parts of each
/// aggregate. Of a smallest or greatest value there is a second column, which in the queue holds one that was
/// taken away; in the table it is null between two refreshes.
struct StoredSums {
  let shape: SumsShape
  /// The view's number.
  let number: Int
  let connection: Connection
  /// The types of the table's columns.
  let types: [String: ColumnType]

  /// The table of a view.
  static func table(_ number: Int) -> String { "rivulet.sums_\(number)" }
  /// The table, quoted.
  var table: String { Quote.qualified(Self.table(number)) }

  /// Those of a view that was made.
  /// - Throws: `PostgreSQLError`.
  init(_ shape: SumsShape, number: Int, on connection: Connection) throws {
    self.shape = shape
    self.number = number
    self.connection = connection
    types = try ColumnType.columns(of: Quote.qualified(Self.table(number)), on: connection)
  }

  /// The aggregates that add up intervals, by their numbers.
  var intervals: Set<Int> {
    Set(shape.aggregates.map(\.number).filter { types["s\($0)"]?.name.hasPrefix("interval") == true })
  }

  /// The smallest and greatest values.
  var extremes: [SumsAggregate] { shape.aggregates.filter { [.min, .max].contains($0.function) } }

  /// All columns but those of the key, in the table's order.
  private static func columns(_ shape: SumsShape) -> [String] {
    [SumsShape.rows] + shape.parts.flatMap { $0.extreme == nil ? [$0.name] : [$0.name, $0.name + "_out"] }
  }

  var columns: [String] { Self.columns(shape) }

  /// What rows add to each group, in the table's columns: a SELECT.
  static func added(_ contributions: String, _ shape: SumsShape) -> String {
    let values = shape.parts.flatMap { part in
      part.extreme == nil
        ? ["c.\(part.name)"]
        : ["c.\(part.name)", "nullif(c.\(part.name), c.\(part.name)) AS \(part.name)_out"]
    }
    let list = (shape.key.map { "c.\(Quote.identifier($0))" } + ["c.\(SumsShape.rows)"] + values)
    return "SELECT \(list.joined(separator: ", ")) FROM (\(contributions)) c"
  }

  // MARK: Making

  /// Makes the table where a view's changes can be added up; else says why they cannot.
  /// - Throws: `PostgreSQLError`.
  static func find(
    for checked: CheckedView, number: Int, on connection: Connection
  ) throws -> (StoredSums?, reason: String?) {
    guard checked.view.strategy == .incremental else { return (nil, nil) }
    do {
      let shape = try SumsShape(checked.view)
      return (try make(shape, of: checked, number: number, on: connection), nil)
    } catch let obstacle as SumsObstacle {
      return (nil, obstacle.reason)
    }
  }

  /// A sentence for each smallest or greatest value that no index gives at once of one group, and those of
  /// groups that are computed from their rows where the source has partitions: these may come and go with a
  /// release.
  /// - Throws: `PostgreSQLError`.
  func missingIndexes(_ checked: CheckedView) throws -> [String] {
    let keys = checked.view.key.map { column in
      let type = types[column.value]?.name ?? "boolean"
      return "NULL::\(type) AS \(Quote.identifier(column.value))"
    }
    let preparation = """
      CREATE TEMP TABLE rivulet_some ON COMMIT DROP AS SELECT NULL::tid AS rivulet_place, \(keys.joined(separator: ", "))
      """
    let isPartitioned: Bool = try connection.query(
      "SELECT relkind = 'p' FROM pg_class WHERE oid = rivulet.relation($1)", [.text(shape.source)])[0].value(
        0)
    let ofGroups = isPartitioned ? try IndexUse(checked, on: connection).warnings : []
    return ofGroups
      + (try extremes.filter { $0.filter == nil }.compactMap { aggregate in
        let plan = try IndexUse.plan(
          of: shape.extremes(ofGroups: "pg_temp.rivulet_some", [aggregate]), preparing: preparation,
          on: connection)
        let isSorted = plan.contains { $0.drop { $0 == " " || $0 == "-" || $0 == ">" }.hasPrefix("Sort") }
        guard isSorted || plan.contains(where: { $0.contains("Seq Scan on \(shape.source)") }) else {
          return nil
        }
        let columns = shape.indexColumns(of: aggregate)
        return """
          no index of \(shape.source) gives \(aggregate.function.rawValue.lowercased())(\(aggregate.argument)) of a group \
          at once, which is needed when that row goes: CREATE INDEX ON \(shape.source) (\(columns))
          """
      })
  }

  /// Makes the table.
  /// - Throws: ``SumsObstacle`` where the view's changes cannot be added up; `PostgreSQLError`.
  static func make(
    _ shape: SumsShape, of checked: CheckedView, number: Int, on connection: Connection
  ) throws -> StoredSums {
    try shape.requireOneTable(checked, on: connection)
    let path = try connection.query("SELECT current_setting('search_path')")[0][0]
    do {
      return try connection.transaction {
        // That of the capturing function: what is in it is nobody's but the server's.
        try connection.execute("SET LOCAL search_path = pg_catalog")
        try shape.requireTypes(on: connection)
        let table = Quote.qualified(Self.table(number))
        try connection.execute(
          """
          CREATE TABLE \(table) AS \(added(shape.contributions(of: shape.rowsOfSource), shape))
            WITH NO DATA;
          CREATE UNIQUE INDEX ON \(table) (\(shape.keyList)) NULLS NOT DISTINCT
          """)
        try DefaultPrivileges.revoke(onTable: table, on: connection)
        let sums = try StoredSums(shape, number: number, on: connection)
        try sums.requireRows(of: checked)
        try connection.query("SELECT set_config('search_path', $1, true)", [Parameter(path)])
        return sums
      }
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error, error.isAboutStatement else { throw error }
      throw SumsObstacle("its parts cannot be had: \(server.discreetMessage)")
    }
  }

  /// Throws where what is stored does not give the view's columns.
  private func requireRows(of checked: CheckedView) throws {
    let rows = shape.rows(
      of: "\(table) AS rivulet_sums", checked.columns.map(\.name), intervals: intervals)
    try connection.execute("CREATE TEMP VIEW rivulet_sums_rows AS \(rows)")
    let found = try ColumnType.columns(of: "pg_temp.rivulet_sums_rows", on: connection)
    try connection.execute("DROP VIEW pg_temp.rivulet_sums_rows")
    for column in checked.columns where found[column.name]?.name != column.typeName {
      throw SumsObstacle("what is stored would give another type for '\(column.name)'")
    }
  }

  /// Throws ``ViewProblem`` where the view's changes cannot be added up any more as they were: its sources have
  /// been altered.
  func requireAsMade(_ checked: CheckedView) throws {
    let (found, _) = try Self.find(for: checked, number: 0, on: connection)
    guard let found else {
      throw ViewProblem(checked.view, at: nil, "its changes cannot be added up any more")
    }
    try connection.execute("DROP TABLE \(found.table)")
    guard found.types.mapValues(\.name) == types.mapValues(\.name) else {
      throw ViewProblem(checked.view, at: nil, "what is stored of its groups has other types")
    }
  }

  // MARK: Capture

  /// What the function of the source's triggers does: a statement for each kind of change.
  /// - Parameter queue: the queue's table, quoted, which has the columns of ``table``.
  /// - Returns: the statements.
  func capture(into queue: String) -> (insert: String, update: String, delete: String) {
    let came = Self.added(shape.contributions(of: "changed"), shape)
    let keys = shape.keyList
    let went = taken(from: "SELECT * FROM (\(Self.added(shape.contributions(of: "former"), shape))) c")
    // What a statement takes away and adds again is no change.
    let sums = shape.parts.flatMap { part -> [String] in
      guard let extreme = part.extreme else { return ["sum(\(part.name))"] }
      let (added, gone) = ("\(extreme)(\(part.name))", "\(extreme)(\(part.name)_out)")
      let isBeyond = "\(gone) \(extreme == "min" ? "<" : ">") \(added)"
      return [added, "CASE WHEN \(added) IS NULL OR \(isBeyond) THEN \(gone) END"]
    }
    let changes = shape.parts.map { part in
      if let extreme = part.extreme {
        return "\(extreme)(\(part.name)) IS DISTINCT FROM \(extreme)(\(part.name)_out)"
      }
      // A month is as long as thirty days, and another interval.
      return types[part.name]?.name.hasPrefix("interval") == true ? "true" : "sum(\(part.name)) <> 0"
    }
    let update = """
      INSERT INTO \(queue) SELECT \(keys), sum(\(SumsShape.rows)), \(sums.joined(separator: ", "))
      FROM (\(came) UNION ALL \(went)) d GROUP BY \(keys)
      HAVING \((["sum(\(SumsShape.rows)) <> 0"] + changes).joined(separator: " OR "))
      """
    let deleted = taken(from: "SELECT * FROM (\(came)) c")
    return ("INSERT INTO \(queue) \(came)", update, "INSERT INTO \(queue) \(deleted)")
  }

  /// The same rows, taken away.
  private func taken(from rows: String) -> String {
    let values = shape.parts.flatMap { part in
      part.extreme == nil ? ["-t.\(part.name)"] : ["t.\(part.name)_out", "t.\(part.name)"]
    }
    let list = shape.key.map { "t.\(Quote.identifier($0))" } + ["-t.\(SumsShape.rows)"] + values
    return "SELECT \(list.joined(separator: ", ")) FROM (\(rows)) t"
  }

  // MARK: Filling

  /// All groups as the rows of the source have them: a SELECT.
  var computed: String { Self.added(shape.contributions(of: Quote.qualified(shape.source)), shape) }

  /// The same groups without what may differ and mean the same: a sum of no values is null, or what is left of
  /// values that went.
  /// - Parameter groups: a SELECT of the table's columns.
  /// - Returns: the SELECT.
  func comparable(_ groups: String) -> String {
    let values = shape.parts.map { part in
      part.name.hasPrefix("s")
        ? "CASE WHEN c\(part.name.dropFirst()) > 0 THEN \(part.name) END AS \(part.name)" : part.name
    }
    let list = ([shape.keyList, SumsShape.rows] + values).joined(separator: ", ")
    return "SELECT \(list) FROM (\(groups)) rivulet_g"
  }

  /// Computes all groups from the rows of the source.
  /// - Throws: `PostgreSQLError`.
  func fill() throws {
    // Computed first and written then: a statement that writes is not done by several processes.
    try connection.execute(
      """
      CREATE TEMP TABLE rivulet_sums_fresh ON COMMIT DROP AS \(computed);
      DELETE FROM \(table);
      INSERT INTO \(table) TABLE pg_temp.rivulet_sums_fresh;
      DROP TABLE pg_temp.rivulet_sums_fresh
      """)
    try connection.execute("ANALYZE \(table)")
  }

  /// The view's rows: a SELECT.
  func rows(_ columns: [String]) -> String {
    shape.rows(of: "\(table) AS rivulet_sums", columns, intervals: intervals)
  }
}
