import Definitions
import PostgreSQL

/// Of the groups that something has changed in, those that a source has a row of: only they are groups of the view.
///
/// A SELECT may give a row for whatever {keys} holds, as by an outer join or by not joining a source at all. Where
/// everything is computed {keys} holds what the sources have; so must it where a few groups are.
struct PresentGroups {
  let view: ViewDefinition
  /// The types of the view's columns, as they are written.
  let types: [String: String]
  let connection: Connection

  private static let table = "pg_temp.rivulet_present"
  /// So many groups are computed one by one, each written into the SELECT: the planner leaves out partitions by a constant
  /// before it reads any, and by a table's row not.
  private static let few = 4

  /// What to write for `{keys}`: a few groups as constants, each a text; or a table.
  ///
  /// - Parameter count: how many groups have changed.
  func keys(of count: Int) throws -> [String] {
    if count <= Self.few { return try constants() }
    try makeTable(count)
    return [Self.table]
  }

  private func constants() throws -> [String] {
    let keys = KeysQuery(view)
    let texts = keys.columns.map { "\(Quote.identifier($0))::text" }.joined(separator: ", ")
    let rows = try connection.query("SELECT \(texts) FROM \(RowDifference.dirty)").rows
    return try rows.compactMap { row in
      let values = keys.columns.enumerated().map { index, column in
        (
          name: Quote.identifier(column),
          value: row[index].map { "\(Quote.literal($0))::\(types[column] ?? "boolean")" }
        )
      }
      let condition = values.map { "s.\($0.name) \($0.value.map { "= \($0)" } ?? "IS NULL")" }
      let tests = keys.parts.map {
        "EXISTS (SELECT FROM (\($0)) s WHERE \(condition.joined(separator: " AND ")))"
      }
      let isThere: Bool = try connection.query("SELECT \(tests.joined(separator: " OR "))")[0].value(0)
      let typed = zip(keys.columns, values).map { column, value in
        "\(value.value ?? "NULL::\(types[column] ?? "boolean")") AS \(value.name)"
      }
      return isThere ? "(SELECT \(typed.joined(separator: ", ")))" : nil
    }
  }

  /// Asks one source after the other for the groups that those before it do not have.
  private func makeTable(_ count: Int) throws {
    let keys = KeysQuery(view)
    let patterns = try NullPattern.occurring(in: RowDifference.dirty, keys.columns, on: connection)
    try connection.execute(
      "CREATE TEMP TABLE rivulet_present ON COMMIT DROP AS TABLE \(RowDifference.dirty) WITH NO DATA")
    var found = 0
    for (index, part) in keys.parts.enumerated() where found < count {
      for pattern in patterns {
        let isNew = "NOT EXISTS (SELECT FROM \(Self.table) p WHERE \(pattern.matches("p", "d")))"
        let rest = index == 0 ? "true" : isNew
        found += try connection.execute(
          "INSERT INTO \(Self.table) "
            + (try cheaper(
              """
              SELECT d.* FROM \(RowDifference.dirty) d WHERE \(pattern.describes("d")) AND \(rest)
                AND EXISTS (SELECT FROM (\(part)) s WHERE \(pattern.matches("s", "d")))
              """))
        ).affectedRows
      }
    }
    try connection.execute("ANALYZE \(Self.table)")
  }

  /// A question for the groups that a source has, in the form that is likely to be answered sooner.
  ///
  /// Left to itself the planner joins, for which it likes to name all groups of the source first, and takes ten times as
  /// long as it thinks. Looking group by group is as quick as an index is; without one each look would read the source.
  private func cheaper(_ join: String) throws -> String {
    let lookup = join + " IS TRUE"
    return try cost(of: lookup) <= 10 * cost(of: join) ? lookup : join
  }

  /// What the planner expects a SELECT to cost.
  private func cost(of sql: String) throws -> Double {
    let plan: String = try connection.query("EXPLAIN " + sql)[0].value(0)
    return plan.firstMatch(of: #/cost=[0-9.]+\.\.([0-9.]+) /#).flatMap { Double($0.1) } ?? .infinity
  }
}
