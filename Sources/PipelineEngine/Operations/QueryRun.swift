public import Definitions
import PipelineCore
public import PostgreSQL
public import Store

/// A query with its parameters filled in.
public struct QueryRun: Sendable {
  /// Why a query cannot be asked.
  public enum Problem: Error, Sendable {
    /// It has no such parameter; the hint names the nearest.
    case unknownParameter(String, hint: String?)
    /// A parameter that it needs was not given.
    case missingParameter(String, description: String?)
    /// Exactly one of these must be given; none or several were.
    case notOneOf([String], given: [String])
    /// A parameter was given without the one that it belongs to.
    case missingCompanion(String, needed: String)
    /// A parameter's text is not of its type.
    case notOfType(String, type: String)
    /// There is no such value; the hint names the nearest, or those that there are.
    case unknownValue(String, option: String, hint: String?)
    /// Rows are chosen by a column that it does not have; the hint names the nearest.
    case unknownColumn(String, hint: String?)
    /// It has no answer, and says why in its column ``QueryRun/refusal``.
    case refused(String)
    /// The query's SQL is wrong, or what it reads is not there; `file` is nil of a view.
    case broken(file: String?, line: Int, error: ServerError)

    /// A schema, a table, a view or a function is not there.
    public var isOutOfStep: Bool {
      guard case .broken(_, _, let error) = self else { return false }
      return Self.absent.contains(error.sqlState)
    }

    /// How to go on; nil where the problem says it, or nothing is known that would help.
    public var hint: String? {
      switch self {
      case .unknownParameter(_, let hint), .unknownValue(_, _, let hint), .unknownColumn(_, let hint): hint
      case .broken where isOutOfStep:
        "'rivulet migrate up' makes the tables, functions and views of the project"
      default: nil
      }
    }

    /// Undefined table, undefined function, invalid schema name.
    fileprivate static let absent: Set<String> = ["42P01", "42883", "3F000"]
  }

  /// The column of a query in which it says why it has no answer.
  public static let refusal = "rivulet_refusal"

  /// Whether a column is one of a query's answer: those whose names begin with `rivulet_` are for the program,
  /// and for receipts.
  public static func isShown(_ column: String) -> Bool { !column.hasPrefix("rivulet_") }

  private let sql: String
  private let values: [String?]
  private let definition: QueryDefinition?

  /// Checks the values given, by option name without dashes, against the query's parameters.
  /// - Throws: ``Problem`` where they do not fit.
  public init(_ definition: QueryDefinition, values: [(name: String, value: String)]) throws {
    let options = definition.parameters.map(\.option)
    for (name, _) in values where !options.contains(name) {
      throw Problem.unknownParameter(
        name, hint: NearestName.hint(name, among: options, called: "parameters"))
    }
    for parameter in definition.parameters where parameter.isRequired {
      guard values.contains(where: { $0.name == parameter.option }) else {
        throw Problem.missingParameter(parameter.option, description: parameter.description)
      }
    }
    let given = definition.parameters.filter { parameter in
      values.contains { $0.name == parameter.option }
    }
    let chosen = given.filter { definition.alternatives.contains($0.name) }
    if !definition.alternatives.isEmpty, chosen.count != 1 {
      let choices = definition.parameters.filter { definition.alternatives.contains($0.name) }
      throw Problem.notOneOf(choices.map(\.option), given: chosen.map(\.option))
    }
    for parameter in given {
      if let needed = parameter.needed, !given.contains(where: { $0.name == needed }) {
        throw Problem.missingCompanion(
          parameter.option, needed: definition.parameter(named: needed)?.option ?? needed)
      }
    }
    let definition = definition.choosing(given.map(\.name))
    self.values = definition.order.map { name in
      let option = definition.parameter(named: name)?.option
      return values.last { $0.name == option }?.value
    }
    sql = definition.sql
    self.definition = definition
  }

  /// All rows of a view.
  /// - Parameter view: `schema.view`.
  public init(view: String) {
    sql = "SELECT * FROM \(Quote.qualified(view))"
    values = []
    definition = nil
  }

