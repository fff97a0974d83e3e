import Catalog
import Host
import PostgreSQL
import SQLText

extension MigrationEngine {
  /// Runs what `up` would run, as far as a transaction can hold it, and takes all of it back.
  public func dryRun(_ goal: MigrationGoal) throws -> [MigrationStep] {
    try locked(isDry: true) {
      try patience.attempt { wait in
        var steps: [MigrationStep] = []
        do {
          try connection.transaction {
            try Catalog.prepare(connection)
            for migration in try chosen(try agreedStatus(), goal) {
              steps.append(try rehearse(migration, wait))
            }
            // What is put off to the commit, which does not come.
            try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
            throw Rehearsed()
          }
        } catch is Rehearsed {}
        return steps
      }
    }
  }

  /// The transaction of a dry run has come to its end, which is to be taken back.
  private struct Rehearsed: Error {}

  /// One migration of a dry run; what no transaction can hold is left out.
  private func rehearse(_ migration: Migration, _ wait: TimeSpan) throws -> MigrationStep {
    let started = Machine.seconds
    let runner = SectionRunner(connection: connection, lockTimeout: wait)
    let up = try SectionWork(migration, migration.up)
    if let require = migration.require {
      try runner.require(try SectionWork(migration, require, title: "require"))
    }
    var left: [String] = []
    if up.isStatementwise {
      left = try rehearseStatements(of: up, runner)
    } else {
      try runner.run(up)
    }
    if let verify = migration.verify, left.isEmpty {
      try runner.run(try SectionWork(migration, verify, title: "verify"))
    }
    var step = step(migration, since: started)
    step.unexecuted = left
    return step
  }

  private func rehearseStatements(of work: SectionWork, _ runner: SectionRunner) throws -> [String] {
    try connection.execute(runner.settings(work.section.options))
    var left: [String] = []
    let done = try StatementJournal(connection: connection).entries(work.kind, work.version, work.direction)
      .filter(\.isDone).map(\.statement)
    for (index, statement) in work.script.statements.enumerated() where !done.contains(index + 1) {
      if statement.isRefusedInTransaction {
        left.append("\(work.section.file):\(statement.place.line): \(statement.firstLine)")
        continue
      }
      do throws(ScriptFailure) {
        try connection.run(script: statement.text) { _ in work.script.data(of: statement) }
      } catch {
        throw work.failure(error.error, statement: index, isAlone: true)
      }
    }
    try connection.resetSession()
    return left
  }
}
