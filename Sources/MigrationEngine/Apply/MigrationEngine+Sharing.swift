import Host
import PostgreSQL
import SQLText

/// Brief migrations share a commit.
///
/// Each commit waits for the disk, so that two hundred tables cost two hundred waits. Those that are nothing
/// but definitions go into one transaction instead, each in a savepoint with its row of the history, for
/// ``sharedTimeout`` at most: what they lock is held no longer than that, and one that fails or has to wait
/// there is rolled back, and tried again by itself after the others are committed. So only a migration that
/// is alone can fail.
extension MigrationEngine {
  /// How long a shared transaction takes in migrations, and how long a statement in it may take.
  private static let sharedTimeout = TimeSpan(seconds: 0.05)
  /// How long one in it may wait for a lock, since it holds those of the ones before it.
  private static let sharedLockTimeout = TimeSpan(seconds: 0.01)

  /// How many migrations are taken apart at a time: all of a long folder would lie in memory at once.
  private static let batchSize = 32

  /// Runs migrations one after the other, and reports each when it is committed.
  func run<Source>(
    _ sources: [Source], as transition: (Source) throws -> Transition, _ report: (MigrationStep) -> Void
  ) throws {
    var mayShare = !connection.isInTransaction && observer == nil
    for start in stride(from: 0, to: sources.count, by: MigrationEngine.batchSize) {
      let part = sources[start..<min(start + MigrationEngine.batchSize, sources.count)]
      try run(try part.map(transition), mayShare: &mayShare, report)
    }
  }

  private func run(_ transitions: [Transition], mayShare: inout Bool, _ report: (MigrationStep) -> Void)
    throws
  {
    var rest = transitions[...]
    while !rest.isEmpty {
      try Interruption.shared.check()
      let shared = mayShare ? share(rest) : Shared()
      shared.steps.forEach(report)
      rest = rest.dropFirst(shared.steps.count)
      mayShare = mayShare && !shared.isSlow
      guard shared.steps.isEmpty || shared.hasFailed, let next = rest.popFirst() else { continue }
      try Interruption.shared.check()
      let started = Machine.seconds
      try run(next, started: started)
      report(step(next, since: started))
    }
  }

  private func run(_ transition: Transition, started: Double) throws {
    if transition.work.isStatementwise { return try transition.statementwise(started) }
    let closing = { transition.closing("\(Machine.seconds - started)") }
    try attempt(transition.work.section.options, of: transition.work, closing: closing) { runner in
      try transition.body(runner)
      try requireLock(transition.work)
    }
  }

  func requireLock(_ work: SectionWork) throws {
    if try connection.holdsLock(MigrationEngine.lockName) { return }
    throw MigrationError.lockReleased(version: work.version, file: work.section.file)
  }

  /// What a shared transaction has committed, and why it took no more.
  private struct Shared {
    var steps: [MigrationStep] = []
    /// The one after them has failed in it.
    var hasFailed = false
    /// It has failed by its time: on this server nothing is brief.
    var isSlow = false
  }

  private func share(_ transitions: ArraySlice<Transition>) -> Shared {
    let brief = transitions.prefix { $0.isBrief }
    guard brief.count > 1 else { return Shared() }
    var shared = Shared()
    let mark = "SAVEPOINT rivulet_shared;"
    let end = Machine.seconds + MigrationEngine.sharedTimeout.seconds
    do {
      let settings = try settings()
      try connection.transaction(settings: mark) {
        for transition in brief where Machine.seconds < end && !shared.hasFailed {
          let started = Machine.seconds
          do throws(PostgreSQLError) {
            // All in one round trip. The next one's savepoint is set before its text is read, which may be no
            // SQL.
            try connection.execute(settings + text(of: transition) + "RELEASE \(mark)" + mark)
            shared.steps.append(step(transition, since: started))
          } catch {
            shared.hasFailed = true
            shared.isSlow = error.isCancellation
            try connection.execute("ROLLBACK TO \(mark)")
          }
        }
        if !shared.steps.isEmpty { try dependents.settle(on: connection) }
      }
    } catch {
      // Nothing is committed; alone, each will fail with its own error.
      return Shared(hasFailed: true, isSlow: shared.isSlow)
    }
    return shared
  }

  private func settings() throws(PostgreSQLError) -> String {
    var options = Migration.Options()
    options.statementTimeout = MigrationEngine.sharedTimeout.text
    return try SectionRunner(
      connection: connection, path: path, lockTimeout: MigrationEngine.sharedLockTimeout
    )
    .settings(options)
      + ";"
  }

  private func text(of transition: Transition) -> String {
    let seconds = "extract(epoch FROM clock_timestamp() - statement_timestamp())"
    return transition.work.script.text + "\n;" + MigrationEngine.ending + transition.closing(seconds)
  }

  private func step(_ transition: Transition, since started: Double) -> MigrationStep {
    MigrationStep(
      kind: transition.work.kind, version: transition.work.version, name: transition.work.name,
      seconds: Machine.seconds - started)
  }
}
