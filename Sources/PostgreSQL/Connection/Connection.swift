import CLibPQ
import Glibc

/// A connection to a server.
///
/// It is not `Sendable` on purpose: the compiler lets one task or thread at a time have it, and hands it over
/// only when nobody else can reach it any more. Calls block their thread until the server has answered; what
/// has to be done from elsewhere meanwhile is the ``canceller``'s.
///
/// ```swift
/// let connection = try Connection(to: target)
/// let counted = try connection.query("SELECT count(*) FROM cms.rvu WHERE release = $1", ["2025D"])
/// let rows = try counted[0].value(0, Int.self)
/// ```
public final class Connection {
  let handle: OpaquePointer
  private let notices = NoticeReceiver()
  /// How many transactions and savepoints are open.
  var depth = 0
  /// Whether the database has the extension Citus, which keeps tables on several servers.
  public internal(set) var hasCitus = false
  /// Where it leads.
  public let target: ConnectionTarget
  /// Cancels the running statement from any thread.
  public let canceller: Canceller

  /// Connects, with UTF-8 as the client's encoding.
  /// - Parameters:
  ///   - target: the database.
  ///   - settings: statements that set what the session is to have beside the usual settings.
  /// - Throws: ``PostgreSQLError/connectionFailed(target:reason:)`` where there is no connection, also
  ///   because the program is asked to end; other errors of ``PostgreSQLError`` where the server refuses the
  ///   settings.
  public init(to target: ConnectionTarget, settings: String = "") throws(PostgreSQLError) {
    handle = try Connection.open(target)
    self.target = target
    canceller = Canceller(handle)
    notices.attach(to: handle)
    let opening = "\(Connection.settings); \(settings);"
    let asking = "SELECT pg_catalog.pg_backend_pid(), (\(Connection.asksForCitus))"
    guard let answer = try execute(opening + asking).first else { throw lost() }
    process = try answer.value(0)
    hasCitus = try answer.value(1)
  }

  /// What every session of ours relies on, whatever the role, the database or a migration has set: the forms
  /// in which values come back; no compiling, since our statements are short; a server that notices when this
  /// program is killed, even in the middle of a statement, or its locks would outlive it; and one that keeps
  /// a session that has nothing to ask while this program reads files or another session builds an index.
  static let settings = """
    SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres';
    SET bytea_output = 'hex'; SET extra_float_digits = 1; SET standard_conforming_strings = on;
    SET quote_all_identifiers = off; SET jit = off; SET client_connection_check_interval = '500ms';
    SET idle_session_timeout = 0; SET idle_in_transaction_session_timeout = 0
    """

