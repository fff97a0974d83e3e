import Host
import PostgreSQL
import Progress
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

  /// Runs migrations one after the other, in whatever direction, and reports each when it is committed.
  func run(_ works: [SectionWork], _ report: Report) throws {
    progress.expect(works.count)
    var rest = works[...]
    var mayShare = !connection.isInTransaction && observer == nil
    while !rest.isEmpty {
      try Interruption.shared.check()
      let shared = mayShare ? share(rest) : Shared()
      for (work, step) in zip(rest, shared.steps) { report(work.direction, step) }
      progress.pass(shared.steps.count)
      rest = rest.dropFirst(shared.steps.count)
      mayShare = mayShare && !shared.isSlow
      guard shared.steps.isEmpty || shared.hasFailed, let next = rest.popFirst() else { continue }
      try Interruption.shared.check()
      let started = Machine.seconds
      let label = "\(next.direction.rawValue) \(next.kind.label(next.version, next.name))"
      let batches = try progress.doing(label) { task in
        task.ask([connection.process])
        var engine = self
        engine.task = task
        return try engine.runAlone(next, since: started)
      }
      var step = MigrationStep(next, since: started)
      step.batches = batches
      report(next.direction, step)
    }
  }

  /// Gives what ran in batches.
  private func runAlone(_ work: SectionWork, since started: Double) throws -> [BatchOutcome] {
    let closing = { try self.closing(work, since: started) }
    if work.isStatementwise { return try runStatementwise(work, closing: closing) }
    try attempt(work.section.options, of: work, closing: closing) { runner in
      try perform(work, runner)
      try requireLock(work)
    }
    return []
  }

  /// What a shared transaction has committed, and why it took no more.
  private struct Shared {
    var steps: [MigrationStep] = []
    /// The one after them has failed in it.
    var hasFailed = false
    /// It has failed by its time: on this server nothing is brief.
    var isSlow = false
  }

  private func share(_ works: ArraySlice<SectionWork>) -> Shared {
    let brief = works.prefix(while: isBrief)
    guard brief.count > 1 else { return Shared() }
    var shared = Shared()
    let mark = "SAVEPOINT rivulet_shared;"
    let end = Machine.seconds + MigrationEngine.sharedTimeout.seconds
    let seconds = "extract(epoch FROM clock_timestamp() - statement_timestamp())"
    do {
      var options = Migration.Options()
      options.statementTimeout = MigrationEngine.sharedTimeout.text
      let settings = try runner(MigrationEngine.sharedLockTimeout).settings(options) + ";"
      try connection.transaction(settings: mark) {
        for work in brief where Machine.seconds < end && !shared.hasFailed {
          let started = Machine.seconds
          let text = work.script.text + "\n;" + MigrationEngine.ending + closing(work, seconds: seconds)
          do throws(PostgreSQLError) {
            // All in one round trip. The next one's savepoint is set before its text is read, which may be no
            // SQL.
            try connection.execute(settings + text + "RELEASE \(mark)" + mark)
            shared.steps.append(MigrationStep(work, since: started))
          } catch {
            shared.hasFailed = true
            shared.isSlow = error.isCancellation
            try connection.execute("ROLLBACK TO \(mark)")
          }
        }
        if !shared.steps.isEmpty { try dependents?.settle(on: connection) }
      }
    } catch {
      // Nothing is committed; alone, each will fail with its own error.
      return Shared(hasFailed: true, isSlow: shared.isSlow)
    }
    return shared
  }

  /// Whether it is likely to be over in a moment: nothing but definitions, no conditions, and no wishes of
  /// its own.
  private func isBrief(_ work: SectionWork) -> Bool {
    let brief = ["CREATE", "ALTER", "DROP", "COMMENT", "GRANT", "REVOKE"]
    let isBare =
      if let migration = work.migration {
        migration.require == nil && migration.verify == nil && callbacks(.beforeEachMigrate).isEmpty
          && callbacks(.afterEachMigrate).isEmpty
      } else {
        dependents == nil
      }
    var wishes = work.section.options
    wishes.placeholders = nil
    return isBare && work.placements.isEmpty && !work.isStatementwise && wishes == Migration.Options()
      && work.text.utf8.count <= SectionRunner.messageSize
      && work.script.statements.allSatisfy { brief.contains($0.keyword) }
  }
}

extension MigrationStep {
  init(_ work: SectionWork, since started: Double) {
    self.init(
      kind: work.kind, version: work.version, name: work.name, seconds: Machine.seconds - started)
  }
}
