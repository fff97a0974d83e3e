import Host
import PostgreSQL

extension MigrationEngine {
  func takeBackEach(_ steps: [StepBack], _ report: (MigrationStep) -> Void) throws {
    for back in steps {
      try Interruption.shared.check()
      let started = Machine.seconds
      try takeBack(back)
      report(
        MigrationStep(
          kind: .versioned, version: back.row.version, name: back.row.name, seconds: Machine.seconds - started
        ))
    }
  }

  private func takeBack(_ back: StepBack) throws {
    let work = try back.work()
    if work.isStatementwise {
      defer { try? connection.resetSession() }
      try StatementRunner(connection: connection, patience: patience).run(work)
      try connection.resetSession()
      try attempt(of: work, closing: { forgetting(back) }) { _ in
        try dependants.clearOrphans(on: connection)
        try StatementJournal(connection: connection).clear(.versioned, back.row.version)
      }
    } else {
      try attempt(back.section.options, of: work, closing: { forgetting(back) }) { runner in
        try runner.run(work, isFirst: true)
        if dependants is NoDependants { return }
        try connection.resetSession()
        try dependants.clearOrphans(on: connection)
      }
    }
  }

  private func forgetting(_ back: StepBack) -> String {
    MigrationHistory.removal(of: .versioned, version: back.row.version)
      // What they made may have gone with it.
      + (folder.repeatables.isEmpty ? "" : MigrationHistory.removalOfRepeatables)
  }
}
