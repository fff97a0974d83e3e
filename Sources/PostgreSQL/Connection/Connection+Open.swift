import CLibPQ
import Host

extension Connection {
  /// libpq's connection, made. Unchecked: the thread that connects lets go of it as it hands it over.
  private struct Handle: @unchecked Sendable { let pointer: OpaquePointer? }

  /// Connects on a thread of its own, so that a server that does not answer does not keep a program that is
  /// asked to end.
  ///
  /// A connection that is made after that ends with the program. One that is asked for after that, to clean
  /// up, is waited for.
  static func open(_ target: ConnectionTarget) throws(PostgreSQLError) -> OpaquePointer {
    let outcomes = Mailbox<Handle?>()
    let connect = { @Sendable in
      Handle(
        pointer: target.pass(
          [("client_encoding", "UTF8"), ("fallback_application_name", "rivulet")], to: PQconnectdbParams))
    }
    if Interruption.shared.isRaised || !BackgroundThread.start({ outcomes.put(connect()) }) {
      outcomes.put(connect())
    }
    let key = Interruption.shared.register { outcomes.put(nil) }
    defer { Interruption.shared.unregister(key) }
    guard let outcome = outcomes.take() else {
      throw .connectionFailed(target: target.label, reason: "cancelled, since the program was asked to end")
    }
    guard let handle = outcome.pointer else {
      throw .connectionFailed(target: target.label, reason: "out of memory")
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      defer { PQfinish(handle) }
      throw .connectionFailed(
        target: target.label, reason: String(cString: PQerrorMessage(handle)).trimmedLine)
    }
    return handle
  }

  /// Tries to connect, as far as it takes to know whether a server is there.
  static func ping(_ target: ConnectionTarget) -> PGPing { target.pass([], to: PQpingParams) }
}
