import Host
import PostgreSQL

extension MigrationEngine {
  func agreedStatus() throws -> MigrationStatus {
    let status = try status()
    try status.requireAgreement(allowingLate: allowsLate)
    return status
  }

  /// What `up` is to run: versioned ones, then the repeatable ones if no versioned one is left.
  func chosen(_ status: MigrationStatus, _ goal: MigrationGoal) throws -> [Migration] {
    let versioned = try pending(status, goal)
    return versioned + (versioned.count == status.pending.count ? status.pendingRepeatables : [])
  }

  func applyPending(_ status: MigrationStatus, _ goal: MigrationGoal, _ report: @escaping Report)
    throws
  {
    let migrations = try chosen(status, goal)
    try batch(of: try migrations.map { try SectionWork($0, $0.up) }, report) { report in
      try run(folder.callbacks.beforeMigrate)
      try applyEach(migrations) { report(.up, $0) }
      try run(folder.callbacks.afterMigrate)
    }
  }

  func applyEach(_ migrations: [Migration], _ report: (MigrationStep) -> Void) throws {
    for migration in migrations {
      try Interruption.shared.check()
      let started = Machine.seconds
      try apply(migration, started: started)
      report(step(migration, since: started))
    }
  }

  private func apply(_ migration: Migration, started: Double) throws {
    let up = try SectionWork(migration, migration.up)
    if up.isStatementwise { return try applyStatementwise(migration, up, started: started) }
    try attempt(migration.up.options) { runner in
      if let require = migration.require {
        try runner.require(try SectionWork(migration, require, title: "require"))
      }
      try observer?.willRun(migration, on: connection)
      let before = folder.callbacks.beforeEachMigrate
      try runEach(before, migration, runner)
      try runner.run(up, isFirst: migration.require == nil && before.isEmpty)
      try finish(migration, runner, started: started)
    }
  }

  /// What follows `up` in the same transaction.
  private func finish(_ migration: Migration, _ runner: SectionRunner, started: Double) throws {
    if let verify = migration.verify {
      try runner.run(try SectionWork(migration, verify, title: "verify"))
    }
    try runEach(folder.callbacks.afterEachMigrate, migration, runner)
    try observer?.didRun(migration, on: connection)
    try MigrationHistory(connection: connection).add(migration, seconds: Machine.seconds - started)
  }

  private func applyStatementwise(_ migration: Migration, _ up: SectionWork, started: Double) throws {
    let runner = StatementRunner(connection: connection, patience: patience)
    defer { try? connection.resetSession() }
    if let require = migration.require, try !runner.isUnderWay(up) {
      try attempt(require.options) { runner in
        try runner.require(try SectionWork(migration, require, title: "require"))
      }
    }
    try observer?.willRun(migration, on: connection)
    try runner.run(up)
    try connection.resetSession()
    try attempt { runner in
      try finish(migration, runner, started: started)
      try StatementJournal(connection: connection).clear(migration.kind, migration.version)
    }
  }

  private func run(_ sections: [Migration.Section]) throws {
    for section in sections {
      let work = try SectionWork(.versioned, version: "", name: "callback", .up, section, title: "callback")
      try attempt(section.options) { runner in try runner.run(work, isFirst: true) }
    }
  }

  private func runEach(_ sections: [Migration.Section], _ migration: Migration, _ runner: SectionRunner)
    throws
  {
    for section in sections {
      try runner.run(try SectionWork(migration, section, title: "callback"))
    }
  }
}
