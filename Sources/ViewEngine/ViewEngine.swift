public import Definitions
public import PostgreSQL
import Values

/// Makes derived views from their definitions and keeps them in step with them.
///
/// A live view is a plain view with the reader's rights, so that making it anew costs nothing; what was granted on
/// it is granted again.
public struct ViewEngine {
  private let definitions: [ViewDefinition]

  /// The views of a project.
  public init(_ definitions: [ViewDefinition]) { self.definitions = definitions }

  /// A view that cannot be made, and why.
  public struct Problem: Error, Sendable {
    /// The view's name.
    public let view: String
    /// Its file.
    public let file: String
    /// The line of the file that its SELECT begins on.
    public let line: Int
    /// What the server says; its position counts from the start of the SELECT.
    public let error: ServerError
  }

  /// Brings the views of the database in step with the definitions, in one transaction. Views whose tables are
  /// not there (yet, or any more) are left out and given back with the reason.
  @discardableResult
  public func synchronise(on connection: Connection) throws -> [Problem] {
    let built = try registered(on: connection)
    let wanted = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, ViewEngine.hash($0)) })
    if built == wanted { return [] }
    return try connection.transaction {
      _ = try drop(on: connection)
      return try make(on: connection)
    }
  }

  /// Drops every view that was made; true when there was one. To be called in a transaction.
  public func drop(on connection: Connection) throws -> Bool {
    let rows = try connection.query("DELETE FROM rivulet.view RETURNING name")
    let names: [String] = try rows.rows.map { try $0.value(0) }
    // All at once, since they stand on each other; without CASCADE, so that a view that somebody else put on
    // top of them is an error that names it, not a loss.
    let present = try names.filter { try ViewEngine.isThere($0, on: connection) }
    for name in present { try ViewGrants.keep(of: name, on: connection) }
    if !present.isEmpty {
      try connection.execute("DROP VIEW " + present.map(Quote.qualified).joined(separator: ", "))
    }
    return !names.isEmpty
  }

  /// Makes every view that can be made, each after those it stands on; gives back those that cannot, for want of
  /// what they read. To be called in a transaction.
  public func make(on connection: Connection) throws -> [Problem] {
    var waiting = definitions
    while true {
      var problems: [Problem] = []
      var next: [ViewDefinition] = []
      for view in waiting {
        do {
          try connection.transaction { try make(view, on: connection) }
        } catch let error as PostgreSQLError {
          guard case .server(let server) = error else { throw error }
          let problem = Problem(view: view.name, file: view.file, line: view.line, error: server)
          guard ViewEngine.missing.contains(server.sqlState) else { throw problem }
          problems.append(problem)
          next.append(view)
        }
      }
      // As long as something could be made, what stands on it may now be possible.
      if next.isEmpty || next.count == waiting.count { return problems }
      waiting = next
    }
  }

  /// Undefined table, schema, column, function: what a view reads is not there.
  private static let missing: Set<String> = ["42P01", "3F000", "42703", "42883"]

  private func make(_ view: ViewDefinition, on connection: Connection) throws {
    // The SELECT comes last and on a line of its own, so that the server's positions are lines of the file.
    let head = "CREATE VIEW \(Quote.qualified(view.name)) WITH (security_invoker = true) AS\n"
    do {
      try connection.execute(head + view.sql)
    } catch {
      guard case .server(let found) = error else { throw error }
      var shifted = found
      shifted.position = found.position.map { max(1, $0 - head.unicodeScalars.count) }
      shifted.statement = view.sql
      throw PostgreSQLError.server(shifted)
    }
    try connection.execute(
      "COMMENT ON VIEW \(Quote.qualified(view.name)) IS \(Quote.literal(view.description))")
    try ViewGrants.restore(to: view.name, on: connection)
    try connection.query(
      "INSERT INTO rivulet.view (name, definition_hash, strategy) VALUES ($1, $2, $3)",
      [.text(view.name), .text(ViewEngine.hash(view)), .text(view.strategy.rawValue)])
  }

  /// The views that were made and are still there, with the hashes of their definitions.
  private func registered(on connection: Connection) throws -> [String: String] {
    let rows = try connection.query(
      "SELECT name, definition_hash FROM rivulet.view WHERE to_regclass(name) IS NOT NULL")
    return Dictionary(
      uniqueKeysWithValues: try rows.rows.map { (try $0.value(0), try $0.value(1)) })
  }

  private static func isThere(_ name: String, on connection: Connection) throws -> Bool {
    try connection.query("SELECT to_regclass($1) IS NOT NULL", [.text(Quote.qualified(name))])[0].value(0)
  }

  private static func hash(_ view: ViewDefinition) -> String {
    SHA256.hex(of: "\(view.strategy.rawValue)\n\(view.description)\n\(view.sql)")
  }
}
