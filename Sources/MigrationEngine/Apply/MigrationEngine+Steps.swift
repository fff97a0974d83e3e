import Host
import PostgreSQL

/// What one migration is made of, up or down.
extension MigrationEngine {
  /// The SQL that writes it into the history, or takes it out; `seconds` is SQL for how long it took.
  func closing(_ work: SectionWork, seconds: String) -> String {
    if let migration = work.migration {
      return history.addition(of: migration, using: folder.datasets, seconds: seconds)
    }
    return history.removal(of: .versioned, version: work.version)
      // What they made may have gone with it.
      + (folder.repeatables.isEmpty ? "" : history.removalOfRepeatables)
  }

  /// ``closing(_:seconds:)`` of what has run since then; a long text is written at once, and not as a part of it.
  func closing(_ work: SectionWork, since started: Double) throws -> String {
    let seconds = Machine.seconds - started
    guard let migration = work.migration, migration.up.sql.utf8.count > SectionRunner.messageSize else {
      return closing(work, seconds: "\(seconds)")
    }
    try connection.execute(MigrationEngine.ending)
    try history.add(migration, using: folder.datasets, seconds: seconds)
    return ""
  }

  /// What happens in its transaction.
  func perform(_ work: SectionWork, _ runner: SectionRunner) throws {
    guard let migration = work.migration else {
      try runner.run(work, isFirst: true)
      try place(work, runner)
      guard let dependents else { return }
      try connection.resetSession()
      return try dependents.clearOrphans(on: connection)
    }
    try require(migration, runner)
    try observer?.willRun(on: connection)
    try runEach(.beforeEachMigrate, migration, runner)
    try runner.run(
      work, isFirst: migration.require == nil && callbacks(.beforeEachMigrate).isEmpty)
    try place(work, runner)
    try check(migration, runner)
  }

  func require(_ migration: Migration, _ runner: SectionRunner) throws {
    guard let require = migration.require else { return }
    try runner.require(try SectionWork(migration, require, title: "require"))
  }

  /// What follows `up` in the same transaction.
  ///
  /// `title` is what its section `verify` is called where it fails.
  private func check(_ migration: Migration, _ runner: SectionRunner, title: String = "verify") throws {
    if let verify = migration.verify { try runner.run(try SectionWork(migration, verify, title: title)) }
    try runEach(.afterEachMigrate, migration, runner)
    guard let observer else { return }
    try connection.resetSession()
    try observer.didRun(migration, on: connection)
  }

  /// Runs one that no transaction can hold, and gives what ran in batches.
  func runStatementwise(_ work: SectionWork, closing: () throws -> String) throws -> [BatchOutcome] {
    defer { try? connection.resetSession() }
    if let migration = work.migration {
      if try journal.entries(work.kind, work.version, work.direction).isEmpty {
        try attempt(of: work) { runner in
          try require(migration, runner)
          try runEach(.beforeEachMigrate, migration, runner)
        }
      }
      try observer?.willRun(on: connection)
    }
    let outcomes = try runStatements(of: work)
    try connection.resetSession()
    try attempt(of: work, closing: closing) { runner in
      try place(work, runner)
      if let migration = work.migration {
        try requireLock(work)
        try check(migration, runner, title: MigrationError.lateVerify)
      } else {
        try dependents?.clearOrphans(on: connection)
      }
      try journal.clear(work.kind, work.version)
    }
    return outcomes
  }

  func requireLock(_ work: SectionWork) throws {
    if try connection.holdsLock(MigrationEngine.lockName) { return }
    throw MigrationError.lockReleased(version: work.version, file: work.section.file)
  }

  // MARK: Callbacks

  func callbacks(_ event: MigrationFolder.Event) -> [Migration.Section] { folder.callbacks[event] ?? [] }

  func run(_ event: MigrationFolder.Event) throws {
    for section in callbacks(event) {
      let work = try SectionWork(callback: section)
      try attempt(section.options, of: work) { runner in try runner.run(work, isFirst: true) }
    }
  }

  func runEach(_ event: MigrationFolder.Event, _ migration: Migration, _ runner: SectionRunner) throws {
    for section in callbacks(event) {
      try runner.run(try SectionWork(migration, section, title: "callback"))
    }
  }
}
