import Catalog
import Host
public import PostgreSQL

/// Applies migrations and reverts them.
///
/// Each migration and its row of the history are one transaction. What PostgreSQL refuses in a transaction
/// runs statement by statement instead, with a journal beside it.
///
/// ```swift
/// var engine = MigrationEngine(connection: connection, folder: try MigrationFolder("Migrations"))
/// try engine.up(.natural) { step in print(step.version) }
/// ```
public struct MigrationEngine {
  let connection: Connection
  let folder: MigrationFolder
  let dependents: any DependentObjects
  let path: SchemaPath
  /// How long to wait for another program that migrates this database, and how long in all for a table's
  /// lock, in seconds.
  public var lockWait = 30.0
  /// How long one try may wait for a table's lock, as PostgreSQL takes a time-out.
  public var lockTimeout = "2s"
  /// Applies pending migrations although later ones are applied already.
  public var allowsLate = false
  /// All or none of the migrations of one call, in one transaction.
  public var isSingleTransaction = false
  /// Watches what is applied.
  public var observer: (any MigrationObserver)?
  /// Takes a sentence on what makes the user wait.
  public var tell: (String) -> Void = { _ in }

  static let lockName = "rivulet migrate"
  /// What ends every migration: nothing it has set or made for itself reaches the next.
  static let ending = Connection.reset + "DISCARD TEMP; DEALLOCATE ALL; UNLISTEN *;"

  /// An engine for one database and one folder.
  public init(
    connection: Connection, folder: MigrationFolder, dependents: any DependentObjects = NoDependentObjects()
  ) {
    self.connection = connection
    self.folder = folder
    self.dependents = dependents
    path = SchemaPath(connection)
  }

  /// Takes each migration as it is done, and in which direction.
  public typealias Report = (Direction, MigrationStep) -> Void

  /// What the database has; changes nothing, makes nothing.
  public func status() throws -> MigrationStatus {
    guard try Catalog.installedVersion(connection) > 0 else {
      return MigrationStatus(folder: folder, applied: [])
    }
    return MigrationStatus(
      folder: folder, applied: try MigrationHistory(connection: connection).applied(),
      partial: try StatementJournal(connection: connection).underWay())
  }

  /// Applies pending migrations in order, then repeatable ones that have changed, and reports each as it is
  /// done.
  ///
  /// Gives how many versioned migrations are left.
  @discardableResult
  public func up(_ goal: MigrationGoal, _ report: @escaping Report) throws -> Int {
    try locked { try applyPending(try agreedStatus(), goal, report) }
  }

  /// Reverts applied migrations, the last first, and reports each as it is done.
  public func down(_ goal: MigrationGoal, _ report: @escaping Report) throws {
    try locked {
      let steps = try wayBack(try status(), goal)
      try batch(of: try steps.map { try $0.work() }, report) { report in
        try revertEach(steps) { report(.down, $0) }
      }
    }
  }

  /// Reverts migrations and applies them again, as their files are now.
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
      try batch(of: try back.map { try $0.work() } + forward.map { try SectionWork($0, $0.up) }, report) {
        report in
        try revertEach(back) { report(.down, $0) }
        let repeatables = status.pending.isEmpty ? folder.repeatables : []
        try applyEach(forward + repeatables) { report(.up, $0) }
      }
    }
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
