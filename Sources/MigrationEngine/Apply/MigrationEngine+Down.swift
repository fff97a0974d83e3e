import PostgreSQL

extension MigrationEngine {
  func takeBackEach(_ steps: [StepBack], _ report: (MigrationStep) -> Void) throws {
    try run(steps, as: passage, report)
  }

  private func passage(_ back: StepBack) throws -> Passage {
    let work = try back.work()
    return Passage(
      work: work, body: { runner in try takeBack(work, runner) }, isBare: dependants is NoDependants,
      closing: { _ in forgetting(back) },
      statementwise: { _ in try takeBackStatementwise(back, work) })
  }

  private func takeBack(_ work: SectionWork, _ runner: SectionRunner) throws {
    try runner.run(work, isFirst: true)
    if dependants is NoDependants { return }
    try connection.resetSession()
    try dependants.clearOrphans(on: connection)
  }

  private func takeBackStatementwise(_ back: StepBack, _ work: SectionWork) throws {
    defer { try? connection.resetSession() }
    try StatementRunner(connection: connection, path: path, patience: patience).run(work)
    try connection.resetSession()
    try attempt(of: work, closing: { forgetting(back) }) { _ in
      try dependants.clearOrphans(on: connection)
      try StatementJournal(connection: connection).clear(.versioned, back.row.version)
    }
  }

  private func forgetting(_ back: StepBack) -> String {
    MigrationHistory.removal(of: .versioned, version: back.row.version)
      // What they made may have gone with it.
      + (folder.repeatables.isEmpty ? "" : MigrationHistory.removalOfRepeatables)
  }
}
