import PostgreSQL

extension MigrationEngine {
  /// In one transaction for all, what was locked stays locked: only the whole can be tried again.
  var lockRetry: LockRetry {
    LockRetry(
      timeout: TimeSpan(lockTimeout) ?? TimeSpan(seconds: 2),
      total: connection.isInTransaction ? 0 : lockWait,
      watch: watch, report: tell)
  }

  /// What runs sections, whose statements wait for a lock at most so long.
  func runner(_ lockTimeout: TimeSpan) -> SectionRunner {
    SectionRunner(connection: connection, path: path, lockTimeout: lockTimeout)
  }

  /// Runs `body` in a transaction that begins with a section's settings and ends with `closing`; again while
  /// a lock is not to be had.
  func attempt(
    _ options: Migration.Options = Migration.Options(), of work: SectionWork,
    closing: () throws -> String = { "" }, _ body: (SectionRunner) throws -> Void
  ) throws {
    try lockRetry.run { wait in
      let runner = runner(wait)
      let settings = try runner.settings(options)
      do {
        try clearingTheWay(settings: settings, closing: { MigrationEngine.ending + (try closing()) }) {
          try body(runner)
        }
      } catch PostgreSQLError.server(let error) {
        // What only the commit finds, such as a deferred constraint, has no statement to be blamed on.
        throw work.failureAtCommit(error)
      }
    }
  }

  /// Runs `body` in a transaction, and where something that is not a migration's business is in its way, once
  /// more with that out of the way.
  func clearingTheWay<Value>(
    settings: String = "", closing: () throws -> String = { "" }, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try connection.transaction(settings: settings, closing: closing) {
        let value = try body()
        try dependents?.settle(on: connection)
        return value
      }
    } catch let error as MigrationError where error.isDependency {
      return try connection.transaction(settings: settings, closing: closing) {
        guard let dependents, try dependents.release(on: connection) else { throw error }
        let value = try body()
        try connection.resetSession()
        try dependents.restore(on: connection)
        return value
      }
    }
  }

  /// All of a call in one transaction where that is asked for; then nothing is reported before its commit.
  func batch(
    _ works: [SectionWork], _ report: @escaping Report, _ body: (@escaping Report) throws -> Void
  ) throws {
    guard isSingleTransaction else { return try body(report) }
    let alone = works.filter(\.isStatementwise)
    if !alone.isEmpty {
      throw MigrationError.cannotBeOneTransaction(alone.map { "\($0.version) \($0.name)" })
    }
    let steps = try lockRetry.run { _ in
      let held = HeldReports()
      try connection.transaction { try body { held.steps.append(($0, $1)) } }
      return held.steps
    }
    for (direction, step) in steps { report(direction, step) }
  }

  private final class HeldReports {
    var steps: [(Direction, MigrationStep)] = []
  }
}

extension MigrationError {
  /// Other objects depend on what is dropped (2BP01), or a view uses a column whose type changes (0A000).
  var isDependency: Bool {
    guard case .failed(_, _, _, _, let server) = self else { return false }
    return server.sqlState == "2BP01" || server.sqlState == "0A000"
  }
}

/// How often a migration is tried again that could not get a table's lock.
///
/// While it waits for a lock, everybody who comes later queues behind it; so it waits briefly, rolls
/// everything back, pauses with nothing held, and tries again.
struct LockRetry {
  /// How long one try may wait for a lock.
  let timeout: TimeSpan
  /// How long all tries together may take, in seconds; with 0 there is one.
  let total: Double
  /// Says who holds a lock.
  let watch: LockWatch
  /// Takes a sentence before each pause.
  let report: (String) -> Void
  /// What else than a lock that was not to be had ends a try and not all of them.
  var others: Set<TransientCause> = [.deadlock]
  /// What is rolled back and tried again, for people.
  var extent = "all"

  /// Runs `body` until no lock stops it, or until the time is over.
  ///
  /// `body` gets the lock timeout that it may use, which is shorter where less time is left.
  ///
  /// - Throws: what stopped the last try, and `Interrupted`.
  func run<Value>(_ body: (TimeSpan) throws -> Value) throws -> Value {
    let policy = RetryPolicy.locks(seconds: total, pause: max(0.1, timeout.seconds) / 2, and: others)
    return try policy.run(report: { report(sentence($0)) }) { left in
      try watch.naming { try body(timeout(for: left)) }
    }
  }

  private func timeout(for left: Double) -> TimeSpan {
    // One try only: it is the whole that is tried again.
    guard total > 0, left < timeout.seconds else { return timeout }
    var shortened = TimeSpan(seconds: max(0.05, left))
    shortened.isShortened = true
    return shortened
  }

  private func sentence(_ next: RetryPolicy.NextTry) -> String {
    var (place, holder) = ("", "")
    if let error = next.error as? MigrationError, let found = error.place {
      place = "\(found.file):\(found.line ?? 1): "
      if case .failed(_, _, _, _, let server) = error {
        holder = server.lockHolder.map { "; held by \($0)" } ?? ""
      }
    }
    let cause =
      next.error.transientCause == .serialization
      ? "another transaction was in the way" : "a lock was not granted in time"
    let seconds = { (value: Double) in "\((value * 10).rounded() / 10) s" }
    return place
      + "\(cause); \(extent) is rolled back, and tried again in \(seconds(next.pause)) "
      + "(\(seconds(next.secondsLeft)) left)" + holder
  }
}
