import PostgreSQL

extension ShadowServer {
  /// The server with the roles of another, by name only, used as one of them with all rights; a server that
  /// is in use has its roles, and stays as it is.
  ///
  /// Roles belong to no schema, but migrations name them, and give rights to the role that runs them.
  func withRoles(of connection: Connection, as role: String) throws -> ShadowServer {
    guard isThrowAway else { return self }
    let names = try connection.query("SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_'").rows.compactMap {
      $0[0]
    }
    let administration = try Connection(to: target)
    let present = Set(try administration.query("SELECT rolname FROM pg_roles").rows.compactMap { $0[0] })
    for name in names where !present.contains(name) {
      try administration.execute("CREATE ROLE \(Quote.identifier(name))")
    }
    try administration.execute("ALTER ROLE \(Quote.identifier(role)) SUPERUSER LOGIN")
    return ShadowServer(target: try target.user(role), locale: locale, isThrowAway: true)
  }
}
