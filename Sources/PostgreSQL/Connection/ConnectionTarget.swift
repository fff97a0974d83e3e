import CLibPQ

/// Which database to connect to: a libpq URI or keyword string, or nothing at all, which leaves every choice
/// to libpq's own `PG*` variables and service files.
public struct ConnectionTarget: Sendable, Equatable {
  /// What libpq is given as `dbname`.
  public let specification: String

  /// A URI (`postgresql://...`), a keyword string (`host=... dbname=...`) or the empty string.
  ///
  /// Throws ``PostgreSQLError/connectionFailed(target:reason:)`` when libpq cannot parse it.
  public init(_ specification: String) throws(PostgreSQLError) {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(specification, &message) else {
      let reason = message.map { String(cString: $0).trimmedLine } ?? "out of memory"
      PQfreemem(message)
      // The text may hold a password, so it is not repeated.
      throw .connectionFailed(
        target: "the database named", reason: ConnectionTarget.withoutSecrets(reason))
    }
    PQconninfoFree(options)
    self.specification = specification
  }

  /// What libpq will use, its defaults and the environment included: `host`, `port`, `dbname`, `user`...
  public var options: [String: String] {
    guard let defaults = PQconndefaults() else { return [:] }
    return Self.values(defaults).merging(given) { $1 }
  }

  /// What the specification itself says.
  var given: [String: String] { PQconninfoParse(specification, nil).map(Self.values) ?? [:] }

  /// The target for people, without its password: `database 'x' on host:port as user`.
  public var label: String {
    let options = options
    let host = options["host"] ?? options["hostaddr"] ?? "the local socket"
    let user = options["user"] ?? "?"
    var database = options["dbname"] ?? user
    // Not a name but another URI or keyword string, which may hold a password.
    if database.contains("://") || database.contains("=") { database = "?" }
    return "database '\(database)' on \(host):\(options["port"] ?? "5432") as '\(user)'"
  }

  /// libpq's reason without the part of the text that it quotes, unless that is an option's name.
  private static func withoutSecrets(_ reason: String) -> String {
    for harmless in ["invalid URI query parameter", "invalid connection option"] {
      if reason.hasPrefix(harmless) { return reason }
    }
    let missing = "missing \"=\""
    if reason.hasPrefix(missing) { return missing + " in connection info string" }
    let unquoted = reason.prefix { $0 != ":" }
    return String(unquoted)
  }

  private static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var found: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    PQconninfoFree(options)
    return found
  }
}
