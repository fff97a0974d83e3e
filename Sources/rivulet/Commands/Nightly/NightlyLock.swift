import PipelineCore
import PipelineEngine
import PostgreSQL
import Store

/// One night at a time: a lock of a session of its own, which is made again where it is lost.
final class NightlyLock {
  private let target: ConnectionTarget
  private let session: Session
  private var connection: Connection

  /// Somebody else has it.
  struct Busy: Error, CustomStringConvertible {
    var description: String {
      "another 'rivulet nightly' is at work: wait for it, or use --lock-wait SECONDS"
    }
  }

  /// Takes the lock; throws ``Busy`` where it is not to be had.
  init(on target: ConnectionTarget, _ session: Session) throws {
    self.target = target
    self.session = session
    connection = try session.connect(to: target)
    if try TransactionPooler.isBehind(connection) { throw RunError.behindPooler }
    try take()
  }

  /// Sees to it that the lock is still held.
  func hold() throws {
    if !connection.isLost, (try? connection.holdsLock(RunLock.nightly)) == true { return }
    connection = try session.connect(to: target)
    try take()
  }

  private func take() throws {
    let wait = max(Connection.leastLockWait, try session.lockWait())
    guard try connection.acquireLock(RunLock.nightly, waiting: wait) else { throw Busy() }
  }
}
