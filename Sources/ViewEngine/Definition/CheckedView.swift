import Definitions
import PostgreSQL

/// A stored view's definition that the database agrees with: its SELECT is there as a plain view, and
/// everything the header names is there.
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

    /// What Citus does with it; nil where it keeps it on one server.
    var placed: SourcePlacement? {
      switch table.kind {
      case .sharded where change == "groups": .shards
      case .marked where change != "untracked": .marks
      default: nil
      }
    }
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
    let (tables, followsDate) = try Self.dependencies(of: twin, on: connection)
    self.followsDate = followsDate
    sources = try Self.sources(view, declared, reading: tables, on: connection)
    try requireColumns()
    try requireEquality(on: connection)
    try requireTypes(keyTypes)
    try requireRoles(on: connection)
    try requireShardKey(on: connection)
    try settings.restore()
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
        // The server finds fault with too few only. Where all rows are one group, none is needed and any will
        // do.
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
    try view.createView(twin, keys: keys, on: connection)
    try DefaultPrivileges.revoke(onTable: Quote.qualified(twin), on: connection)
  }

  /// Whether groups are identical where they are equal.
  private static func isExact(_ keys: KeysQuery, on connection: Connection) throws -> Bool {
    guard !keys.parts.isEmpty else { return true }
    try connection.execute("CREATE TEMP VIEW rivulet_keys AS \(keys.all)")
    let types = try ColumnType.columns(of: "pg_temp.rivulet_keys", on: connection)
    try connection.execute("DROP VIEW IF EXISTS pg_temp.rivulet_keys")
    return keys.isExact(types)
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

  /// The tables that a plain view is computed from, in order, as the server knows it: through other views and
  /// through functions whose bodies it has taken apart. And whether it depends on the date.
  private static func dependencies(
    of view: String, on connection: Connection
  ) throws -> (tables: [String], followsDate: Bool) {
    let names: [String] = try connection.query(
      """
      SELECT n.nspname || '.' || c.relname FROM rivulet.view_uses(to_regclass($1)) u
      JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id AND c.relkind IN ('r', 'p', 'f', 'm')
      JOIN pg_namespace n ON n.oid = c.relnamespace
      UNION
      SELECT '' FROM rivulet.view_uses(to_regclass($1)) u WHERE u.class = 'pg_proc'::regclass
        AND u.id = to_regprocedure('rivulet.today()')
      ORDER BY 1
      """, [.text(Quote.qualified(view))]
    ).rows.map { try $0.value(0) }
    return (names.filter { !$0.isEmpty }, names.contains(""))
  }

  private static func unseen(_ view: ViewDefinition, _ table: String, _ reason: String) -> ViewProblem {
    ViewProblem(
      view, at: Mark(line: view.line, column: 1),
      "the view reads \(table), of whose changes nobody learns: \(reason)",
      hint: "make the view full, and say with fresh_for for how long its rows are good")
  }

  private static let notAsWhole =
    "Citus distributes it, where which groups have changed is kept and nothing else"

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
        if case .sharded = table.kind {
          throw ViewProblem(
            view, at: source.name.mark, "'rebuild' cannot be asked for \(table.name): \(notAsWhole)",
            hint: "say what a change of it means: capture and keys")
        }
        return Source(table: table, capture: [], change: "rebuild")
      }
      return Source(table: table, capture: capture.map(\.value), change: "groups")
    }
    for name in tables where declared[name] == nil {
      guard let table = try SourceTable.find(name, on: connection) else {
        throw ViewProblem(
          view, at: Mark(line: view.line, column: 1),
          "the view reads \(name), whose name is ambiguous",
          hint: "a table's name must not hold a dot")
      }
      switch table.kind {
      case .releases:
        let pointer = SourceTable(name: SourceTable.releases, kind: .releases, columns: [])
        if !found.contains(where: { $0.table.name == pointer.name }) {
          found.append(Source(table: pointer, capture: [], change: "rebuild"))
        }
      case .captured where view.strategy == .full, .marked where view.strategy == .full:
        found.append(Source(table: table, capture: [], change: "rebuild"))
      case .sharded where view.strategy == .full:
        guard view.freshFor != nil else { throw unseen(view, table.name, notAsWhole) }
        found.append(Source(table: table, capture: [], change: "untracked"))
      case .captured, .marked, .sharded:
        throw ViewProblem(
          view, at: view.sources.first?.name.mark, "the view reads \(name), which 'sources' does not name",
          hint: "say what a change of it means: capture and keys, or '\(name): rebuild'")
      case .untracked(let reason):
        guard view.strategy == .full, view.freshFor != nil else { throw unseen(view, name, reason) }
        found.append(Source(table: table, capture: [], change: "untracked"))
      }
    }
    return found
  }
}

extension ViewDefinition {
  /// Makes a plain view of the SELECT.
  func createView(
    _ name: String, _ options: String = "", keys: String = "", on connection: Connection
  ) throws {
    // The SELECT comes last and on a line of its own, so that the server's positions are lines of the file.
    let head = "CREATE VIEW \(Quote.qualified(name)) \(options) AS\n"
    do {
      try connection.execute(head + sql(keys: keys))
    } catch {
      throw located(error, after: head, keys: keys)
    }
  }

  /// What the server says of the SELECT, with its place in the file.
  func located(_ error: PostgreSQLError, after head: String, keys: String) -> any Error {
    guard case .server(let found) = error, error.isAboutStatement else { return error }
    let mark = found.position.map { place(of: $0 - head.unicodeScalars.count, keys: keys) }
    return ViewProblem(
      self, at: mark ?? Mark(line: line, column: 1), found.discreetMessage, hint: found.discreetHint,
      sqlState: found.sqlState)
  }
}