  /// Whether the database has a view of that name, no matter who made it.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public static func isView(_ name: String, on connection: Connection) throws -> Bool {
    try connection.query(
      """
      SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname || '.' || c.relname = $1 AND c.relkind IN ('v', 'm')
      """, [.text(name)]
    ).count > 0
  }

  /// Asks the query and hands its rows over in batches. One that found nothing, or refused to answer, in a release
  /// that another has replaced meanwhile is asked again, in that.
  ///
  /// - Parameters:
  ///   - selection: which of the rows, and in which order.
  ///   - connection: to the database.
  ///   - announce: takes the current release that `current` names, before the query is asked in it.
  ///   - body: takes some rows.
  /// - Throws: ``Problem`` where a value or the query is wrong, what `body` throws, and `PostgreSQLError`.
  public func rows(
    _ selection: RowSelection = RowSelection(), on connection: Connection,
    announce: (CurrentRelease) -> Void = { _ in }, _ body: (ResultSet) throws -> Void
  ) throws {
    var current = try current(on: connection)
    while true {
      if let current { announce(current) }
      var refusal: Problem?
      var hasRows = false
      do {
        try rows(selection, with: try known(current, on: connection), on: connection) { rows in
          hasRows = hasRows || !rows.rows.isEmpty
          try body(rows)
        }
      } catch Problem.refused(let reason) {
        refusal = .refused(reason)
      }
      let now = hasRows ? nil : try self.current(on: connection)
      if let now, let asked = current, now.release != asked.release {
        current = now
        continue
      }
      if let refusal { throw refusal }
      return
    }
  }

  private func rows(
    _ selection: RowSelection, with values: [String?], on connection: Connection,
    _ body: (ResultSet) throws -> Void
  ) throws {
    let parameters = values.map { PostgreSQL.Parameter($0) }
    // What a selection is put around begins on the line below its own first.
    let above = selection.isEverything ? 0 : 1
    do {
      let text = try self.text(of: selection, parameters, on: connection)
      try connection.stream(text, parameters + selection.values.map { .text($0) }) { rows in
        if let column = rows.columns.firstIndex(of: Self.refusal),
          let reason = rows.rows.lazy.compactMap({ $0[column] }).first
        {
          throw Problem.refused(reason)
        }
        try body(rows)
      }
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error else { throw error }
      guard let definition else {
        throw Problem.absent.contains(server.sqlState)
          ? Problem.broken(file: nil, line: 1, error: server) : error
      }
      if ["22007", "22008", "22P02"].contains(server.sqlState), server.position == nil {
        // The server's message quotes the value; the parameter's type is what the user needs.
        let typed = definition.parameters.filter { $0.kind != .text }
        if let first = typed.first {
          throw Problem.notOfType(
            typed.map(\.option).joined(separator: " or --"),
            type: typed.count == 1 ? first.kind.rawValue : "its type")
        }
      }
      throw Problem.broken(file: definition.file, line: definition.template.line - above, error: server)
    }
  }

  /// The query, with what chooses of its rows around it.
  private func text(
    of selection: RowSelection, _ parameters: [PostgreSQL.Parameter], on connection: Connection
  ) throws -> String {
    guard !selection.isEverything else { return sql }
    let none = try connection.query("SELECT * FROM (\n\(sql)\n) none LIMIT 0", parameters)
    for column in selection.columns where !none.columns.contains(column) {
      let shown = none.columns.filter { Self.isShown($0) }
      throw Problem.unknownColumn(column, hint: NearestName.hint(column, among: shown, called: "columns"))
    }
    var types: [String: String] = [:]
    for (column, type) in zip(none.columns, none.columnTypes) where selection.columns.contains(column) {
      let name: String = try connection.query("SELECT pg_catalog.format_type(\(type), NULL)")[0].value(0)
      types[column] = name
    }
    try selection.checkValues(types, on: connection)
    return selection.query(
      of: sql, parameters: parameters.count, types: types,
      refusal: none.columns.contains(Self.refusal) ? Self.refusal : nil)
  }

  /// The values as the database spells them, where it says which there are: case and blanks around them aside.
  private func known(_ current: CurrentRelease?, on connection: Connection) throws -> [String?] {
    guard let definition else { return values }
    return try zip(definition.order, values).map { (name, value) -> String? in
      if definition.current != nil, name == QueryDefinition.Current.placeholder { return current?.release }
      guard let value, let parameter = definition.parameter(named: name), let among = parameter.among else {
        return value
      }
      do {
        let all = try connection.query(among.sql).rows.compactMap { $0[0] }
        if let known = all.first(where: { $0 == value })
          ?? all.first(where: { Self.plain($0) == Self.plain(value) })
        {
          return known
        }
        let hint = NearestName.hint(value, among: all, called: "there are")
        throw Problem.unknownValue(value, option: parameter.option, hint: hint)
      } catch PostgreSQLError.server(let error) {
        let place = error.position.map { among.place(of: $0) }
        throw Problem.broken(file: definition.file, line: place?.line ?? 1, error: error)
      }
    }
  }

  /// The current release that the query may answer from; nil where there is none, and where it names none.
  private func current(on connection: Connection) throws -> CurrentRelease? {
    guard let definition, let current = definition.current else { return nil }
    do {
      return try Releases(connection: connection).current(of: current.pipeline)
    } catch PostgreSQLError.server(var error) where Problem.absent.contains(error.sqlState) {
      error.position = nil
      throw Problem.broken(file: definition.file, line: 1, error: error)
    }
  }

  private static func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }
}
