import PostgreSQL

extension MigrationEngine {
  func revertEach(_ steps: [StepBack], _ report: (MigrationStep) -> Void) throws {
    try run(steps, as: transition, report)
  }

  private func transition(_ back: StepBack) throws -> Transition {
    let work = try back.work()
    return Transition(
      work: work, body: { runner in try revert(work, runner) }, isBare: dependents is NoDependentObjects,
      closing: { _ in forgetting(back) },
      statementwise: { _ in try revertStatementwise(back, work) })
  }

  private func revert(_ work: SectionWork, _ runner: SectionRunner) throws {
    try runner.run(work, isFirst: true)
    if dependents is NoDependentObjects { return }
    try connection.resetSession()
    try dependents.clearOrphans(on: connection)
  }

  private func revertStatementwise(_ back: StepBack, _ work: SectionWork) throws {
    defer { try? connection.resetSession() }
    try StatementRunner(connection: connection, path: path, lockRetry: lockRetry).run(work)
    try connection.resetSession()
    try attempt(of: work, closing: { forgetting(back) }) { _ in
      try dependents.clearOrphans(on: connection)
      try StatementJournal(connection: connection).clear(.versioned, back.row.version)
    }
  }

  private func forgetting(_ back: StepBack) -> String {
    MigrationHistory.removal(of: .versioned, version: back.row.version)
      // What they made may have gone with it.
      + (folder.repeatables.isEmpty ? "" : MigrationHistory.removalOfRepeatables)
  }
}
