import Catalog
import Host
public import PostgreSQL
public import Progress

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
  /// What hangs on the tables; nil where nothing does.
  let dependents: (any DependentObjects)?
  let path: SchemaPath
  /// How long to wait for another program that migrates this database, and how long in all for a table's
  /// lock, in seconds.
  public var lockWait = 30.0
  /// How long one try may wait for a table's lock, as PostgreSQL takes a time-out.
  public var lockTimeout = "2s"
  /// Applies pending migrations although later ones are applied already.
  public var allowsLate = false
  /// How far it goes with migrations of two halves.
  public var contractHalves = ContractHalves.wait
  /// Stored views may be computed from tables that Citus distributes.
  public var capturesOnShards = false
  /// All or none of the migrations of one call, in one transaction.
  public var isSingleTransaction = false
  /// Looks who holds a lock that a migration waits for.
  let watch: LockWatch
  var observer: (any MigrationObserver)?
  /// How far the call at work has come.
  public let progress = WorkProgress(of: "migrations")
  /// How far the migration at work has come; nil between two of them.
  var task: TaskProgress?
  /// Takes a sentence on what makes the user wait.
  public var tell: (String) -> Void = { _ in }

  /// The advisory lock that lets one program migrate a database at a time.
  package static let lockName = "rivulet migrate"
  /// What ends every migration: nothing it has set or made for itself reaches the next.
  static let ending = Connection.reset + "DISCARD TEMP; DEALLOCATE ALL; UNLISTEN *;"

  /// An engine for one database and one folder.
  public init(
    connection: Connection, folder: MigrationFolder, dependents: (any DependentObjects)? = nil
  ) {
    self.connection = connection
    self.folder = folder
    self.dependents = dependents
    path = SchemaPath(connection)
    watch = LockWatch(connection)
  }

  private var historyName: String { folder.history }
  var history: MigrationHistory { MigrationHistory(connection: connection, name: historyName) }
  var journal: StatementJournal { StatementJournal(connection: connection, history: historyName) }

  /// The history and the journal to be read, also of a database that an earlier program has made, which knows
  /// one without a name; nil where there is none.
  func readable() throws -> (history: MigrationHistory, journal: StatementJournal)? {
    let version = try Catalog.installedVersion(connection)
    if version == 0 { return nil }
    var (history, journal) = (history, journal)
    journal.hasBatches = version >= MigrationHistory.batchesSince
    if version < MigrationHistory.namedSince {
      if !historyName.isEmpty { return nil }
      (history.name, journal.isNamed) = (nil, false)
    }
    return (history, journal)
  }

  /// Takes each migration as it is done, and in which direction.
  public typealias Report = (Direction, MigrationStep) -> Void

  /// What the database has; changes nothing, makes nothing.
  ///
  /// - Throws: `PostgreSQLError`.
  public func status() throws -> MigrationStatus {
    try namingRights { try readStatus() }
  }

  /// `isPrepared`: the schema `rivulet` is known to be of the program's version.
  func readStatus(isPrepared: Bool = false) throws -> MigrationStatus {
    guard let (history, journal) = try isPrepared ? (history, journal) : readable() else {
      return MigrationStatus(folder: folder, applied: [])
    }
    return MigrationStatus(
      folder: folder, applied: try history.applied(), partial: try journal.underWay())
  }

  /// Applies pending migrations in order, then repeatable ones that have changed, and reports each as it is
  /// done.
  ///
  /// Gives the versioned migrations that are left.
  ///
  /// - Throws: `MigrationError`, of which `.awaitsContract` comes when what can be applied is, `PostgreSQLError`, `Catalog.Problem`, `MissingRights` and `Interrupted`; each
  ///   migration that was reported stays.
  @discardableResult
  public func up(_ goal: MigrationGoal, _ report: @escaping Report) throws -> [Migration] {
    try folder.prepare(for: connection)
    return try locked {
      let status = try agreedStatus(isPrepared: true)
      let migrations = try chosen(status, goal)
      let delay = try delay(status, goal)
      if migrations.isEmpty, let delay { throw delay }
      try apply(migrations, report)
      if let delay { throw delay }
      return Array(status.pending.dropFirst(migrations.count { $0.kind == .versioned }))
    }
  }

  /// Reverts applied migrations, the last first, and reports each as it is done.
  ///
  /// - Throws: as ``up(_:_:)``; `MigrationError.irreversible` before anything is touched.
  public func down(_ goal: MigrationGoal, _ report: @escaping Report) throws {
    try locked {
      let works = try wayBack(try status(), goal)
      try batch(works, report) { report in try run(works, report) }
    }
  }

  /// Reverts migrations and applies them again, as their files are now.
  ///
  /// - Throws: as ``down(_:_:)``; `MigrationError.missing` where a file is gone.
  public func redo(_ goal: MigrationGoal, _ report: @escaping Report) throws {
    try folder.prepare(for: connection)
    try locked {
      let status = try status()
      let back = try wayBack(status, goal)
      let forward = try wayForth(status, after: back).map { try SectionWork($0, $0.up) }
      let works = back + forward
      try batch(works, report) { report in try run(works, report) }
    }
  }

  /// Runs `body` while no other program migrates this database.
  ///
  /// - Throws: `MigrationError.busy` and `.behindPooler`, and what `body` throws.
  func locked<Value>(isDry: Bool = false, _ body: () throws -> Value) throws -> Value {
    try namingRights { try lockedAsIs(isDry: isDry, body) }
  }

  /// Does something, and says what gives the right that is missing where one is.
  func namingRights<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try connection.namingRights(body)
    } catch MigrationError.failed(let version, let file, let section, let line, var error) {
      error.remedy = connection.remedy(for: error)
      throw MigrationError.failed(version: version, file: file, section: section, line: line, error: error)
    }
  }

  private func lockedAsIs<Value>(isDry: Bool, _ body: () throws -> Value) throws -> Value {
    // A session's lock means nothing where every transaction may be another session's.
    if try TransactionPooler.isBehind(connection) { throw MigrationError.behindPooler }
    if !isDry { try Catalog.prepare(connection) }
    guard try connection.acquireLock(MigrationEngine.lockName, waiting: lockWait) else {
      throw MigrationError.busy
    }
    defer {
      watch.end()
      _ = try? connection.releaseLock(MigrationEngine.lockName)
    }
    return try body()
  }
}
