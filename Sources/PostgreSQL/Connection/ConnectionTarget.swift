import CLibPQ
import Glibc

/// Which database to connect to: a libpq URI or keyword string, or nothing at all, which leaves every choice
/// to libpq's own `PG*` variables and service files.
public struct ConnectionTarget: Sendable, Equatable {
  /// What libpq is given as `dbname`.
  public let specification: String

  /// A URI (`postgresql://...`), a keyword string (`host=... dbname=...`) or the empty string.
  /// - Throws: ``PostgreSQLError/connectionFailed(target:reason:)`` when libpq cannot parse it.
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

  /// What libpq will use, its defaults, the environment and a service included: `host`, `port`, `dbname`,
  /// `user`...
  public var options: [String: String] {
    let defaults = given["service"] == nil ? PQconndefaults() : ofService
    return (defaults.map(Self.values) ?? [:]).merging(given) { $1 }
  }

  /// The same where the specification names a service, which libpq looks up only to connect: it is asked to,
  /// with a setting that it then refuses.
  private var ofService: UnsafeMutablePointer<PQconninfoOption>? {
    let refused = Self.pass(
      [("dbname", specification), ("target_session_attrs", "?")], to: PQconnectStartParams)
    defer { PQfinish(refused) }
    return PQconninfo(refused)
  }

  /// Calls a function of libpq that takes settings in two arrays, with `dbname` taken apart.
  static func pass<Result>(
    _ settings: [(String, String)],
    to function: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?, CInt) ->
      Result
  ) -> Result {
    let names = settings.map { strdup($0.0) }
    let values = settings.map { strdup($0.1) }
    defer { for pointer in names + values { free(pointer) } }
    return function(names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
  }

  /// Calls a function of libpq that connects here, with `more` settings and our timeouts.
  func pass<Result>(
    _ more: [(String, String)],
    to function: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?, CInt) ->
      Result
  ) -> Result {
    Self.pass(timeouts + [("dbname", specification)] + more, to: function)
  }

  /// How long a connection may be silent, in those settings that neither the specification nor the
  /// environment nor a service has. A server that starts up says so, but a proxy before it may have to wake
  /// it first.
  var timeouts: [(String, String)] {
    let given = options
    return [
      ("connect_timeout", "30"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "300000"),
    ].filter { given[$0.0] == nil }
  }

  /// Another database of the same server, reached as the same user with the same options.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func database(_ name: String) throws(PostgreSQLError) -> ConnectionTarget {
    try changed("dbname", to: name)
  }

  /// The same database as another user.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func user(_ name: String) throws(PostgreSQLError) -> ConnectionTarget {
    try changed("user", to: name)
  }

  /// The same database without the password that the specification has, and that password.
  /// - Throws: ``PostgreSQLError/connectionFailed(target:reason:)`` where libpq cannot parse it.
  public func withoutPassword() throws(PostgreSQLError) -> (target: ConnectionTarget, password: String?) {
    guard let password = given["password"] else { return (self, nil) }
    return (try with(given.filter { $0.key != "password" }), password)
  }

  /// Whether the specification itself has a password.
  public var hasPassword: Bool { given["password"] != nil }

  private func changed(_ keyword: String, to value: String) throws(PostgreSQLError) -> ConnectionTarget {
    try with(given.merging([keyword: value]) { $1 })
  }

  private func with(_ settings: [String: String]) throws(PostgreSQLError) -> ConnectionTarget {
    let words = settings.sorted { $0.key < $1.key }
    return try ConnectionTarget(words.map { "\($0.key)='\($0.value.keywordEscaped)'" }.joined(separator: " "))
  }

  /// What the specification itself says.
  private var given: [String: String] { PQconninfoParse(specification, nil).map(Self.values) ?? [:] }

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

  /// Where the database is, as catalogs of data name it; a socket is `localhost`.
  public var location: (host: String, port: String, database: String) {
    let options = options
    let host = options["host"] ?? options["hostaddr"] ?? "/"
    let database = options["dbname"] ?? options["user"] ?? ""
    let isPlain = !database.contains("://") && !database.contains("=")
    return (host.hasPrefix("/") ? "localhost" : host, options["port"] ?? "5432", isPlain ? database : "")
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
