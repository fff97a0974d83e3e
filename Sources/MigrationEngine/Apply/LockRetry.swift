import PostgreSQL

/// How often a migration is tried again that could not get a table's lock.
///
/// While it waits for a lock, everybody who comes later queues behind it; so it waits briefly, rolls
/// everything back, pauses with nothing held, and tries again.
struct LockRetry {
  /// How long one try may wait for a lock.
  let timeout: TimeSpan
  /// How long all tries together may take, in seconds; with 0 there is one.
  let total: Double
  /// Takes a sentence before each pause.
  let report: (String) -> Void

  /// Runs `body` until no lock stops it, or until the time is over.
  ///
  /// `body` gets the lock timeout that it may use, which is shorter where less time is left.
  ///
  /// - Throws: what stopped the last try, and `Interrupted`.
  func run<Value>(_ body: (TimeSpan) throws -> Value) throws -> Value {
    let policy = RetryPolicy.locks(seconds: total, pause: max(0.1, timeout.seconds) / 2)
    return try policy.run(report: { report(LockRetry.sentence($0)) }) { left in try body(timeout(for: left)) }
  }

  private func timeout(for left: Double) -> TimeSpan {
    // One try only: it is the whole that is tried again.
    guard total > 0, left < timeout.seconds else { return timeout }
    var shortened = TimeSpan(seconds: max(0.05, left))
    shortened.isShortened = true
    return shortened
  }

  private static func sentence(_ next: RetryPolicy.NextTry) -> String {
    var place = ""
    if let found = (next.error as? MigrationError)?.place { place = "\(found.file):\(found.line ?? 1): " }
    let seconds = { (value: Double) in "\((value * 10).rounded() / 10) s" }
    return place
      + "a lock was not granted in time; all is rolled back, and tried again in \(seconds(next.pause)) "
      + "(\(seconds(next.secondsLeft)) left)"
  }
}
