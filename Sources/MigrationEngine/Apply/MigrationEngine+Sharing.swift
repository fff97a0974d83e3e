import Host
import PostgreSQL
import SQLText

/// Brief migrations share a commit.
///
/// Each commit waits for the disk, so that two hundred tables cost two hundred waits. Those that are nothing but
/// definitions go into one transaction instead, each in a savepoint with its row of the history, for as long as a
/// glance: what they lock is held no longer than that, and whoever fails or has to wait there is taken back, and tried
/// again by itself after the others are committed. So a failure is only believed of a migration that is alone.
extension MigrationEngine {
  /// How long a shared transaction takes in migrations, and how long a statement in it may take.
  private static let glance = TimeSpan(seconds: 0.05)
  /// How long one in it may wait for a lock, since it holds those of the ones before it.
  private static let lockGlance = TimeSpan(seconds: 0.01)

  /// How many migrations are taken apart at a time: all of a long folder would lie in memory at once.
  private static let stretch = 32

  /// Runs migrations one after the other, telling of each when it is committed.
  func run<Source>(
    _ sources: [Source], as passage: (Source) throws -> Passage, _ report: (MigrationStep) -> Void
  ) throws {
    var mayShare = !connection.isInTransaction && observer == nil
    for start in stride(from: 0, to: sources.count, by: MigrationEngine.stretch) {
      let part = sources[start..<min(start + MigrationEngine.stretch, sources.count)]
      try run(try part.map(passage), mayShare: &mayShare, report)
    }
  }

  private func run(_ passages: [Passage], mayShare: inout Bool, _ report: (MigrationStep) -> Void) throws {
    var rest = passages[...]
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

  private func run(_ passage: Passage, started: Double) throws {
    if passage.work.isStatementwise { return try passage.statementwise(started) }
    let closing = { passage.closing("\(Machine.seconds - started)") }
    try attempt(passage.work.section.options, of: passage.work, closing: closing) { runner in
      try passage.body(runner)
      try requireLock(passage.work)
    }
  }

  func requireLock(_ work: SectionWork) throws {
    if try connection.holdsLock(MigrationEngine.lockName) { return }
    throw MigrationError.lockGivenUp(version: work.version, file: work.section.file)
  }

  /// What a shared transaction has committed, and why it took no more.
  private struct Shared {
    var steps: [MigrationStep] = []
    /// The one after them has failed in it.
    var hasFailed = false
    /// It has failed by its time: on this server nothing is brief.
    var isSlow = false
  }

  private func share(_ passages: ArraySlice<Passage>) -> Shared {
    let brief = passages.prefix { $0.isBrief }
    guard brief.count > 1 else { return Shared() }
    var shared = Shared()
    let mark = "SAVEPOINT rivulet_shared;"
    let end = Machine.seconds + MigrationEngine.glance.seconds
    do {
      let settings = try settings()
      try connection.transaction(settings: mark) {
        for passage in brief where Machine.seconds < end && !shared.hasFailed {
          let started = Machine.seconds
          do throws(PostgreSQLError) {
            // All in one round trip. The next one's savepoint is set before its text is read, which may be no SQL.
            try connection.execute(settings + text(of: passage) + "RELEASE \(mark)" + mark)
            shared.steps.append(step(passage, since: started))
          } catch {
            shared.hasFailed = true
            shared.isSlow = error.isCancellation
            try connection.execute("ROLLBACK TO \(mark)")
          }
        }
        if !shared.steps.isEmpty { try dependants.settle(on: connection) }
      }
    } catch {
      // Nothing is committed; alone, each will tell what is wrong with it.
      return Shared(hasFailed: true, isSlow: shared.isSlow)
    }
    return shared
  }

  private func settings() throws(PostgreSQLError) -> String {
    var options = Migration.Options()
    options.statementTimeout = MigrationEngine.glance.text
    return try SectionRunner(connection: connection, path: path, lockTimeout: MigrationEngine.lockGlance)
      .settings(options)
      + ";"
  }

  private func text(of passage: Passage) -> String {
    let seconds = "extract(epoch FROM clock_timestamp() - statement_timestamp())"
    return passage.work.script.text + "\n;" + MigrationEngine.ending + passage.closing(seconds)
  }

  private func step(_ passage: Passage, since started: Double) -> MigrationStep {
    MigrationStep(
      kind: passage.work.kind, version: passage.work.version, name: passage.work.name,
      seconds: Machine.seconds - started)
  }
}
