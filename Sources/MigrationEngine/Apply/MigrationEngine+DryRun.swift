import Catalog
import Host
import PostgreSQL
import SQLText

extension MigrationEngine {
  /// Runs what `up` would run, as far as a transaction can hold it, and rolls all of it back; first what those
  /// before it would, all of one connection.
  ///
  /// - Throws: as ``up(_:_:)``.
  public func dryRun(_ goal: MigrationGoal, after earlier: [MigrationEngine] = []) throws -> [MigrationStep] {
    for engine in earlier + [self] { try engine.folder.prepare(for: connection) }
    var first = 0
    let steps = try rehearsing { wait, steps in
      for engine in earlier { try engine.rehearse(.natural, wait, &steps) }
      first = steps.count
      try rehearse(goal, wait, &steps)
    }
    return steps[first...].map(\.1)
  }

  private func rehearse(
    _ goal: MigrationGoal, _ wait: TimeSpan, _ steps: inout [(Direction, MigrationStep)]
  ) throws {
    let status = try agreedStatus()
    for migration in try chosen(status, goal) {
      steps.append((.up, try rehearse(migration, wait, after: steps)))
    }
    if let delay = try delay(status, goal) { tell(delay.description) }
  }

  /// Runs `body` in a transaction that is rolled back, while no other program migrates this database; again
  /// while a lock is not to be had.
  func rehearsing(_ body: (TimeSpan, inout [(Direction, MigrationStep)]) throws -> Void) throws
    -> [(Direction, MigrationStep)]
  {
    try locked(isDry: true) {
      try lockRetry.run { wait in
        var steps: [(Direction, MigrationStep)] = []
        do {
          try connection.transaction {
            try Catalog.prepare(connection)
            try body(wait, &steps)
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

  func rehearse(_ migration: Migration, _ wait: TimeSpan, after steps: [(Direction, MigrationStep)]) throws
    -> MigrationStep
  {
    let up = try SectionWork(migration, migration.up)
    return try rehearse(up, after: steps) { try rehearseSections(of: migration, up, wait) }
  }

  /// One migration of a dry run; what no transaction can hold is left out, and so is what needs that.
  func rehearse(_ work: SectionWork, after steps: [(Direction, MigrationStep)], _ body: () throws -> LeftOut)
    throws -> MigrationStep
  {
    let started = Machine.seconds
    var left = LeftOut()
    do {
      left = try clearingTheWay { try body() }
    } catch let error as MigrationError
      where error.mayNeedUntried && steps.contains(where: { !$0.1.unexecuted.isEmpty })
    {
      left.statements = [error.needsUntried]
    }
    var step = MigrationStep(work, since: started)
    (step.unexecuted, step.plannedBatches) = (left.statements, left.batches)
    return step
  }

  private func rehearseSections(of migration: Migration, _ up: SectionWork, _ wait: TimeSpan) throws
    -> LeftOut
  {
    let runner = runner(wait)
    try require(migration, runner)
    try runEach(.beforeEachMigrate, migration, runner)
    let left = up.isStatementwise ? try rehearseStatements(of: up, runner) : LeftOut()
    if !up.isStatementwise { try runner.run(up) }
    if let verify = migration.verify, left.statements.isEmpty {
      try runner.run(try SectionWork(migration, verify, title: "verify"))
    }
    try runEach(.afterEachMigrate, migration, runner)
    try connection.execute(MigrationEngine.ending)
    return left
  }

  /// Gives those that no transaction can hold, that run in batches, or need what those would do.
  func rehearseStatements(of work: SectionWork, _ runner: SectionRunner) throws -> LeftOut {
    try connection.execute(try runner.settings(work.section.options))
    var left = LeftOut()
    try work.requireMeaning()
    let entries = try journal.entries(work.kind, work.version, work.direction)
    try work.requireSame(entries)
    let done = entries.filter(\.isDone).map(\.statement)
    for (index, statement) in work.script.statements.enumerated()
    where !done.contains(index + 1) && !statement.controlsTransaction {
      if let mark = work.batch(of: statement) {
        left.batches.append(try plannedBatches(statement, mark, work))
        left.statements.append(work.located(statement))
        continue
      }
      do {
        if try statement.isRefusedInTransaction || !rehearse(statement, index, work) {
          left.statements.append(work.located(statement))
        }
      } catch let error as MigrationError where error.isAboutRows && !left.batches.isEmpty {
        left.statements.append(error.needsUntried)
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
      throw work.failure(error, statement: index, sent: statement.range)
    }
  }
}

extension MigrationError {
  /// What a dry run says of a statement that fails for want of one that was not tried.
  fileprivate var needsUntried: String { "\(located): it needs what was not tried" }

  /// Rows are not as a constraint asks (class 23).
  fileprivate var isAboutRows: Bool {
    guard case .failed(_, _, _, _, let server) = self else { return false }
    return server.sqlState.hasPrefix("23")
  }

  /// Something that a statement names is not there, or what a section asks for is not true.
  fileprivate var mayNeedUntried: Bool {
    if case .requirementUnmet = self { return true }
    guard case .failed(_, _, _, _, let server) = self else { return false }
    return ["42P01", "42704"].contains(server.sqlState)
  }
}
