import CLibPQ
import Host

/// Notifications (`NOTIFY`) that other sessions send to a channel.
extension Connection {
  /// Subscribes to a channel.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func listen(to channel: String) throws(PostgreSQLError) {
    try execute("LISTEN \(Quote.identifier(channel))")
  }

  /// Forgets the notifications that are here by now.
  /// - Throws: ``PostgreSQLError/connectionLost(reason:)``.
  public func discardNotifications() throws(PostgreSQLError) {
    guard PQconsumeInput(handle) == 1 else { throw lost() }
    _ = takeNotifications()
  }

  /// Waits, outside a transaction, until there is a notification; false where none comes in time. The server
  /// is asked nothing meanwhile.
  /// - Throws: ``PostgreSQLError/connectionLost(reason:)`` as soon as it is lost, `Interrupted` as soon as the
  ///   program is asked to end.
  public func waitForNotification(seconds: Double) throws -> Bool {
    let deadline = Machine.seconds + seconds
    while true {
      guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { throw lost() }
      if takeNotifications() { return true }
      let left = deadline - Machine.seconds
      guard try Interruption.shared.wait(forInput: PQsocket(handle), seconds: left) else { return false }
    }
  }

  /// Takes those that libpq has read; false where there is none.
  private func takeNotifications() -> Bool {
    var hasTaken = false
    while let notification = PQnotifies(handle) {
      PQfreemem(notification)
      hasTaken = true
    }
    return hasTaken
  }
}
