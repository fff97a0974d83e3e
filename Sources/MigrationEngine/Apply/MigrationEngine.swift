import Catalog
import Host
public import PostgreSQL

/// Applies migrations and takes them back.
///
/// Each migration and its row of the history are one transaction. What PostgreSQL refuses in a transaction runs
/// statement by statement instead, with a journal beside it.
///
/// ```swift
/// var engine = MigrationEngine(connection: connection, folder: try MigrationFolder("Migrations"))
/// try engine.up(.natural) { step in print(step.version) }
/// ```
public struct MigrationEngine {
  let connection: Connection
  let folder: MigrationFolder
  let dependants: any SchemaDependants
  /// How long to wait for another program that migrates this database, and how long in all for a table's lock, in
  /// seconds.
  public var lockWait = 30.0
  /// How long one try may wait for a table's lock, as PostgreSQL takes a time-out.
  public var lockTimeout = "2s"
  /// Applies pending migrations although later ones are applied already.
  public var allowsLate = false
  /// All or none of the migrations of one call, in one transaction.
  public var isSingleTransaction = false
  /// Watches what is applied.
  public var observer: (any MigrationObserver)?
  /// Told of what makes the user wait.
  public var tell: (String) -> Void = { _ in }

  static let lockName = "rivulet migrate"

  /// An engine for one database and one folder.
  public init(
    connection: Connection, folder: MigrationFolder, dependants: any SchemaDependants = NoDependants()
  ) {
    self.connection = connection
    self.folder = folder
    self.dependants = dependants
  }

  /// Told of each migration as it is done, and in which direction.
  public typealias Report = (Direction, MigrationStep) -> Void

  /// How the database stands; changes nothing, makes nothing.
  public func status() throws -> MigrationStatus {
    // A database of an older program has no journal: it is made by the next command that writes.
    guard try Catalog.installedVersion(connection) >= 3 else {
      let rows = try OlderHistory(connection: connection).applied()
      return MigrationStatus(folder: folder, applied: rows)
    }
    return MigrationStatus(
      folder: folder, applied: try MigrationHistory(connection: connection).applied(),
      partial: try StatementJournal(connection: connection).underWay())
  }

  /// Applies pending migrations in order, then repeatable ones that have changed, telling of each as it is done.
  public func up(_ goal: MigrationGoal, _ report: @escaping Report) throws {
    try locked { try applyPending(try agreedStatus(), goal, report) }
  }

  /// Takes applied migrations back, the last first, telling of each as it is done.
  public func down(_ goal: MigrationGoal, _ report: @escaping Report) throws {
    try locked {
      let steps = try wayBack(try status(), goal)
      try batch(report) { report in try takeBackEach(steps) { report(.down, $0) } }
    }
  }

  /// Takes migrations back and applies them again, as their files are now.
  public func redo(_ goal: MigrationGoal, _ report: @escaping Report) throws {
    try locked {
      let status = try status()
      let back = try wayBack(status, goal)
      let forward = try back.reversed().map { step in
        guard let migration = folder.migration(step.row.version) else {
          throw MigrationError.missing([step.row.label])
        }
        return migration
      }
      try batch(of: forward, report) { report in
        try takeBackEach(back) { report(.down, $0) }
        let repeatables = status.pending.isEmpty ? folder.repeatables : []
        try applyEach(forward + repeatables) { report(.up, $0) }
      }
    }
  }

  // MARK: Up

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

  private func applyPending(_ status: MigrationStatus, _ goal: MigrationGoal, _ report: @escaping Report)
    throws
  {
    let migrations = try chosen(status, goal)
    try batch(of: migrations, report) { report in
      try run(folder.callbacks.beforeMigrate)
      try applyEach(migrations) { report(.up, $0) }
      try run(folder.callbacks.afterMigrate)
    }
  }

  private func applyEach(_ migrations: [Migration], _ report: (MigrationStep) -> Void) throws {
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
    try attempt { wait in
      let runner = SectionRunner(connection: connection, lockTimeout: wait)
      try runner.prepareSession(migration.up.options)
      if let require = migration.require {
        try runner.require(try SectionWork(migration, require, title: "require"))
        try runner.prepareSession(migration.up.options)
      }
      try observer?.willRun(migration, on: connection)
      try runEach(folder.callbacks.beforeEachMigrate, migration, runner)
      try runner.prepareSession(migration.up.options)
      try runner.run(up)
      try finish(migration, runner, started: started)
    }
  }

  /// What follows `up` in the same transaction.
  private func finish(_ migration: Migration, _ runner: SectionRunner, started: Double) throws {
    if let verify = migration.verify {
      try runner.prepareSession(verify.options)
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
      try connection.transaction {
        let section = SectionRunner(connection: connection, lockTimeout: patience.timeout)
        try section.prepareSession(require.options)
        try section.require(try SectionWork(migration, require, title: "require"))
      }
    }
    try observer?.willRun(migration, on: connection)
    try runner.run(up)
    try connection.resetSession()
    try attempt { wait in
      try finish(migration, SectionRunner(connection: connection, lockTimeout: wait), started: started)
      try StatementJournal(connection: connection).clear(migration.kind, migration.version)
    }
  }

