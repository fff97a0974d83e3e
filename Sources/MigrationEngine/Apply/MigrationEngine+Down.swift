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
      try attempt { _ in
        try forget(back)
        try StatementJournal(connection: connection).clear(.versioned, back.row.version)
      }
    } else {
      try attempt(back.section.options) { runner in
        try runner.run(work, isFirst: true)
        try forget(back)
      }
    }
  }

  private func forget(_ back: StepBack) throws {
    try dependants.clearOrphans(on: connection)
    let history = MigrationHistory(connection: connection)
    try history.remove(.versioned, version: back.row.version)
    // What they made may have gone with it.
    if !folder.repeatables.isEmpty { try history.removeRepeatables() }
  }
}
