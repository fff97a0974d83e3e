import Definitions
import PostgreSQL

/// A stored view's definition that the database agrees with: its SELECT stands there as a plain view, and everything the
/// header names is there.
struct CheckedView {
  /// A column of the result.
  struct Column {
    let name: String
    /// `pg_type.oid`.
    let type: Int
    /// The type as it is written.
    let typeName: String
  }

  /// What a change of a source means.
  struct Source {
    let table: SourceTable
    /// Empty where any change means every group.
    let capture: [String]
    /// In words of the catalog: groups, rebuild or untracked.
    let change: String
  }

  let view: ViewDefinition
  /// The plain view that holds the whole SELECT.
  let twin: String
  let columns: [Column]
  let sources: [Source]
  let followsDate: Bool

  /// Makes the plain view and holds the definition against the database.
  ///
  /// Throws ``ViewProblem``, or the server's error where what the SELECT reads is not there.
  init(_ view: ViewDefinition, twin: String, on connection: Connection) throws {
    self.view = view
    self.twin = twin
    let settings = try ViewSettings(on: connection)
    let declared = try Self.declared(view, on: connection)
    let keyTypes = try Self.keyTypes(view, on: connection)
    let keys = KeysQuery(view)
    try Self.create(view, as: twin, keys: "(\(keys.all))", on: connection)
    if try !Self.isExact(keys, on: connection) {
      try connection.execute("DROP VIEW \(Quote.qualified(twin))")
      try Self.create(view, as: twin, keys: "(\(keys.allInOrder))", on: connection)
    }
    try Self.requireStability(of: view, in: twin, on: connection)
    columns = try Self.columns(of: twin, on: connection)
    let dependencies = try ViewDependencies(of: twin, on: connection)
    followsDate = dependencies.followsDate
    sources = try Self.sources(view, declared, reading: dependencies.tables, on: connection)
    try requireColumns()
    try requireEquality(on: connection)
    try requireTypes(keyTypes)
    try requireRoles(on: connection)
    try settings.takeBack()
  }

  /// The declared sources, each of which must be there with what is captured of it.
  private static func declared(
    _ view: ViewDefinition, on connection: Connection
  ) throws -> [String: SourceTable] {
    var tables: [String: SourceTable] = [:]
    for source in view.sources {
      guard let table = try SourceTable.find(source.name.value, on: connection) else {
        throw ViewProblem(
          view, at: source.name.mark, "there is no table \(source.name.value)", sqlState: "42P01")
      }
      tables[table.name] = table
      guard case .groups(let capture, _) = source.change else { continue }
      for column in capture where !table.columns.contains(where: { $0.name == column.value }) {
        throw ViewProblem(
          view, at: column.mark, "\(table.name) has no column '\(column.value)'",
          hint: NearestName.hint(column.value, among: table.columns.map(\.name), called: "it has"),
          sqlState: "42703")
      }
    }
    return tables
  }

  /// The types that each source's `keys` gives.
  private static func keyTypes(
    _ view: ViewDefinition, on connection: Connection
  ) throws -> [(source: ViewSource, types: [Int])] {
    let query = KeysQuery(view)
    return try view.sources.compactMap { source in
      guard case .groups(_, let keys) = source.change, let part = query.part(of: source.name.value) else {
        return nil
      }
      let count = view.key.count
      let form = "it must give \(count) column\(count == 1 ? "" : "s"), those of 'key'"
      do {
        let result = try connection.query("SELECT * FROM (\(part.text)) k LIMIT 0")
        let types = result.columnTypes.map(Int.init)
        // The server finds fault with too few only. Where all rows are one group, none is needed and any will do.
        guard types.count <= max(1, count) else {
          throw ViewProblem(
            view, at: keys.place(of: 1), "'keys' of \(source.name.value) gives \(types.count) columns",
            hint: form)
        }
        return (source, types)
      } catch PostgreSQLError.server(let error) {
        let shift = "SELECT * FROM (".unicodeScalars.count + part.offset
        throw ViewProblem(
          view, at: keys.place(of: (error.position ?? shift + 1) - shift),
          "'keys' of \(source.name.value): \(error.discreetMessage)",
          hint: error.sqlState == "42P10" ? form : error.discreetHint,
          sqlState: error.sqlState)
      }
    }
  }

  private static func create(
    _ view: ViewDefinition, as twin: String, keys: String, on connection: Connection
  ) throws {
    let head = "CREATE VIEW \(Quote.qualified(twin)) AS\n"
    do {
      try connection.execute(head + view.sql(keys: keys))
    } catch {
      throw view.located(error, after: head, keys: keys)
    }
    try DefaultPrivileges.revoke(onTable: Quote.qualified(twin), on: connection)
  }

  /// Whether groups are identical where they are equal.
  private static func isExact(_ keys: KeysQuery, on connection: Connection) throws -> Bool {
    guard !keys.parts.isEmpty else { return true }
    try connection.execute("CREATE TEMP VIEW rivulet_keys AS \(keys.all)")
    let types = try ColumnType.columns(of: "pg_temp.rivulet_keys", on: connection)
    try connection.execute("DROP VIEW pg_temp.rivulet_keys")
    return keys.isExact(types)
  }

  /// Throws where the SELECT uses what answers otherwise from one time to the next.
  private static func requireStability(
    of view: ViewDefinition, in twin: String, on connection: Connection
  ) throws {
    guard let function = try UnstableFunctions.names(in: twin, on: connection).first else { return }
    throw ViewProblem(
      view, at: Mark(line: view.line, column: 1),
      "what is stored cannot depend on \(function), which answers otherwise from one time to the next",
      hint:
        "a function of one's own that only reads what it is given, or tables, is to be marked IMMUTABLE or STABLE"
    )
  }

