public import Definitions
public import PostgreSQL

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
    /// The query's SQL is wrong.
    case broken(file: String, line: Int, error: ServerError)
  }

  private let sql: String
  private let parameters: [PostgreSQL.Parameter]
  private let definition: QueryDefinition?

  /// Checks the values given, by option name without dashes, against the query's parameters.
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
    parameters = definition.order.map { name in
      let option = definition.parameter(named: name)?.option
      return PostgreSQL.Parameter(values.last { $0.name == option }?.value)
    }
    sql = definition.sql
    self.definition = definition
  }

  /// All rows of a view.
  public init(view: ViewDefinition) {
    sql = "SELECT * FROM \(Quote.qualified(view.name))"
    parameters = []
    definition = nil
  }

  /// Asks the query and hands its rows over in batches.
  public func rows(on connection: Connection, _ body: (ResultSet) throws -> Void) throws {
    do {
      try connection.stream(sql, parameters, body)
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error, let definition else { throw error }
      if ["22007", "22008", "22P02"].contains(server.sqlState), server.position == nil {
        // The server's message quotes the value; the parameter's type is what the user needs.
        let typed = definition.parameters.filter { $0.kind != .text }
        if let first = typed.first {
          throw Problem.notOfType(
            typed.map(\.option).joined(separator: " or --"),
            type: typed.count == 1 ? first.kind.rawValue : "its type")
        }
      }
      throw Problem.broken(file: definition.file, line: definition.template.line, error: server)
    }
  }
}