  // MARK: Callbacks

  private func run(_ sections: [Migration.Section]) throws {
    for section in sections {
      let work = try SectionWork(.versioned, version: "", name: "callback", .up, section, title: "callback")
      try attempt { wait in
        let runner = SectionRunner(connection: connection, lockTimeout: wait)
        try runner.prepareSession(section.options)
        try runner.run(work)
      }
    }
  }

  private func runEach(_ sections: [Migration.Section], _ migration: Migration, _ runner: SectionRunner)
    throws
  {
    for section in sections {
      try runner.prepareSession(section.options)
      try runner.run(try SectionWork(migration, section, title: "callback"))
    }
  }

  // MARK: Down

  private func takeBackEach(_ steps: [StepBack], _ report: (MigrationStep) -> Void) throws {
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
    let work = try SectionWork(
      .versioned, version: back.row.version, name: back.row.name, .down, back.section)
    if work.isStatementwise {
      defer { try? connection.resetSession() }
      try StatementRunner(connection: connection, patience: patience).run(work)
      try connection.resetSession()
      try attempt { _ in try forget(back) }
    } else {
      try attempt { wait in
        let runner = SectionRunner(connection: connection, lockTimeout: wait)
        try runner.prepareSession(back.section.options)
        try runner.run(work)
        try forget(back)
      }
    }
  }

  private func forget(_ back: StepBack) throws {
    try dependants.clearOrphans(on: connection)
    let history = MigrationHistory(connection: connection)
    try history.remove(.versioned, version: back.row.version)
    // What they made may have gone with it.
    try history.removeRepeatables()
    try StatementJournal(connection: connection).clear(.versioned, back.row.version)
  }

  // MARK: Transactions

  var patience: LockPatience { patience(isInBatch: false) }

  /// In one transaction for all, what was locked stays locked: only the whole can be tried again.
  private func patience(isInBatch: Bool) -> LockPatience {
    return LockPatience(
      timeout: TimeSpan(lockTimeout) ?? TimeSpan(seconds: 2), total: isInBatch ? 0 : lockWait, report: tell)
  }

  /// Runs `body` in a transaction; again while a lock is not to be had; and where something that is not a
  /// migration's business stands in its way, once more with that out of the way.
  private func attempt(_ body: (TimeSpan) throws -> Void) throws {
    let isInBatch = connection.isInTransaction
    try patience(isInBatch: isInBatch).attempt { wait in
      do {
        try connection.transaction { try body(isInBatch ? patience.timeout : wait) }
      } catch let error as MigrationError {
        guard case .failed(_, _, _, _, let server) = error, isDependency(server) else { throw error }
        try connection.transaction {
          guard try dependants.release(on: connection) else { throw error }
          try body(wait)
          try dependants.restore(on: connection)
        }
      }
    }
  }

  /// All of a call in one transaction where that is asked for; then nothing is reported before its commit.
  private func batch(
    of migrations: [Migration] = [], _ report: @escaping Report, _ body: (@escaping Report) throws -> Void
  ) throws {
    guard isSingleTransaction else { return try body(report) }
    let alone = try migrations.filter { try SectionWork($0, $0.up).isStatementwise }
    if !alone.isEmpty { throw MigrationError.cannotBeOneTransaction(alone.map(\.label)) }
    let steps = try patience.attempt { _ in
      let held = HeldReports()
      try connection.transaction { try body(held.take) }
      return held.steps
    }
    for (direction, step) in steps { report(direction, step) }
  }

  private final class HeldReports {
    var steps: [(Direction, MigrationStep)] = []
    func take(_ direction: Direction, _ step: MigrationStep) { steps.append((direction, step)) }
  }

  /// Other objects depend on what is dropped (2BP01), or a view uses a column whose type changes (0A000).
  private func isDependency(_ error: ServerError) -> Bool {
    error.sqlState == "2BP01" || error.sqlState == "0A000"
  }

  func step(_ migration: Migration, since started: Double) -> MigrationStep {
    MigrationStep(
      kind: migration.kind, version: migration.version, name: migration.name,
      seconds: Machine.seconds - started)
  }

  func locked<Value>(isDry: Bool = false, _ body: () throws -> Value) throws -> Value {
    try refusePooler()
    if !isDry { try Catalog.prepare(connection) }
    guard try connection.acquireLock(MigrationEngine.lockName, waiting: lockWait) else {
      throw MigrationError.busy
    }
    defer { _ = try? connection.releaseLock(MigrationEngine.lockName) }
    return try body()
  }

  /// A session's lock means nothing where every transaction may be another session's.
  private func refusePooler() throws {
    if try TransactionPooler.isBehind(connection) { throw MigrationError.behindPooler }
  }
}
