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
  private let outcomes = Mailbox<Handle?>()
  private let isStarted: Bool

  /// Unchecked: the thread that connects lets go of it as it hands it over.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer?
  }

  /// Begins to connect. One that nobody finishes, or abandons, ends with the program.
  /// - Parameter settings: what the session is to have beside the usual: statements.
  public init(to target: ConnectionTarget, settings: String = "") {
    self.target = target
    opening = "\(Connection.settings); \(settings); SELECT pg_catalog.pg_backend_pid()"
    let (outcomes, opening) = (outcomes, opening)
    isStarted =
      !Interruption.shared.isRaised
      && BackgroundThread.start { outcomes.put(Handle(pointer: Self.connect(target, opening))) }
  }

  /// Gives libpq's object, nil where there is no memory for it: connected, with the answers to ``opening`` still to be read,
  /// or with its reason why not. To be called once.
  ///
  /// Throws once the program is asked to end; what comes of the attempt then ends with the program. One that is begun
  /// later, to clean up, is waited for.
  func finish() throws(PostgreSQLError) -> OpaquePointer? {
    guard isStarted else { return Self.connect(target, opening) }
    let outcomes = outcomes
    let key = Interruption.shared.register { outcomes.put(nil) }
    defer { Interruption.shared.unregister(key) }
    guard let handle = outcomes.take() else {
      throw .connectionFailed(target: target.label, reason: "given up, since the program was asked to end")
    }
    return handle.pointer
  }

  /// Ends the attempt where nobody will finish it: what comes of it is waited for a moment and read, since a server to which a
  /// program says nothing more notes a broken connection. To be called in place of ``finish()``.
  public func abandon() {
    guard isStarted, let handle = outcomes.take(within: Self.patience)??.pointer else { return }
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

  /// Those of them that nobody has said anything else of: not the target, the environment, or a service that the environment
  /// names. What is said of a service that the target names is only found as libpq connects.
  static func defaults(for target: ConnectionTarget) -> [(String, String)] {
    // libpq looks up the user's name, which takes time, where it is asked for all that it will use.
    let isToldMore = getenv("PGSERVICE") != nil || getenv("PGCONNECT_TIMEOUT") != nil
    let given = isToldMore ? target.options : target.given
    return defaults.filter { given[$0.0] == nil }
  }

  private static func connect(_ target: ConnectionTarget, _ opening: String) -> OpaquePointer? {
    let settings =
      defaults(for: target) + [
        ("dbname", target.specification), ("client_encoding", "UTF8"),
        ("fallback_application_name", "rivulet"),
      ]
    let names = settings.map { strdup($0.0) }
    let values = settings.map { strdup($0.1) }
    defer { for pointer in names + values { free(pointer) } }
    let keywords = names.map { UnsafePointer($0) } + [nil]
    let texts = values.map { UnsafePointer($0) } + [nil]
    let handle = PQconnectdbParams(keywords, texts, 1)
    // The server is at it while whoever waits for the connection wakes up. What is wrong is found where it is read.
    if PQstatus(handle) == CONNECTION_OK { PQsendQuery(handle, opening) }
    return handle
  }
}
