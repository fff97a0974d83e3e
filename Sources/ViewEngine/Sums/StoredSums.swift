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
  /// - Parameters:
  ///   - shape: what is added up.
  ///   - number: the view's.
  ///   - types: those of the table's columns, where they are known already.
  ///   - connection: where they are.
  /// - Throws: `PostgreSQLError`.
  init(
    _ shape: SumsShape, number: Int, types: [String: ColumnType]? = nil, on connection: Connection
  ) throws {
    self.shape = shape
    self.number = number
    self.connection = connection
    self.types = try types ?? ColumnType.columns(of: Quote.qualified(Self.table(number)), on: connection)
  }

  /// The aggregates that add up intervals, by their numbers.
  var intervals: Set<Int> {
    Set(shape.aggregates.map(\.number).filter { types["s\($0)"]?.name.hasPrefix("interval") == true })
  }

  /// The smallest and greatest values.
  var extremes: [SumsAggregate] { shape.aggregates.filter { [.min, .max].contains($0.function) } }

  /// All columns but those of the key, in the table's order.
  var columns: [String] {
    [SumsShape.rows] + shape.parts.flatMap { $0.extreme == nil ? [$0.name] : [$0.name, $0.name + "_out"] }
  }

  /// The values of each `count(DISTINCT ...)`.
  var distinct: [DistinctValues] {
    shape.aggregates.filter { $0.function == .countDistinct }.map {
      DistinctValues(shape: shape, aggregate: $0, number: number, connection: connection)
    }
  }

  /// Those of them that count rows.
  var counts: [String] {
    [SumsShape.rows] + shape.parts.filter { $0.kind == .count }.map(\.name)
  }

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

  /// Makes the table where a view's changes can be added up.
  /// - Returns: what is stored, nil where they cannot; and why statements do not add up what they change, nil
  ///   where they do.
  /// - Throws: `PostgreSQLError`.
  static func find(
    for checked: CheckedView, number: Int, on connection: Connection
  ) throws -> (StoredSums?, reason: String?) {
    guard checked.view.strategy == .incremental else { return (nil, nil) }
    if checked.isPlaced { return (nil, "Citus distributes what it reads") }
    do {
      let shape = try SumsShape.find(for: checked.view, on: connection)
      guard shape.adds == .sums else {
        return (try make(shape, of: checked, number: number, on: connection), shape.reason)
      }
      do {
        return (try make(shape, of: checked, number: number, on: connection), nil)
      } catch let obstacle as SumsObstacle {
        let rows = shape.addingRows(because: obstacle.reason)
        return (try make(rows, of: checked, number: number, on: connection), obstacle.reason)
      }
    } catch let obstacle as SumsObstacle {
      return (nil, obstacle.reason)
    }
  }

  /// Drops what is stored of a view.
  /// - Throws: `PostgreSQLError`.
  static func drop(_ number: Int, on connection: Connection) throws {
    let tables = try connection.query(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'rivulet' AND c.relkind = 'r'
        AND (c.relname = 'sums_' || $1::text OR c.relname ~ ('^values_' || $1::text || '_[0-9]+$'))
      """, [.text(String(number))])
    for row in tables.rows {
      try connection.execute("DROP TABLE \(Quote.qualified("rivulet.\(try row.value(0, String.self))"))")
    }
  }

  /// A sentence for each smallest or greatest value that no index gives at once of one group, and those of
  /// groups that are computed from their rows where the source has partitions: these may come and go with a
  /// release.
  /// - Throws: `PostgreSQLError`.
  func missingIndexes(_ checked: CheckedView) throws -> [String] {
    guard let rowGroups = shape.rowGroups else { return try IndexUse(checked, on: connection).warnings }
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
        let columns = rowGroups.indexColumns(with: aggregate.argument)
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
    try shape.requireSameAnswers(checked, on: connection)
    let path = try connection.query("SELECT current_setting('search_path')")[0][0]
    do {
      return try connection.transaction {
        // That of the capturing function: what is in it is nobody's but the server's.
        if shape.adds == .sums { try connection.execute("SET LOCAL search_path = pg_catalog") }
        let arguments = try shape.requireTypes(on: connection)
        let table = Quote.qualified(Self.table(number))
        try connection.execute(
          """
          CREATE TABLE \(table) AS \(added(shape.contributions(shape.fromAll), shape)) WITH NO DATA;
          CREATE UNIQUE INDEX ON \(table) (\(shape.keyList)) NULLS NOT DISTINCT
          """)
        try DefaultPrivileges.revoke(onTable: table, on: connection)
        let sums = try StoredSums(shape, number: number, on: connection)
        for values in sums.distinct {
          if let type = arguments["a\(values.aggregate.number)"] { try values.make(type) }
        }
        try sums.requireRows(of: checked)
        try connection.query("SELECT set_config('search_path', $1, true)", [Parameter(path)])
        return sums
      }
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error, error.isAboutStatement else { throw error }
      throw SumsObstacle(
        try shape.otherAggregate(on: connection).map { "it has \($0)" }
          ?? "its parts cannot be had: \(server.discreetMessage)")
    }
  }

  /// Throws where what is stored does not give the view's columns.
  private func requireRows(of checked: CheckedView) throws {
    let rows = shape.rows(
      of: "\(table) AS rivulet_sums", checked.columns.map(\.name), intervals: intervals)
    try connection.execute("CREATE TEMP VIEW rivulet_sums_rows AS \(rows)")
    let found = try ColumnType.columns(of: "pg_temp.rivulet_sums_rows", on: connection)
    try connection.execute("DROP VIEW IF EXISTS pg_temp.rivulet_sums_rows")
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
    try Self.drop(found.number, on: connection)
    guard found.shape.adds == shape.adds, found.types.mapValues(\.name) == types.mapValues(\.name) else {
      throw ViewProblem(checked.view, at: nil, "what is stored of its groups has other types")
    }
  }

  /// The view's rows: a SELECT.
  func rows(_ columns: [String]) -> String {
    shape.rows(of: "\(table) AS rivulet_sums", columns, intervals: intervals)
  }

  // MARK: Filling

  /// All groups as the rows of the source have them: a SELECT.
  var computed: String { Self.added(shape.contributions(shape.fromAll), shape) }

  /// The same groups without what may differ and mean the same: a sum of no values is null, or what is left of
  /// values that went.
  /// - Parameter groups: a SELECT of the table's columns.
  /// - Returns: the SELECT.
  func comparable(_ groups: String) -> String {
    let values = shape.parts.map { part in
      part.kind == .sum
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
    for values in distinct { try values.fill() }
  }
}
