import Catalog
import Host
import PostgreSQL
import SQLText

extension MigrationEngine {
  /// Runs what `up` would run, as far as a transaction can hold it, and rolls all of it back.
  ///
  /// - Throws: as ``up(_:_:)``.
  public func dryRun(_ goal: MigrationGoal) throws -> [MigrationStep] {
    try folder.prepare(for: connection)
    return try locked(isDry: true) {
      try lockRetry.run { wait in
        var steps: [MigrationStep] = []
        do {
          try connection.transaction {
            try Catalog.prepare(connection)
            for migration in try chosen(try agreedStatus(), goal) {
              let isComplete = steps.allSatisfy(\.unexecuted.isEmpty)
              steps.append(try rehearse(migration, wait, isComplete: isComplete))
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

  /// The transaction of a dry run has come to its end, and is to be rolled back.
  private struct Rehearsed: Error {}

  /// One migration of a dry run; what no transaction can hold is left out, and so is what needs that.
  ///
  /// `isComplete` says that nothing was left out so far.
  private func rehearse(_ migration: Migration, _ wait: TimeSpan, isComplete: Bool) throws -> MigrationStep {
    let started = Machine.seconds
    var left: [String] = []
    do {
      left = try clearingTheWay { try rehearseSections(of: migration, wait) }
    } catch let error as MigrationError where !isComplete && error.isAboutMissingObject {
      left = ["\(error.located): it needs what was not tried"]
    }
    return MigrationStep(
      kind: migration.kind, version: migration.version, name: migration.name,
      seconds: Machine.seconds - started, unexecuted: left)
  }

  private func rehearseSections(of migration: Migration, _ wait: TimeSpan) throws -> [String] {
    let runner = runner(wait)
    let up = try SectionWork(migration, migration.up)
    try require(migration, runner)
    try runEach(.beforeEachMigrate, migration, runner)
    let left = up.isStatementwise ? try rehearseStatements(of: up, runner) : []
    if !up.isStatementwise { try runner.run(up) }
    if let verify = migration.verify, left.isEmpty {
      try runner.run(try SectionWork(migration, verify, title: "verify"))
    }
    try runEach(.afterEachMigrate, migration, runner)
    try connection.execute(MigrationEngine.ending)
    return left
  }

  private func rehearseStatements(of work: SectionWork, _ runner: SectionRunner) throws -> [String] {
    try connection.execute(try runner.settings(work.section.options))
    var left: [String] = []
    try work.requireMeaning()
    let entries = try journal.entries(work.kind, work.version, work.direction)
    try work.requireSame(entries)
    let done = entries.filter(\.isDone).map(\.statement)
    for (index, statement) in work.script.statements.enumerated()
    where !done.contains(index + 1) && !statement.controlsTransaction {
      if try statement.isRefusedInTransaction || !rehearse(statement, index, work) {
        left.append(work.located(statement))
      }
    }
    return left
  }

  /// Runs one statement; false where the server says that no transaction can hold it.
  private func rehearse(_ statement: SQLStatement, _ index: Int, _ work: SectionWork) throws -> Bool {
    do {
      try connection.transaction { try work.run(statement, on: connection) }
      return true
    } catch let error as PostgreSQLError {
      if error.isRefusalInTransaction && statement.mayRefuseTransaction { return false }
      throw work.failure(error, statement: index, isAlone: true)
    }
  }
}

extension MigrationError {
  /// Something that a statement names is not there.
  fileprivate var isAboutMissingObject: Bool {
    guard case .failed(_, _, _, _, let server) = self else { return false }
    return ["42P01", "42704"].contains(server.sqlState)
  }
}
