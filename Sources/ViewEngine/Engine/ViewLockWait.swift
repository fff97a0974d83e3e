import Host
import PostgreSQL

/// How long the lock of one view may be waited for, over all tries together: the tables that it reads, which others
/// alter or publish, have a time of their own.
struct ViewLockWait {
  /// So long a refresh tries to get tables that others have locked, in seconds.
  private static let tables = 15.0

  private let started = Machine.seconds
  private let seconds: Double
  private var waited = 0.0

  /// - Parameter seconds: how long to wait for the view's lock; what a program that was killed needs to lose it at
  ///   least.
  init(_ seconds: Double) { self.seconds = max(seconds, Connection.leastLockWait) }

  /// Waits for the lock of a view, for what is left of the time.
  /// - Returns: whether it was had.
  /// - Throws: `PostgreSQLError`; `Interrupted`.
  mutating func acquire(_ view: String, on connection: Connection) throws -> Bool {
    let before = Machine.seconds
    defer { waited += Machine.seconds - before }
    return try connection.acquireLock(RegisteredView.lock(view), waiting: max(0, seconds - waited))
  }

  /// Tries again where another transaction was in the way, for as long as tables may be waited for.
  var retrying: RetryPolicy {
    .locks(seconds: Self.tables + seconds, and: [.deadlock, .serialization])
  }

  /// Whether that time is over.
  var isOver: Bool { Machine.seconds - started - waited > Self.tables }
}
