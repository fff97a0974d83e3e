import PostgreSQL

extension MigrationEngine {
  var lockRetry: LockRetry { lockRetry(isInBatch: false) }

  /// In one transaction for all, what was locked stays locked: only the whole can be tried again.
  private func lockRetry(isInBatch: Bool) -> LockRetry {
    LockRetry(
      timeout: TimeSpan(lockTimeout) ?? TimeSpan(seconds: 2), total: isInBatch ? 0 : lockWait, report: tell)
  }

  /// Runs `body` in a transaction that begins with a section's settings and ends with `closing`; again while
  /// a lock is not to be had; and where something that is not a migration's business is in its way, once more
  /// with that out of the way.
  func attempt(
    _ options: Migration.Options = Migration.Options(), of work: SectionWork? = nil,
    closing: () -> String = { "" }, _ body: (SectionRunner) throws -> Void
  ) throws {
    try lockRetry(isInBatch: connection.isInTransaction).run { wait in
      let runner = SectionRunner(connection: connection, path: path, lockTimeout: wait)
      let settings = try runner.settings(options)
      do {
        try connection.transaction(settings: settings, closing: { MigrationEngine.ending + closing() }) {
          try body(runner)
          try dependents.settle(on: connection)
        }
      } catch PostgreSQLError.server(let error) {
        // What only the commit finds, such as a deferred constraint, has no statement to be blamed on.
        throw work?.failureAtCommit(error) ?? PostgreSQLError.server(error)
      } catch let error as MigrationError where isDependency(error) {
        try connection.transaction(settings: settings, closing: { MigrationEngine.ending + closing() }) {
          guard try dependents.release(on: connection) else { throw error }
          try body(runner)
          try connection.resetSession()
          try dependents.restore(on: connection)
        }
      }
    }
  }

  /// All of a call in one transaction where that is asked for; then nothing is reported before its commit.
  func batch(
    of works: @autoclosure () throws -> [SectionWork], _ report: @escaping Report,
    _ body: (@escaping Report) throws -> Void
  ) throws {
    guard isSingleTransaction else { return try body(report) }
    let alone = try works().filter(\.isStatementwise)
    if !alone.isEmpty {
      throw MigrationError.cannotBeOneTransaction(alone.map { "\($0.version) \($0.name)" })
    }
    let steps = try lockRetry.run { _ in
      let held = HeldReports()
      try connection.transaction { try body(held.take) }
      return held.steps
    }
    for (direction, step) in steps { report(direction, step) }
  }

  private final class HeldReports {
    var steps: [(Direction, MigrationStep)] = []
    func take(_ direction: Direction, _ step: MigrationStep) { steps.append((direction, step)) }
  }

  /// Other objects depend on what is dropped (2BP01), or a view uses a column whose type changes (0A000).
  func isDependency(_ error: MigrationError) -> Bool {
    guard case .failed(_, _, _, _, let server) = error else { return false }
    return server.sqlState == "2BP01" || server.sqlState == "0A000"
  }
}
