import Host
public import PostgreSQL

/// Where shadow databases are made.
public enum ShadowPlace {
  /// In a server of its own, made for this and thrown away afterwards: nothing else is needed or touched.
  case embedded
  /// In the server that a connection leads to, beside its database and with that one's encoding and
  /// collation.
  case beside(Connection)
}

/// A server in which databases can be made that live only while a closure runs.
///
/// Whatever ends the closure, a throw and an interruption included, what was made goes with it. What a killed
/// process has left is removed by the next one.
///
/// ```swift
/// let snapshot = try ShadowServer.withServer(.embedded, tell: { print($0) }) { server in
///   try server.withDatabase { connection in try SchemaSnapshot.read(from: connection) }
/// }
/// ```
public struct ShadowServer {
  /// Any database of the server, to make and drop others from.
  let target: ConnectionTarget
  /// What `CREATE DATABASE` says of encoding and collation; empty for the server's own.
  let locale: String
  /// Whether nobody else uses it.
  let isThrowAway: Bool

  /// Runs `body` with a server, of the major version of a database's where one is given. `tell` takes a
  /// sentence on each thing that takes a moment.
  ///
  /// - Throws: ``ShadowError`` or `EmbeddedClusterError`, which name the fix, and what `body` throws.
  public static func withServer<Value>(
    _ place: ShadowPlace, like database: Connection? = nil, tell: (String) -> Void = { _ in },
    _ body: (ShadowServer) throws -> Value
  ) throws -> Value {
    switch place {
    case .embedded:
      return try ShadowCluster.whileRunning(major: database.map { $0.serverVersion / 10_000 }, tell: tell) {
        target in
        try body(ShadowServer(target: target, locale: "", isThrowAway: true))
      }
    case .beside(let connection):
      try ShadowDatabase.requireRight(on: connection)
      try ShadowDatabase.dropStale(on: connection)
      let locale = try ShadowDatabase.locale(of: connection)
      return try body(ShadowServer(target: connection.target, locale: locale, isThrowAway: false))
    }
  }

  /// Runs `body` with a new, empty database.
  ///
  /// - Parameters:
  ///   - settings: settings that sessions of the database start with, by name.
  ///   - body: takes a connection to it.
  /// - Returns: what `body` returned.
  /// - Throws: ``ShadowError``, `PostgreSQLError`, `Interrupted`, and what `body` throws.
  public func withDatabase<Value>(
    settings: [String: String] = [:], _ body: (Connection) throws -> Value
  ) throws -> Value {
    try Interruption.shared.check()
    let database = try ShadowDatabase(on: target, locale: locale, settings: settings)
    let value: Value
    do {
      let connection = try Connection(to: database.target)
      // A request to end the program cancels its statement meanwhile.
      let canceller = connection.canceller
      let key = Interruption.shared.register { canceller.cancel() }
      defer { Interruption.shared.unregister(key) }
      value = try body(connection)
    } catch {
      // What went wrong first has to be reported.
      try? database.drop()
      throw error
    }
    try database.drop()
    return value
  }

  /// Runs `body`; where that asks for an extension that the server has not, this is what is reported.
  ///
  /// - Throws: `ShadowError.lacksExtension`, else what `body` throws.
  func reportingExtensions<Value>(on connection: Connection, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      guard let missing = MissingExtension.reported(by: error, on: connection) else { throw error }
      let cause = (error as? MigrationError)?.located ?? "\(error)"
      throw ShadowError.lacksExtension(missing, cause: cause, isThrowAway: isThrowAway)
    }
  }

  /// The server with the roles of another, by name only, used as one of them with all rights; a server that
  /// is in use has its roles, and stays as it is.
  ///
  /// Roles belong to no schema, but migrations name them, and give rights to the role that runs them.
  ///
  /// Roles in `made` are left to the migrations that make them.
  func withRoles(of connection: Connection, as role: String, but made: Set<String> = []) throws
    -> ShadowServer
  {
    guard isThrowAway else { return self }
    let names = try connection.query("SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_'").rows.compactMap {
      $0[0]
    }
    let administration = try Connection(to: target)
    let present = Set(try administration.query("SELECT rolname FROM pg_roles").rows.compactMap { $0[0] })
    for name in names where !present.contains(name) && (name == role || !made.contains(name)) {
      try administration.execute("CREATE ROLE \(Quote.identifier(name))")
    }
    try administration.execute("ALTER ROLE \(Quote.identifier(role)) SUPERUSER LOGIN")
    return ShadowServer(target: try target.user(role), locale: locale, isThrowAway: true)
  }

  /// Makes the role that most servers have, and so many migrations name, in a server of its own.
  func makeUsualRole() throws {
    guard isThrowAway else { return }
    let administration = try Connection(to: target)
    if try administration.query("SELECT 1 FROM pg_roles WHERE rolname = 'postgres'").rows.isEmpty {
      try administration.execute("CREATE ROLE postgres SUPERUSER")
    }
  }

  /// The settings of a database that decide what the text of a migration means: where unqualified names lead,
  /// and how times without a zone are read, in sessions of the connection's role.
  static func settings(of connection: Connection) throws -> [String: String] {
    let rows = try connection.query(
      """
      SELECT name, replace(reset_val, '"$user"', quote_ident(current_user)) FROM pg_settings
      WHERE name IN ('search_path', 'TimeZone')
      """)
    return Dictionary(
      try rows.rows.map { (try $0.value(0, String.self), try $0.value(1, String.self)) },
      uniquingKeysWith: { $1 })
  }
}
