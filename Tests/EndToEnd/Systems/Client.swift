import PostgreSQL
import TestSupport

/// A client's session, as PostgREST opens one: with the role and the claims of who has signed in.
struct Client {
  /// What became of a statement.
  enum Outcome: Equatable, Sendable {
    /// So many rows were read or written.
    case rows(Int)
    /// The server has refused it, by its SQLSTATE.
    case refused(String)

    /// What policies and missing rights give.
    static let forbidden = Outcome.refused("42501")
  }

  private let connection: Connection
  private let user: String?

  /// In place of a user: the owner of the database, who needs no rights.
  static let owner = "owner"

  /// `user`: who has signed in; nil for nobody.
  init(_ user: String?, in database: TestDatabase) throws {
    self.init(user, on: try database.connect())
    try connection.execute("BEGIN")
  }

  /// A client in a transaction that has begun, as whose owner this goes on.
  init(_ user: String?, on connection: Connection) { (self.user, self.connection) = (user, connection) }

  /// Does something and rolls it back.
  func outcome(of sql: String) throws -> Outcome {
    do {
      let result = try answer(to: sql)
      return .rows(result.columns.isEmpty ? result.affectedRows : result.count)
    } catch let error as PostgreSQLError {
      return .refused(error.sqlState ?? "")
    }
  }

  /// The first value of a query's answer; what the query has changed is rolled back.
  func value(_ sql: String) throws -> String? { try answer(to: sql).first?[0] }

  private func answer(to sql: String) throws -> ResultSet {
    try connection.execute("SAVEPOINT before_client")
    defer { _ = try? connection.execute("ROLLBACK TO before_client; RELEASE before_client") }
    if user == Self.owner { return try connection.execute(sql) }
    try connection.execute("SET LOCAL ROLE \(user == nil ? "anon" : "authenticated")")
    let claims = user.map { "{\"sub\": \"\($0)\"}" } ?? ""
    try connection.query("SELECT set_config('request.jwt.claims', $1, true)", [.text(claims)])
    return try connection.execute(sql)
  }
}
