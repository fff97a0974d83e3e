import Host
import PostgreSQL

/// How often a migration is tried again that could not get a table's lock.
///
/// While it waits for a lock, everybody who comes later queues behind it; so it waits briefly, gives everything up,
/// pauses with nothing held, and tries again.
struct LockPatience {
  /// How long one try may wait for a lock.
  let timeout: TimeSpan
  /// How long all tries together may take, in seconds.
  let total: Double
  /// Told before each pause.
  let report: (String) -> Void

  /// Runs `body` until it is not stopped by a lock, or until the time is over; then throws what stopped it.
  ///
  /// `body` gets the wait that it may allow, which is shorter where less time is left.
  func attempt<Value>(_ body: (TimeSpan) throws -> Value) throws -> Value {
    let deadline = Machine.seconds + total
    while true {
      do {
        return try body(allowed(deadline - Machine.seconds))
      } catch let error where LockPatience.isAboutLocks(error) {
        let left = deadline - Machine.seconds
        // Jittered, so that two who stand in each other's way do not meet again.
        let pause = min(left / 2, max(0.1, timeout.seconds) * Double.random(in: 0.25...0.75))
        // Not worth another try where hardly any time would be left to wait in.
        guard left - pause > 0.05 else { throw error }
        report(LockPatience.sentence(error, pause: pause, left: left))
        try Interruption.shared.check()
        Machine.sleep(seconds: pause)
        try Interruption.shared.check()
      }
    }
  }

  private func allowed(_ left: Double) -> TimeSpan {
    // One try only: it is the whole that is tried again.
    guard total > 0, left < timeout.seconds else { return timeout }
    var shortened = TimeSpan(seconds: max(0.05, left))
    shortened.isShortened = true
    return shortened
  }

  private static func sentence(_ error: any Error, pause: Double, left: Double) -> String {
    var place = ""
    if let found = (error as? MigrationError)?.place { place = "\(found.file):\(found.line ?? 1): " }
    let seconds = { (value: Double) in "\((value * 10).rounded() / 10) s" }
    return place + "a lock was not given up in time; all is taken back, and tried again in \(seconds(pause)) "
      + "(\(seconds(left)) left)"
  }

  /// A lock time-out, or a deadlock that the server has solved at our expense.
  static func isAboutLocks(_ error: any Error) -> Bool {
    let state: String?
    switch error {
    case MigrationError.failed(_, _, _, _, let server): state = server.sqlState
    case let error as PostgreSQLError: state = error.sqlState
    default: state = nil
    }
    return state == "55P03" || state == "40P01"
  }
}
