import Definitions
import PostgreSQL

/// Of the groups that something has changed in, those that a source has a row of: only they are groups of the
/// view.
///
/// A SELECT may give a row for whatever {keys} holds, as by an outer join or by not joining a source at all.
/// Where everything is computed {keys} holds what the sources have; so must it where some groups are.
struct PresentGroups {
  /// What to write for `{keys}`.
  struct Keys {
    let sql: String
    /// The values of `$1` and so on: in the statement itself the server would write them to its log when it
    /// fails.
    var parameters: [Parameter] = []
  }

  private let keys: KeysQuery
  private let dirty: DirtyGroups
  private let connection: Connection

  private static let table = "pg_temp.rivulet_present"

  /// Of groups that something has changed in.
  init(_ dirty: DirtyGroups, view: ViewDefinition, connection: Connection) {
    self.dirty = dirty
    self.connection = connection
    keys = KeysQuery(view)
  }

  /// What to write for `{keys}`, one after the other: a few groups as values, or a table.
  /// - Throws: `PostgreSQLError`.
  func found() throws -> [Keys] {
    if let few = try dirty.fewValues(on: connection) { return try few.compactMap(present) }
    let patterns = try dirty.patterns(of: keys.columns, on: connection)
    try connection.execute(
      "CREATE TEMP TABLE rivulet_present ON COMMIT DROP AS SELECT * FROM \(DirtyGroups.table) WITH NO DATA")
    try isExact ? fill(patterns) : fillAsPresent(patterns)
    try connection.execute("ANALYZE \(Self.table)")
    return [Keys(sql: Self.table)]
  }

  private var isExact: Bool { keys.isExact(dirty.types) }

  // MARK: Values

  /// A group, by its values; nil where no source has a row of it.
  private func present(_ values: [String?]) throws -> Keys? {
    let columns = keys.columns.enumerated().map { index, column in
      let type = dirty.types[column] ?? .boolean
      return (
        name: Quote.identifier(column), type: type, value: "$\(index + 1)::\(type.name)\(type.collation)"
      )
    }
    let row = "(SELECT \(columns.map { "\($0.value) AS \($0.name)" }.joined(separator: ", ")))"
    // Each is named, null or not, so that the server knows of all parameters.
    let condition = zip(columns, values).map { column, value in
      value == nil
        ? "s.\(column.name) IS NULL AND \(column.value) IS NULL"
        : "s.\(column.name) \(column.type.equality) \(column.value)"
    }.joined(separator: " AND ")
    let parameters = values.map { Parameter($0) }
    if isExact {
      let isThere = keys.parts.map { "EXISTS (SELECT FROM (\($0)) s WHERE \(condition))" }
      let found = try connection.query("SELECT \(isThere.joined(separator: " OR "))", parameters)
      return try found[0].value(0) ? Keys(sql: row, parameters: parameters) : nil
    }
    let images = keys.parts.map { "SELECT s.* FROM (\($0)) s WHERE \(condition)" }
    return try connection.query(keys.firstOfEqual(images.joined(separator: "\nUNION ALL\n")), parameters)
      .first.map { image in Keys(sql: row, parameters: values.indices.map { Parameter(image[$0]) }) }
  }

  // MARK: A table

  /// Asks one source after the other for the groups that those before it do not have.
  ///
  /// Left to itself the planner joins, for which it names all groups of the source first. Looking group by
  /// group is as quick as an index is; without one each look would read the source.
  private func fill(_ patterns: [NullPattern]) throws {
    var found = 0
    for (index, source) in keys.sources.enumerated() where found < dirty.count {
      for pattern in patterns {
        let isNew = "NOT EXISTS (SELECT FROM \(Self.table) p WHERE \(pattern.matches("p", "d")))"
        let join = """
          SELECT d.* FROM \(DirtyGroups.table) d
          WHERE \(pattern.describes("d")) AND \(index == 0 ? "true" : isNew)
            AND EXISTS (SELECT FROM (\(keys.parts[index])) s WHERE \(pattern.matches("s", "d")))
          """
        let lookup = join + " IS TRUE"
        let isIndexed = try IndexUse.readWhole([source], by: lookup, on: connection).isEmpty
        found += try connection.execute("INSERT INTO \(Self.table) \(isIndexed ? lookup : join)").affectedRows
      }
    }
  }

  /// Takes the groups as the sources have them now, and not as what has changed had them: 1.00, and no longer
  /// 1.0.
  private func fillAsPresent(_ patterns: [NullPattern]) throws {
    let found = patterns.flatMap { pattern in
      keys.parts.map { part in
        """
        SELECT s.* FROM (\(part)) s WHERE EXISTS (
          SELECT FROM \(DirtyGroups.table) d WHERE \(pattern.matches("s", "d")))
        """
      }
    }
    try connection.execute(
      "INSERT INTO \(Self.table) " + keys.firstOfEqual(found.joined(separator: "\nUNION ALL\n")))
  }
}
