import CLateLibraries
import CLibPQ
import Glibc
import Host

/// A connection that is being made on a thread of its own, so that a server that does not answer keeps nobody who is
/// asked to end, and whoever knows early where to connect does other work meanwhile.
public struct ConnectionAttempt: Sendable {
  /// Where it leads.
  public let target: ConnectionTarget
  /// What is asked of the server before anything else; its last answer is the number of the process that has answered.
  let opening: String
  private let outcomes = Mailbox<Outcome?>()
  private let isStarted: Bool

  /// What came of it. Unchecked: the thread that connects lets go of it as it hands it over.
  struct Outcome: @unchecked Sendable {
    /// libpq's object: connected, with the answers to ``opening`` still to be read, or with its reason why not. Nil where it
    /// was not asked to connect, or there is no memory for it.
    let handle: OpaquePointer?
    /// Which library was wanted that is not there, with a mend.
    let missing: String?
    /// Why it was not asked, with a mend.
    let refusal: String?
  }

  /// Begins to connect. One that nobody finishes, or abandons, ends with the program.
  /// - Parameter settings: what the session is to have beside the usual: statements.
  public init(to target: ConnectionTarget, settings: String = "") {
    self.target = target
    opening = "\(Connection.settings); \(settings); SELECT pg_catalog.pg_backend_pid()"
    let (outcomes, opening) = (outcomes, opening)
    isStarted =
      !Interruption.shared.isRaised
      && BackgroundThread.start { outcomes.put(Self.connect(target, opening)) }
  }

  /// Gives what came of it. To be called once.
  ///
  /// Throws once the program is asked to end; what comes of the attempt then ends with the program. One that is begun
  /// later, to clean up, is waited for.
  func finish() throws(PostgreSQLError) -> Outcome {
    guard isStarted else { return Self.connect(target, opening) }
    let outcomes = outcomes
    let key = Interruption.shared.register { outcomes.put(nil) }
    defer { Interruption.shared.unregister(key) }
    guard let outcome = outcomes.take() else {
      throw .connectionFailed(target: target.label, reason: "given up, since the program was asked to end")
    }
    return outcome
  }

  /// Ends the attempt where nobody will finish it: what comes of it is waited for a moment and read, since a server to which a
  /// program says nothing more notes a broken connection. To be called in place of ``finish()``.
  public func abandon() {
    guard isStarted, let handle = outcomes.take(within: Self.patience)??.handle else { return }
    defer { PQfinish(handle) }
    var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    while PQstatus(handle) == CONNECTION_OK {
      if PQisBusy(handle) == 1 {
        guard poll(&socket, 1, Int32(Self.patience * 1000)) > 0, PQconsumeInput(handle) == 1 else { return }
      } else {
        guard let answer = PQgetResult(handle) else { return }
        PQclear(answer)
      }
    }
  }

  /// So long a server is waited for whose connection nobody needs, in seconds.
  private static let patience = 1.0

  /// How long a connection may be silent, where nobody has said; before `dbname`, whose own words overrule them. A server
  /// that starts up says so, but what stands before it may have to wake it first.
  private static let defaults = [
    ("connect_timeout", "30"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "300000"),
  ]

  /// Those of them that nobody has said anything else of: not the target, the environment, or a service.
  static func defaults(among said: [String: String]) -> [(String, String)] {
    defaults.filter { said[$0.0] == nil }
  }

  /// Why libpq is not asked to connect: it would go on without TLS where the library is missing, also to a server that
  /// offers it, and tell that server a password in the clear.
  private static func refusal(_ said: [String: String]) -> String? {
    let hosts = (said["host"] ?? "").split(separator: ",")
    let isRemote =
      said["hostaddr"]?.isEmpty == false || hosts.contains { !$0.hasPrefix("/") && !$0.hasPrefix("@") }
    guard isRemote, said["sslmode"] ?? "prefer" == "prefer", said["gssencmode"] != "require",
      !isTLSAvailable()
    else { return nil }
    return "to go on without TLS, set sslmode=disable"
  }

  /// Tries to connect, as far as it takes to know whether a server is there. It is not tried where it would be refused.
  static func ping(_ target: ConnectionTarget) -> PGPing {
    let said = target.said
    guard refusal(said) == nil else { return PQPING_NO_ATTEMPT }
    return ConnectionTarget.pass(defaults(among: said) + [("dbname", target.specification)], to: PQpingParams)
  }

  private static func connect(_ target: ConnectionTarget, _ opening: String) -> Outcome {
    forgetMissingLibrary()
    let said = target.said
    let refusal = refusal(said)
    let handle = refusal == nil ? connect(target, said, opening) : nil
    return Outcome(handle: handle, missing: missingLibrary().map { String(cString: $0) }, refusal: refusal)
  }

  private static func connect(
    _ target: ConnectionTarget, _ said: [String: String], _ opening: String
  ) -> OpaquePointer? {
    let settings =
      defaults(among: said) + [
        ("dbname", target.specification), ("client_encoding", "UTF8"),
        ("fallback_application_name", "rivulet"),
      ]
    let handle = ConnectionTarget.pass(settings, to: PQconnectdbParams)
    // The server is at it while whoever waits for the connection wakes up. What is wrong is found where it is read.
    if PQstatus(handle) == CONNECTION_OK { PQsendQuery(handle, opening) }
    return handle
  }
}