  /// Resets what other statements have set for the session: roles and settings.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func resetSession() throws(PostgreSQLError) {
    try execute(Connection.reset)
  }

  /// What ``resetSession()`` says, to be sent along with other statements.
  public static let reset = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL;" + settings + ";"

  deinit { PQfinish(handle) }

  /// A second connection to the same database as the same user; its notices go where those of this one do.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func another() throws(PostgreSQLError) -> Connection {
    let other = try Connection(to: target)
    other.notices.handler = notices.handler
    return other
  }

  /// Whether a server answers at the target. No password is needed to ask; one that the target has is sent as
  /// always.
  public static func isAnswering(_ target: ConnectionTarget) -> Bool {
    ping(target) == PQPING_OK
  }

  /// Whether a server is there and takes no connections yet, or no more.
  public static func isStarting(_ target: ConnectionTarget) -> Bool {
    ping(target) == PQPING_REJECT
  }

  /// The server's version as a number: 150018 is 15.18.
  public var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// The encoding in which the server takes and gives text in this session.
  public var clientEncoding: String {
    PQparameterStatus(handle, "client_encoding").map { String(cString: $0) } ?? ""
  }

  /// The encoding of the database.
  private var serverEncoding: String {
    PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? ""
  }

  /// The number of the server's process that has answered first: not ``backendID`` where there is a pooler
  /// between.
  public private(set) var process = 0

  /// The number of the server's process for this connection, as it was given to the client.
  public var backendID: Int { Int(PQbackendPID(handle)) }

  /// Whether the server asked for a password that went over a network without TLS, as all rows do; sockets and
  /// the machine itself are no network.
  public var hasOpenPassword: Bool {
    guard PQconnectionUsedPassword(handle) == 1, PQsslInUse(handle) == 0, PQgssEncInUse(handle) == 0 else {
      return false
    }
    return !Connection.isOfThisMachine(PQhostaddr(handle).map { String(cString: $0) } ?? "")
  }

  /// Whether an address leads back to this machine: that of a socket is empty.
  static func isOfThisMachine(_ address: String) -> Bool {
    address.isEmpty || address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
  }

  /// Takes each notice as it comes; the default is to ignore them.
  public func onNotice(_ handler: @escaping (Notice) -> Void) { notices.handler = handler }

  /// Runs one statement with parameters and gives its rows.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  @discardableResult
  public func query(_ sql: String, _ parameters: [Parameter] = []) throws(PostgreSQLError) -> ResultSet {
    let encoded = parameters.map(\.encoded)
    try refuseNUL([sql] + encoded, statement: sql)
    let texts = encoded.map { text in text.map { strdup($0) } ?? nil }
    defer { for pointer in texts { free(pointer) } }
    let answer = PQexecParams(
      handle, sql, Int32(texts.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
    return try checked(answer, statement: sql)
  }

  /// Runs one or several statements without parameters; the rows are those of the last.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  @discardableResult
  public func execute(_ sql: String) throws(PostgreSQLError) -> ResultSet {
    try refuseNUL([sql], statement: sql)
    return try checked(PQexec(handle, sql), statement: sql)
  }

  /// Runs several statements without parameters in one round trip, and gives the rows of each.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func answers(to sql: String) throws(PostgreSQLError) -> [ResultSet] {
    try refuseNUL([sql], statement: sql)
    guard PQsendQuery(handle, sql) == 1 else { throw lost() }
    var found: [ResultSet] = []
    var failure: PostgreSQLError?
    while let answer = PQgetResult(handle) {
      do throws(PostgreSQLError) {
        found.append(try checked(answer, statement: sql))
      } catch {
        failure = failure ?? error
      }
    }
    guard let failure else { return found }
    throw PQstatus(handle) == CONNECTION_BAD ? lost() : failure
  }

  private func refuseNUL(_ texts: [String?], statement: String) throws(PostgreSQLError) {
    for text in texts where text?.utf8.contains(0) == true { throw .server(.containsNUL(statement)) }
  }

  /// Runs `body` in a transaction, or in a savepoint where one is open already: a return commits, a throw
  /// rolls back.
  ///
  /// `settings` are statements for its start, and `closing` for its end, asked for after `body`: neither
  /// costs a round trip of its own.
  /// - Throws: what `body` throws; also where `body` returns although a statement of it has failed: the
  ///   server rolls back the whole transaction then, or savepoint, even if the error was caught.
  public func transaction<Value>(
    settings: String = "", closing: () throws -> String = { "" }, _ body: () throws -> Value
  ) throws -> Value {
    let level = depth
    defer { depth = level }
    do {
      try begin(level, settings)
      let value = try body()
      try commit(level, try closing())
      return value
    } catch {
      // The first error is the one to report.
      if isInTransaction { rollBack(level) }
      throw error
    }
  }

  func begin(_ level: Int, _ settings: String = "") throws(PostgreSQLError) {
    if level == 0, hasCitus {
      try beginOnCluster(settings)
    } else {
      try execute((level == 0 ? "BEGIN;" : "SAVEPOINT rivulet_\(level);") + settings)
    }
    depth = level + 1
  }

  /// Rolls back a transaction or savepoint. What else could fail here means that the connection is gone, and
  /// with it the transaction; but a request to cancel what went wrong may arrive during the rollback, which
  /// is asked for again then.
  func rollBack(_ level: Int) {
    for _ in 0..<Connection.rollbackTries {
      do {
        try execute(Connection.rollback(level))
        return
      } catch {
        guard error.isCancellation else { return }
      }
    }
  }

  /// More than anybody would send cancel requests.
  private static let rollbackTries = 100

  func commit(_ level: Int, _ closing: String = "") throws(PostgreSQLError) {
    guard level == 0 else {
      try execute(closing + ";RELEASE SAVEPOINT rivulet_\(level)")
      return
    }
    // To the COMMIT of a failed transaction the server answers, without an error, that it was rolled back.
    guard try answers(to: closing + ";COMMIT").contains(where: { $0.commandTag == "ROLLBACK" })
    else {
      return
    }
    throw .server(
      ServerError(
        sqlState: "25P02", message: "the transaction was rolled back, since a statement in it had failed",
        statement: "COMMIT"))
  }

  private static func rollback(_ level: Int) -> String {
    let savepoint = "SAVEPOINT rivulet_\(level)"
    return level == 0 ? "ROLLBACK" : "ROLLBACK TO \(savepoint); RELEASE \(savepoint)"
  }

  /// Whether the connection can take another statement.
  public var isUsable: Bool { PQstatus(handle) == CONNECTION_OK && !isInTransaction }

  /// Whether the connection has been lost, found out without asking the server: it may have ended the
  /// session, or gone down, while nothing was asked of it. What a transaction of
  /// ``transaction(settings:closing:_:)`` is to find out by its next statement is not known here.
  public var isLost: Bool {
    guard depth == 0 else { return false }
    var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    // The server's last words come first, then the end.
    for _ in 0..<4 where PQstatus(handle) == CONNECTION_OK && poll(&socket, 1, 0) > 0 {
      PQconsumeInput(handle)
    }
    return PQstatus(handle) != CONNECTION_OK
  }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  @discardableResult
  func checked(_ answer: OpaquePointer?, statement: String) throws(PostgreSQLError) -> ResultSet {
    guard let answer else { throw lost() }
    switch PQresultStatus(answer) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      return ResultSet(owning: answer)
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      let isOut = PQresultStatus(answer) == PGRES_COPY_OUT
      PQclear(answer)
      if isOut { discardCopyOut() }
      PQclear(finishCopy(failing: "there are no rows to copy"))
      throw .server(
        ServerError(
          sqlState: "0A000", message: "COPY from or to the client cannot be used here",
          hint: "Use INSERT, or COPY with a file of the server.", statement: statement))
    case PGRES_FATAL_ERROR, PGRES_NONFATAL_ERROR, PGRES_BAD_RESPONSE:
      var error = DiagnosticFields(answer).error(statement: statement)
      if serverEncoding == "SQL_ASCII" { error = error.countingCharacters() }
      PQclear(answer)
      // The connection knows more than its last answer: what the server said before it went away.
      if PQstatus(handle) == CONNECTION_BAD { throw lost() }
      throw .server(error)
    case let status:
      PQclear(answer)
      throw .unexpectedAnswer(String(cString: PQresStatus(status)))
    }
  }

  /// Ends the COPY and gives the server's last word on it, the connection ready for the next statement.
  func finishCopy(failing reason: String?) -> OpaquePointer? {
    PQputCopyEnd(handle, reason)
    let answer = PQgetResult(handle)
    while let next = PQgetResult(handle) { PQclear(next) }
    return answer
  }

  func lost() -> PostgreSQLError {
    .connectionLost(reason: String(cString: PQerrorMessage(handle)).trimmedLine)
  }
}
