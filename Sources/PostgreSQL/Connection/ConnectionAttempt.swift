import CLibPQ
import Glibc
import Host

/// A connection that is being made on a thread of its own, so that a server that does not answer keeps nobody who is
/// asked to end, and whoever knows early where to connect does other work meanwhile.
public struct ConnectionAttempt: Sendable {
  /// Where it leads.
  public let target: ConnectionTarget
  private let outcomes = Mailbox<Handle?>()
  private let isStarted: Bool

  /// Unchecked: the thread that connects lets go of it as it hands it over.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer?
  }

  /// Begins to connect. One that nobody finishes ends with the program.
  public init(to target: ConnectionTarget) {
    self.target = target
    let outcomes = outcomes
    isStarted =
      !Interruption.shared.isRaised
      && BackgroundThread.start { outcomes.put(Handle(pointer: Self.connect(target))) }
  }

  /// Gives libpq's object, connected or with its reason why not; nil where there is no memory for it. To be called once.
  ///
  /// Throws once the program is asked to end; what comes of the attempt then ends with the program. One that is begun
  /// later, to clean up, is waited for.
  func finish() throws(PostgreSQLError) -> OpaquePointer? {
    guard isStarted else { return Self.connect(target) }
    let outcomes = outcomes
    let key = Interruption.shared.register { outcomes.put(nil) }
    defer { Interruption.shared.unregister(key) }
    guard let handle = outcomes.take() else {
      throw .connectionFailed(target: target.label, reason: "given up, since the program was asked to end")
    }
    return handle.pointer
  }

  /// How long a connection may be silent, where nobody has said; before `dbname`, whose own words overrule them. A server
  /// that starts up says so, but what stands before it may have to wake it first.
  private static let defaults = [
    ("connect_timeout", "30"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "300000"),
  ]

  private static func connect(_ target: ConnectionTarget) -> OpaquePointer? {
    let given = target.options
    let settings =
      defaults.filter { given[$0.0] == nil } + [
        ("dbname", target.specification), ("client_encoding", "UTF8"),
        ("fallback_application_name", "rivulet"),
      ]
    let names = settings.map { strdup($0.0) }
    let values = settings.map { strdup($0.1) }
    defer { for pointer in names + values { free(pointer) } }
    let keywords = names.map { UnsafePointer($0) } + [nil]
    let texts = values.map { UnsafePointer($0) } + [nil]
    return PQconnectdbParams(keywords, texts, 1)
  }
}
