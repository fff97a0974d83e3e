import PostgreSQL
import TestSupport
import Testing

/// A client's session, as PostgREST opens one: with the role and the claims of whoever has signed in.
struct Client {
  /// What became of a statement.
  enum Outcome: Equatable {
    /// So many rows were read or written.
    case rows(Int)
    /// The server has refused it, by its SQLSTATE.
    case refused(String)

    /// What policies and missing rights give.
    static let forbidden = Outcome.refused("42501")
  }

  private let connection: Connection

  /// - Parameter user: who has signed in; nil for nobody.
  init(_ user: String?, in database: TestDatabase) throws {
    connection = try database.connect()
    try connection.execute("SET ROLE \(user == nil ? "anon" : "authenticated")")
    let claims = user.map { "{\"sub\": \"\($0)\"}" } ?? ""
    try connection.query("SELECT set_config('request.jwt.claims', $1, false)", [.text(claims)])
  }

  /// Does something and takes it back.
  func outcome(of sql: String) throws -> Outcome {
    try connection.execute("BEGIN")
    defer { _ = try? connection.execute("ROLLBACK") }
    do {
      let result = try connection.execute(sql)
      return .rows(result.columns.isEmpty ? result.affectedRows : result.count)
    } catch {
      return .refused(error.sqlState ?? "")
    }
  }

  /// The first value of a query's answer.
  func value(_ sql: String) throws -> String? { try connection.execute(sql).rows.first?[0] }

  /// Does something for good.
  func execute(_ sql: String) throws { try connection.execute(sql) }
}

/// Who does what with which outcome, in words for a failure.
struct PolicyCase: CustomTestStringConvertible, Sendable {
  let user: String?
  let sql: String
  let outcome: Client.Outcome

  init(_ user: String?, _ sql: String, _ outcome: Client.Outcome) {
    (self.user, self.sql, self.outcome) = (user, sql, outcome)
  }

  var testDescription: String { "\(user.map { String($0.suffix(1)) } ?? "anon"): \(sql)" }

  /// Compares the outcome in a database.
  func check(in database: TestDatabase) throws {
    let found = try Client(user, in: database).outcome(of: sql)
    #expect(found == outcome, "\(testDescription)")
  }
}