  private static func columns(of twin: String, on connection: Connection) throws -> [Column] {
    try connection.query(
      """
      SELECT a.attname, a.atttypid::int8, format_type(a.atttypid, a.atttypmod)
      FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 ORDER BY a.attnum
      """, [.text(Quote.qualified(twin))]
    ).rows.map {
      Column(name: try $0.value(0), type: try $0.value(1), typeName: try $0.value(2))
    }
  }

  private static func sources(
    _ view: ViewDefinition, _ declared: [String: SourceTable], reading tables: [String],
    on connection: Connection
  ) throws -> [Source] {
    var found = try view.sources.map { source in
      guard let table = declared[source.name.value] else {
        throw ViewProblem(view, at: source.name.mark, "there is no table \(source.name.value)")
      }
      if case .untracked(let reason) = table.kind {
        throw ViewProblem(
          view, at: source.name.mark, "changes of \(table.name) cannot be captured: \(reason)",
          hint: "make the view full, with fresh_for")
      }
      guard case .groups(let capture, _) = source.change else {
        return Source(table: table, capture: [], change: "rebuild")
      }
      return Source(table: table, capture: capture.map(\.value), change: "groups")
    }
    for name in tables where declared[name] == nil {
      guard let table = try SourceTable.find(name, on: connection) else {
        throw ViewProblem(
          view, at: Mark(line: view.line, column: 1),
          "the view reads \(name), whose name cannot be told apart",
          hint: "a table's name must not hold a dot")
      }
      switch table.kind {
      case .releases:
        let pointer = SourceTable(name: SourceTable.releases, kind: .releases, columns: [])
        if !found.contains(where: { $0.table.name == pointer.name }) {
          found.append(Source(table: pointer, capture: [], change: "rebuild"))
        }
      case .captured where view.strategy == .full:
        found.append(Source(table: table, capture: [], change: "rebuild"))
      case .captured:
        throw ViewProblem(
          view, at: view.sources.first?.name.mark, "the view reads \(name), which 'sources' does not name",
          hint: "say what a change of it means: capture and keys, or '\(name): rebuild'")
      case .untracked(let reason):
        guard view.strategy == .full, view.freshFor != nil else {
          throw ViewProblem(
            view, at: Mark(line: view.line, column: 1),
            "the view reads \(name), of whose changes nobody learns: \(reason)",
            hint: "make the view full, and say with fresh_for for how long its rows are good")
        }
        found.append(Source(table: table, capture: [], change: "untracked"))
      }
    }
    return found
  }

  private func requireColumns() throws {
    let names = columns.map(\.name)
    func require(_ column: Marked<String>, in what: String) throws {
      guard names.contains(column.value) else {
        throw ViewProblem(
          view, at: column.mark, "the SELECT gives no column '\(column.value)', which '\(what)' names",
          hint: NearestName.hint(column.value, among: names, called: "it gives"))
      }
    }
    for column in view.key { try require(column, in: "key") }
    for column in view.unique { try require(column, in: "unique") }
    for column in view.indexes.joined() { try require(column, in: "indexes") }
    if let column = view.ownerColumn { try require(column, in: "owner_column") }
  }

  /// What rows, or captured values, are told apart by must be of types that have an equality; JSON has none.
  private func requireEquality(on connection: Connection) throws {
    for column in view.key + view.unique { try requireEquality(of: column, in: twin, on: connection) }
    for source in view.sources {
      guard case .groups(let capture, _) = source.change else { continue }
      for column in capture { try requireEquality(of: column, in: source.name.value, on: connection) }
    }
  }

  private func requireEquality(
    of column: Marked<String>, in table: String, on connection: Connection
  ) throws {
    let name = Quote.identifier(column.value)
    let answer = Result {
      try connection.query("SELECT DISTINCT \(name) FROM \(Quote.qualified(table)) LIMIT 0")
    }
    guard case .failure(let error) = answer else { return }
    guard (error as? PostgreSQLError)?.sqlState == "42883" else { throw error }
    throw ViewProblem(
      view, at: column.mark, "values of '\(column.value)' cannot be told apart: their type has no equality")
  }

  private func requireTypes(_ found: [(source: ViewSource, types: [Int])]) throws {
    for (source, types) in found where !view.key.isEmpty {
      guard case .groups(_, let keys) = source.change else { continue }
      for (column, type) in zip(view.key, types) {
        guard let wanted = columns.first(where: { $0.name == column.value }), wanted.type != type else {
          continue
        }
        throw ViewProblem(
          view, at: keys.place(of: 1),
          "'keys' of \(source.name.value) gives '\(column.value)' as another type than the SELECT, which gives "
            + wanted.typeName,
          hint: "cast one of them")
      }
    }
  }

  private func requireRoles(on connection: Connection) throws {
    for role in view.readers {
      let found = try connection.query("SELECT FROM pg_roles WHERE rolname = $1", [.text(role.value)])
      guard found.count == 0, role.value != "public" else { continue }
      throw ViewProblem(
        view, at: role.mark, "there is no role '\(role.value)'",
        hint: "a migration makes it where it is missing")
    }
  }
}

extension ViewDefinition {
  /// What the server says of the SELECT, with its place in the file.
  func located(_ error: PostgreSQLError, after head: String, keys: String = "") -> any Error {
    guard case .server(let found) = error, error.isAboutStatement else { return error }
    let mark = found.position.map { place(of: $0 - head.unicodeScalars.count, keys: keys) }
    return ViewProblem(
      self, at: mark ?? Mark(line: line, column: 1), found.discreetMessage, hint: found.discreetHint,
      sqlState: found.sqlState)
  }
}
