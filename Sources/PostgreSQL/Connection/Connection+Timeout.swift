/// A time-out that the server holds a session to, and who has set it.
public struct SessionTimeout: Sendable, Equatable {
  /// The setting: `statement_timeout`.
  public let name: String
  /// As the server shows it: `2s`.
  public let value: String
  /// Where it is set: `by ALTER ROLE loader SET`.
  public let origin: String
  /// What gives the session's role all the time it needs.
  public let remedy: String

  /// A sentence for the user.
  public var sentence: String { "\(name) is \(value), \(origin), and may have ended it: \(remedy)" }
}

extension Connection {
  /// A time-out as a session that changes nothing has it; nil where none is set, or the server does not know
  /// it.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func timeout(_ name: String) throws(PostgreSQLError) -> SessionTimeout? {
    guard
      let row = try query(
        """
        SELECT pg_catalog.current_setting(name), source, pg_catalog.quote_ident(session_user),
          pg_catalog.quote_ident(pg_catalog.current_database())
        FROM pg_catalog.pg_settings WHERE name OPERATOR(pg_catalog.=) $1 AND setting OPERATOR(pg_catalog.<>) '0'
        """, [.text(name)]
      ).first
    else { return nil }
    let (role, database) = (row[2] ?? "", row[3] ?? "")
    let inDatabase = "ALTER ROLE \(role) IN DATABASE \(database) SET"
    let source = row[1] ?? ""
    let isOfClient = ["client", "environment variable"].contains(source)
    let origin =
      switch source {
      case "user": "by ALTER ROLE \(role) SET"
      case "database": "by ALTER DATABASE \(database) SET"
      case "database user": "by \(inDatabase)"
      case "global": "by ALTER ROLE ALL SET"
      case _ where isOfClient: "by the options of the connection (PGOPTIONS, or those of the URL)"
      default: "by the server's configuration"
      }
    let change = source == "database user" ? inDatabase : "ALTER ROLE \(role) SET"
    return SessionTimeout(
      name: name, value: row[0] ?? "", origin: origin,
      remedy: isOfClient
        ? "take it out there" : "'\(change) \(name) = 0' gives the role all the time it needs")
  }
}
