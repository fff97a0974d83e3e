import CLibPQ
import Glibc
import Host

/// A connection that is being made on a thread of its own, so that a server that does not answer keeps nobody who is
/// asked to end.
enum ConnectionAttempt {
  /// Unchecked: the thread that connects lets go of it as it hands it over.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer?
  }

  /// Connects and gives libpq's object, connected or with its reason why not; nil where there is no memory for it.
  ///
  /// Throws once the program is asked to end; what comes of the attempt then ends with the program. One that is begun
  /// later, to clean up, is waited for.
  static func open(_ target: ConnectionTarget) throws(PostgreSQLError) -> OpaquePointer? {
    let outcomes = Mailbox<Handle?>()
    let isStarted =
      !Interruption.shared.isRaised
      && BackgroundThread.start { outcomes.put(Handle(pointer: connect(target))) }
    guard isStarted else { return connect(target) }
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
