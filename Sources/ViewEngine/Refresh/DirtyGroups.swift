import Definitions
import PostgreSQL

/// The groups that something has changed in: a table of the transaction at work.
struct DirtyGroups {
  /// What to write for `{keys}`.
  struct Keys {
    let sql: String
    /// The values of `$1` and so on: in the statement itself the server would write them to its log when it
    /// fails.
    var parameters: [Parameter] = []
  }

  /// How many there are.
  let count: Int
  private let keys: KeysQuery
  private let connection: Connection
  /// The types of their columns.
  private let types: [String: ColumnType]

  /// The table, which statements call `d`.
  static let table = "pg_temp.rivulet_dirty"
  /// Those of them that a source has a row of.
  private static let presentTable = "pg_temp.rivulet_present"
  /// So many groups are computed one by one, each given as values: the planner leaves out partitions by a
  /// value before it reads any, and by a table's row not.
  private static let few = 4

  /// Puts the groups into the table, in their order: those that are neighbours in an index are looked for one
  /// after the other.
  /// - Parameters:
  ///   - changed: a SELECT of the groups.
  ///   - keys: what says which groups there are.
  ///   - types: those of their columns, where they are known already.
  ///   - connection: that of the transaction at work.
  /// - Throws: `PostgreSQLError`.
  init(
    _ changed: String, _ keys: KeysQuery, types: [String: ColumnType]? = nil, on connection: Connection
  ) throws {
    self.keys = keys
    self.connection = connection
    let order = keys.columns.indices.map { String($0 + 1) }.joined(separator: ", ")
    count = try connection.execute(
      "CREATE TEMP TABLE rivulet_dirty ON COMMIT DROP AS \(changed)\nORDER BY \(order)"
    ).affectedRows
    try connection.execute("ANALYZE \(Self.table)")
    self.types = try types ?? ColumnType.columns(of: Self.table, on: connection)
  }

  /// Which of some of the columns are null in them.
  /// - Throws: `PostgreSQLError`.
  func patterns(of key: [String]) throws -> [NullPattern] {
    try NullPattern.occurring(in: Self.table, key, types, on: connection)
  }

  // MARK: Present

  /// What to write for `{keys}`, one after the other: a few groups as values, or a table. Only groups that a
  /// source has a row of are groups of the view.
  ///
  /// A SELECT may give a row for whatever {keys} holds, as by an outer join or by not joining a source at all.
  /// Where everything is computed {keys} holds what the sources have; so must it where some groups are.
  /// - Throws: `PostgreSQLError`.
  func present() throws -> [Keys] {
    if count <= Self.few {
      let groups = try connection.query("SELECT \(KeysQuery.list(keys.columns)) FROM \(Self.table)").rows
      return try groups.compactMap { group in try present(keys.columns.indices.map { group[$0] }) }
    }
    let patterns = try patterns(of: keys.columns)
    try connection.execute(
      "CREATE TEMP TABLE rivulet_present ON COMMIT DROP AS SELECT * FROM \(Self.table) WITH NO DATA")
    try isExact ? fill(patterns) : fillAsPresent(patterns)
    try connection.execute("ANALYZE \(Self.presentTable)")
    return [Keys(sql: Self.presentTable)]
  }

  private var isExact: Bool { keys.isExact(types) }

  /// A group, by its values; nil where no source has a row of it.
  private func present(_ values: [String?]) throws -> Keys? {
    let columns = keys.columns.enumerated().map { index, column in
      let type = types[column] ?? .boolean
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

  /// Asks one source after the other for the groups that those before it do not have.
  ///
  /// Left to itself the planner joins, for which it names all groups of the source first. Looking group by
  /// group is as quick as an index is; without one each look would read the source.
  private func fill(_ patterns: [NullPattern]) throws {
    var found = 0
    for (index, source) in keys.sources.enumerated() where found < count {
      for pattern in patterns {
        let isNew = "NOT EXISTS (SELECT FROM \(Self.presentTable) p WHERE \(pattern.matches("p", "d")))"
        let join = """
          SELECT d.* FROM \(Self.table) d
          WHERE \(pattern.describes("d")) AND \(index == 0 ? "true" : isNew)
            AND EXISTS (SELECT FROM (\(keys.parts[index])) s WHERE \(pattern.matches("s", "d")))
          """
        let lookup = join + " IS TRUE"
        let isIndexed = try IndexUse.readWhole([source], by: lookup, on: connection).isEmpty
        found += try connection.execute("INSERT INTO \(Self.presentTable) \(isIndexed ? lookup : join)")
          .affectedRows
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
          SELECT FROM \(Self.table) d WHERE \(pattern.matches("s", "d")))
        """
      }
    }
    try connection.execute(
      "INSERT INTO \(Self.presentTable) " + keys.firstOfEqual(found.joined(separator: "\nUNION ALL\n")))
  }
}
