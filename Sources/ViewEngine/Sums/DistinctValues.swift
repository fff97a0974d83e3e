import PostgreSQL

/// The values that a `count(DISTINCT ...)` counts: a table with a row for each value of a group, and how often
/// it is there.
struct DistinctValues {
  let shape: SumsShape
  let aggregate: SumsAggregate
  /// The view's number.
  let number: Int
  let connection: Connection

  /// The column of the values.
  var column: String { "rivulet_value" }
  /// What is stored: a SELECT.
  var stored: String { "SELECT \(shape.keyList), \(column), rivulet_n FROM \(table)" }
  /// The same as the rows of the source have it: a SELECT.
  var computed: String { get throws { values(of: shape.fromAll, "1", isText: try isText) } }

  /// The table, quoted.
  var table: String { Quote.qualified("rivulet.values_\(number)_\(aggregate.number)") }

  /// Whether values of a type fit into an index, or can be kept by a digest where they do not.
  static func canKeep(_ type: ColumnType) -> Bool {
    if type.name.hasSuffix("]") { return false }
    let names: Set = ["smallint", "integer", "bigint", "uuid", "date", "boolean", "interval", "oid"]
    let kinds = ["timestamp", "time", "numeric(", "interval"]
    return names.contains(type.name) || kinds.contains { type.name.hasPrefix($0) }
      || isText(type.name) && type.isExact
  }

  private static func isText(_ name: String) -> Bool {
    name == "text" || name == "character varying" || name.hasPrefix("character varying(")
  }

  /// Makes the table.
  /// - Parameter type: that of the values.
  /// - Throws: `PostgreSQLError`.
  func make(_ type: ColumnType) throws {
    try connection.execute(
      """
      CREATE TABLE \(table) AS \(values(of: shape.fromAll, "1", isText: Self.isText(type.name))) WITH NO DATA;
      ALTER TABLE \(table) ADD COLUMN rivulet_added bigint;
      CREATE UNIQUE INDEX ON \(table) (\(shape.keyList), rivulet_value) NULLS NOT DISTINCT;
      CREATE INDEX ON \(table) (rivulet_n) WHERE rivulet_n <= 0
      """)
    try DefaultPrivileges.revoke(onTable: table, on: connection)
  }

  /// How often each value is there among some rows, but for null: a SELECT.
  private func values(of from: String, _ sign: String, isText: Bool) -> String {
    let keys = shape.key.map { "\(shape.names.groups).\(Quote.identifier($0)) AS \(Quote.identifier($0))" }
    let rows = """
      SELECT \(keys.joined(separator: ", ")), (\(aggregate.filtered)) AS rivulet_value, \(sign) AS rivulet_sign \(from)
      """
    // Of what is too long for an index a digest is kept.
    let value =
      isText
      ? """
      CASE WHEN octet_length(rivulet_value) <= 100 THEN '=' || rivulet_value
        ELSE '#' || encode(sha512(convert_to(rivulet_value, 'UTF8')), 'hex') END
      """ : "rivulet_value"
    return """
      SELECT \(shape.keyList), \(value) AS rivulet_value, sum(rivulet_sign)::bigint AS rivulet_n FROM (\(rows)) r
      WHERE rivulet_value IS NOT NULL GROUP BY \(shape.keyList), \(shape.key.count + 1)
      HAVING sum(rivulet_sign) <> 0
      """
  }

  private var isText: Bool {
    get throws {
      try ColumnType.columns(of: table, on: connection)["rivulet_value"]?.name == "text"
    }
  }

  /// Puts the values of all rows into the table, which is emptied.
  /// - Throws: `PostgreSQLError`.
  func fill() throws {
    try connection.execute("DELETE FROM \(table)")
    try insert(computed)
  }

  /// Takes the values of some groups off the table.
  /// - Parameters:
  ///   - groups: a table with an alias.
  ///   - condition: which of the groups a row `o` is of.
  /// - Throws: `PostgreSQLError`.
  func remove(using groups: String, where condition: String) throws {
    try connection.execute("DELETE FROM \(table) o USING \(groups) WHERE \(condition)")
  }

  /// Puts the values of some groups into the table, which has none of them.
  /// - Throws: `PostgreSQLError`.
  func put(_ groups: String, _ parameters: [Parameter]) throws {
    try insert(values(of: shape.from(groups), "1", isText: isText), parameters)
  }

  private func insert(_ rows: String, _ parameters: [Parameter] = []) throws {
    try connection.query(
      "INSERT INTO \(table) (\(shape.keyList), rivulet_value, rivulet_n, rivulet_added) SELECT *, 0 FROM (\(rows)) v",
      parameters)
  }

  /// Adds changed rows, and to the table of sums how many values have come to a group less how many have gone.
  /// - Parameters:
  ///   - from: the rows, each with its sign, a FROM.
  ///   - sums: the table of sums, quoted.
  /// - Returns: false where a value would be there less than not at all.
  /// - Throws: `PostgreSQLError`.
  func add(_ from: String, to sums: String) throws -> Bool {
    let rows = values(of: from, "\(shape.names.table).\(SumsShape.sign)", isText: try isText)
    let part = "d\(aggregate.number)"
    try connection.execute(
      """
      WITH put AS (
        INSERT INTO \(table) AS o (\(shape.keyList), rivulet_value, rivulet_n, rivulet_added)
        SELECT *, rivulet_n FROM (\(rows)) v
        ON CONFLICT (\(shape.keyList), rivulet_value)
        DO UPDATE SET rivulet_n = o.rivulet_n + excluded.rivulet_n, rivulet_added = excluded.rivulet_n
        RETURNING \(shape.keyList), rivulet_n, rivulet_n - rivulet_added AS rivulet_former),
      changed AS (
        SELECT \(shape.keyList), count(*) FILTER (WHERE rivulet_former <= 0 AND rivulet_n > 0)
          - count(*) FILTER (WHERE rivulet_former > 0 AND rivulet_n <= 0) AS \(part)
        FROM put GROUP BY \(shape.keyList))
      INSERT INTO \(sums) AS o (\(shape.keyList), \(SumsShape.rows), \(part))
      SELECT \(shape.keyList), 0, \(part) FROM changed WHERE \(part) <> 0
      ON CONFLICT (\(shape.keyList)) DO UPDATE SET \(part) = coalesce(o.\(part), 0) + excluded.\(part)
      """)
    if try connection.execute("SELECT FROM \(table) WHERE rivulet_n < 0 LIMIT 1").count > 0 { return false }
    try connection.execute("DELETE FROM \(table) WHERE rivulet_n <= 0")
    return true
  }
}
