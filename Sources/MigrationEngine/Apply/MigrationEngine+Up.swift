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

  /// Gives how many versioned migrations are left.
  func applyPending(_ status: MigrationStatus, _ goal: MigrationGoal, _ report: @escaping Report) throws
    -> Int
  {
    let migrations = try chosen(status, goal)
    try batch(of: try migrations.map { try SectionWork($0, $0.up) }, report) { report in
      try run(folder.callbacks.beforeMigrate)
      try applyEach(migrations) { report(.up, $0) }
      try run(folder.callbacks.afterMigrate)
    }
    return status.pending.count - migrations.count { $0.kind == .versioned }
  }

  func applyEach(_ migrations: [Migration], _ report: (MigrationStep) -> Void) throws {
    try run(migrations, as: transition, report)
  }

  private func transition(_ migration: Migration) throws -> Transition {
    let up = try SectionWork(migration, migration.up)
    let closing = { MigrationHistory.addition(of: migration, seconds: $0) }
    let callbacks = folder.callbacks
    return Transition(
      work: up, body: { runner in try apply(migration, up, runner) },
      isBare: migration.require == nil && migration.verify == nil
        && callbacks.beforeEachMigrate.isEmpty && callbacks.afterEachMigrate.isEmpty,
      closing: closing,
      statementwise: { started in
        try applyStatementwise(migration, up) { closing("\(Machine.seconds - started)") }
      })
  }

  private func apply(_ migration: Migration, _ up: SectionWork, _ runner: SectionRunner) throws {
    if let require = migration.require {
      try runner.require(try SectionWork(migration, require, title: "require"))
    }
    try observer?.willRun(migration, on: connection)
    let before = folder.callbacks.beforeEachMigrate
    try runEach(before, migration, runner)
    try runner.run(up, isFirst: migration.require == nil && before.isEmpty)
    try check(migration, runner)
  }

  /// What follows `up` in the same transaction.
  ///
  /// `afterwards` says that what `up` did is kept already.
  private func check(_ migration: Migration, _ runner: SectionRunner, afterwards: Bool = false) throws {
    if let verify = migration.verify {
      let title = afterwards ? MigrationError.lateVerify : "verify"
      try runner.run(try SectionWork(migration, verify, title: title))
    }
    try runEach(folder.callbacks.afterEachMigrate, migration, runner)
    guard let observer else { return }
    try connection.resetSession()
    try observer.didRun(migration, on: connection)
  }

  private func applyStatementwise(_ migration: Migration, _ up: SectionWork, closing: () -> String) throws {
    var runner = StatementRunner(connection: connection, path: path, lockRetry: lockRetry)
    runner.didRun = { try observer?.didRun($0, of: migration, on: connection) }
    defer { try? connection.resetSession() }
    if try !runner.isUnderWay(up) {
      try attempt(of: up) { runner in
        if let require = migration.require {
          try runner.require(try SectionWork(migration, require, title: "require"))
        }
        try runEach(folder.callbacks.beforeEachMigrate, migration, runner)
      }
    }
    try observer?.willRun(migration, on: connection)
    try runner.run(up)
    try connection.resetSession()
    try attempt(of: up, closing: closing) { runner in
      try requireLock(up)
      try check(migration, runner, afterwards: true)
      try StatementJournal(connection: connection).clear(migration.kind, migration.version)
    }
  }

  private func run(_ sections: [Migration.Section]) throws {
    for section in sections {
      let work = try SectionWork(.versioned, version: "", name: "callback", .up, section, title: "callback")
      try attempt(section.options, of: work) { runner in try runner.run(work, isFirst: true) }
    }
  }

  func runEach(_ sections: [Migration.Section], _ migration: Migration, _ runner: SectionRunner)
    throws
  {
    for section in sections {
      try runner.run(try SectionWork(migration, section, title: "callback"))
    }
  }
}
