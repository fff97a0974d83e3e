import Definitions
import PostgreSQL

/// Of the groups that something has changed in, those that a source has a row of: only they are groups of the view.
///
/// A SELECT may give a row for whatever {keys} holds, as by an outer join or by not joining a source at all. Where
/// everything is computed {keys} holds what the sources have; so must it where a few groups are.
struct PresentGroups {
  /// What to write for `{keys}`.
  struct Keys {
    let sql: String
    /// The values of `$1` and so on: in the statement itself the server would write them to its log when it fails.
    var parameters: [Parameter] = []
  }

  /// A group as values, which parameters stand for.
  struct Group {
    /// A SELECT of them in brackets, with the names of their columns.
    let row: String
    /// A condition on a row `s` of a source: it is of the group.
    let condition: String
    let parameters: [Parameter]

    /// - Parameter others: how many parameters come before.
    init(_ values: [String?], _ columns: [String], _ types: [String: ColumnType], after others: Int = 0) {
      let known = columns.enumerated().map { index, column in
        let type = types[column] ?? .boolean
        return (
          name: Quote.identifier(column), type: type,
          value: "$\(others + index + 1)::\(type.name)\(type.collation)"
        )
      }
      row = "(SELECT \(known.map { "\($0.value) AS \($0.name)" }.joined(separator: ", ")))"
      // Each is named, null or not, so that the server knows of all parameters.
      condition = zip(known, values).map { column, value in
        value == nil
          ? "s.\(column.name) IS NULL AND \(column.value) IS NULL"
          : "s.\(column.name) \(column.type.equality) \(column.value)"
      }.joined(separator: " AND ")
      parameters = values.map { Parameter($0) }
    }
  }

  private let view: ViewDefinition
  private let keys: KeysQuery
  private let dirty: DirtyGroups
  private let connection: Connection

  private static let table = "pg_temp.rivulet_present"

  /// - Parameter dirty: those that something has changed in.
  init(_ dirty: DirtyGroups, view: ViewDefinition, connection: Connection) {
    self.dirty = dirty
    self.view = view
    self.connection = connection
    keys = KeysQuery(view)
  }

  /// What to write for `{keys}`, one after the other: a few groups as values, or a table.
  func found() throws -> [Keys] {
    if dirty.count <= DirtyGroups.few { return try dirty.read(on: connection).compactMap(present) }
    let patterns = try dirty.patterns(of: keys.columns, on: connection)
    if let keys = try lookedUp(patterns) { return [keys] }
    try connection.execute(
      "CREATE TEMP TABLE rivulet_present ON COMMIT DROP AS SELECT * FROM \(dirty.relation) WITH NO DATA")
    try isExact ? fill(patterns) : fillAsPresent(patterns)
    try connection.execute("ANALYZE \(Self.table)")
    return [Keys(sql: Self.table)]
  }

  private var types: [String: ColumnType] { dirty.types }
  private var isExact: Bool { keys.isExact(types) }

  // MARK: Values

  /// A group, by the values that stand for it; nil where no source has a row of it.
  private func present(_ values: [String?]) throws -> Keys? {
    let group = Group(values, keys.columns, types)
    var parameters = group.parameters
    if isExact {
      guard try connection.query("SELECT \(isPresent(group))", parameters)[0].value(0) else { return nil }
    } else {
      let found = keys.parts.map { "SELECT s.* FROM (\($0)) s WHERE \(group.condition)" }
      let images = try connection.query(
        keys.firstOfEqual(found.joined(separator: "\nUNION ALL\n")), parameters)
      guard let image = images.first else { return nil }
      parameters = values.indices.map { Parameter(image[$0]) }
    }
    return Keys(sql: group.row, parameters: parameters)
  }

  /// An expression for whether a source has a row of a group, whose values are exact.
  func isPresent(_ group: Group) -> String {
    keys.parts.map { "EXISTS (SELECT FROM (\($0)) s WHERE \(group.condition))" }.joined(separator: " OR ")
  }

  // MARK: A query

  /// The groups, each looked for as the view's SELECT comes to it: a table of those that are there need not be made, and
  /// what was read to find a group is at hand when it is computed. Nil where that could be dearer, or give other values.
  private func lookedUp(_ patterns: [NullPattern]) throws -> Keys? {
    guard isExact, view.template.placeholders == 1, patterns.count == 1, !patterns[0].hasNull else {
      return nil
    }
    let isThere = keys.parts.map { "EXISTS (SELECT FROM (\($0)) s WHERE \(patterns[0].matches("s", "d")))" }
    let found = "SELECT d.* FROM \(dirty.relation) WHERE "
    for condition in isThere where try cheaper(found + condition) == found + condition { return nil }
    // Kept, lest the planner should have each group looked for again for each row that it meets.
    return Keys(
      sql: """
        (WITH rivulet_present AS MATERIALIZED (\(found)(\(isThere.joined(separator: " OR "))) IS TRUE)
        SELECT * FROM rivulet_present)
        """)
  }

  // MARK: A table

  /// Asks one source after the other for the groups that those before it do not have.
  private func fill(_ patterns: [NullPattern]) throws {
    var found = 0
    for (index, part) in keys.parts.enumerated() where found < dirty.count {
      for pattern in patterns {
        let isNew = "NOT EXISTS (SELECT FROM \(Self.table) p WHERE \(pattern.matches("p", "d")))"
        let rest = index == 0 ? "true" : isNew
        found += try connection.execute(
          "INSERT INTO \(Self.table) "
            + (try cheaper(
              """
              SELECT d.* FROM \(dirty.relation) WHERE \(pattern.describes("d")) AND \(rest)
                AND EXISTS (SELECT FROM (\(part)) s WHERE \(pattern.matches("s", "d")))
              """))
        ).affectedRows
      }
    }
  }

  /// Takes the groups as the sources have them now, and not as what has changed had them: 1.00, and no longer 1.0.
  private func fillAsPresent(_ patterns: [NullPattern]) throws {
    let found = patterns.flatMap { pattern in
      keys.parts.map { part in
        """
        SELECT s.* FROM (\(part)) s WHERE EXISTS (
          SELECT FROM \(dirty.relation) WHERE \(pattern.matches("s", "d")))
        """
      }
    }
    try connection.execute(
      "INSERT INTO \(Self.table) " + keys.firstOfEqual(found.joined(separator: "\nUNION ALL\n")))
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
