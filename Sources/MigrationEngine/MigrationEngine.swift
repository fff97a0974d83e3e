import Catalog
import Host
public import PostgreSQL

/// What hangs on tables and is not a migration's business, such as derived views: a migration that cannot
/// change a table because of it asks for it to be let go, in the same transaction.
public protocol SchemaDependants {
  /// Drops what depends on tables; true when there was anything to drop.
  func release(on connection: Connection) throws -> Bool
  /// Makes again what can be made of what was dropped.
  func restore(on connection: Connection) throws
  /// Drops what belonged to tables that are gone.
  func clearOrphans(on connection: Connection) throws
}

/// How far to go.
public enum MigrationGoal: Sendable, Equatable {
  /// All the way: every pending migration up, one migration down.
  case natural
  /// To this version: up until it is applied, down until it is the last that is; 0 is before the first.
  case version(String)
  /// So many migrations.
  case steps(Int)
}

/// What happened to one migration.
public struct MigrationStep: Sendable {
  /// The version.
  public let version: String
  /// The name.
  public let name: String
  /// How long it took.
  public let seconds: Double
}

/// Applies migrations and takes them back, each in one transaction with its row of the history.
public struct MigrationEngine {
  private let connection: Connection
  private let folder: MigrationFolder
  private let dependants: any SchemaDependants
  /// How long to wait for another program that migrates this database, in seconds.
  public var lockWait = 0.0
  /// How long a statement may wait for a table's lock before the migration is rolled back.
  public var lockTimeout = "5s"

  private static let lockName = "rivulet migrate"

  /// An engine for one database and one folder.
  public init(connection: Connection, folder: MigrationFolder, dependants: any SchemaDependants) {
    self.connection = connection
    self.folder = folder
    self.dependants = dependants
  }

  /// How the database stands; changes nothing, makes nothing.
  public func status() throws -> MigrationStatus {
    let isPrepared = try Catalog.installedVersion(connection) > 0
    let applied = isPrepared ? try MigrationHistory(connection: connection).applied() : []
    return MigrationStatus(folder: folder, applied: applied)
  }

  /// Applies pending migrations in order, telling of each as it is done.
  public func up(_ goal: MigrationGoal, _ report: (MigrationStep) -> Void) throws {
    try locked {
      let status = try status()
      try status.requireAgreement()
      for migration in try pending(status, goal) {
        let started = Machine.seconds
        try attempt { try apply(migration, started: started) }
        report(step(migration.version, migration.name, since: started))
      }
    }
  }

  /// Takes applied migrations back, the last first, telling of each as it is done.
  public func down(_ goal: MigrationGoal, _ report: (MigrationStep) -> Void) throws {
    try locked {
      let plan = try wayBack(try status(), goal)
      for (row, section, file) in plan {
        let started = Machine.seconds
        try attempt { try takeBack(row, section, file: file) }
        report(step(row.version, row.name, since: started))
      }
    }
  }

  // MARK: One migration

  private func apply(_ migration: Migration, started: Double) throws {
    try run(migration.up, "up", migration.version, migration.file)
    if let verify = migration.verify { try run(verify, "verify", migration.version, migration.file) }
    try MigrationHistory(connection: connection).add(migration, seconds: Machine.seconds - started)
  }

  private func takeBack(_ row: AppliedMigration, _ section: Migration.Section, file: String) throws {
    try run(section, "down", row.version, file)
    try dependants.clearOrphans(on: connection)
    try MigrationHistory(connection: connection).remove(version: row.version)
  }

  /// Runs `body` in a transaction; when something that is not a migration's business stands in its way, once
  /// more with that out of the way.
  private func attempt(_ body: () throws -> Void) throws {
    do {
      try transaction(body)
    } catch let error as MigrationError {
      guard case .failed(_, _, _, _, let server) = error, isDependency(server) else { throw error }
      var wasReleased = false
      try transaction {
        wasReleased = try dependants.release(on: connection)
        guard wasReleased else { throw error }
        try body()
        try dependants.restore(on: connection)
      }
    }
  }

  private func transaction(_ body: () throws -> Void) throws {
    try connection.transaction {
      try prepareSession()
      try body()
    }
  }

  /// What every section starts from, whatever the one before it has set.
  private func prepareSession() throws {
    try connection.execute("SET LOCAL lock_timeout = \(Quote.literal(lockTimeout))")
    // To a role named rivulet our own schema is "$user": what a migration does not qualify must not land there.
    try connection.execute(
      "SELECT set_config('search_path', 'public', true) WHERE current_schema() = 'rivulet'")
  }

  private func run(_ section: Migration.Section, _ name: String, _ version: String, _ file: String) throws {
    let own = try connection.query("SELECT pg_current_xact_id()")[0][0]
    do {
      try connection.execute(section.sql)
    } catch .server(let error) {
      throw MigrationError.failed(
        version: version, file: file, section: name, line: section.line, error: error)
    }
    guard connection.isInTransaction, try connection.query("SELECT pg_current_xact_id()")[0][0] == own else {
      throw MigrationError.leftTransaction(version: version, file: file, section: name)
    }
    try connection.resetSession()
    try prepareSession()
  }

  /// Other objects depend on what is dropped (2BP01), or a view uses a column whose type changes (0A000).
  private func isDependency(_ error: ServerError) -> Bool {
    error.sqlState == "2BP01" || error.sqlState == "0A000"
  }

  // MARK: What to do

  private func pending(_ status: MigrationStatus, _ goal: MigrationGoal) throws -> [Migration] {
    switch goal {
    case .natural: return status.pending
    case .steps(let count): return Array(status.pending.prefix(count))
    case .version(let version):
      guard folder.migration(version) != nil else {
        throw MigrationError.unknownVersion(version, known: folder.migrations.map(\.version))
      }
      return status.pending.filter { !Migration.precedes(version, $0.version) }
    }
  }

  /// The migrations to take back and the SQL for each: all of them are known to have one before the first
  /// is touched.
  private func wayBack(_ status: MigrationStatus, _ goal: MigrationGoal) throws
    -> [(AppliedMigration, Migration.Section, file: String)]
  {
    let newestFirst = Array(status.applied.reversed())
    let chosen: [AppliedMigration]
    switch goal {
    case .natural: chosen = Array(newestFirst.prefix(1))
    case .steps(let count): chosen = Array(newestFirst.prefix(count))
    case .version(let version):
      let isZero = !version.isEmpty && version.allSatisfy { $0 == "0" }
      guard isZero || status.applied.contains(where: { Migration.isSame($0.version, version) }) else {
        throw MigrationError.unknownVersion(version, known: status.applied.map(\.version))
      }
      chosen = newestFirst.filter { Migration.precedes(version, $0.version) }
    }
    return try chosen.map { row in
      let file = folder.migration(row.version)
      let path = file?.file ?? "\(row.version)_\(row.name).sql (as applied)"
      if case .irreversible(let reason)? = file?.down {
        throw MigrationError.irreversible(version: row.version, name: row.name, reason: reason)
      }
      // What was applied is what has to be taken back, even if the file was edited or is gone.
      guard let sql = row.downSQL else {
        throw MigrationError.irreversible(
          version: row.version, name: row.name, reason: "it was applied without a section 'down'")
      }
      var line = 1
      if case .sql(let section)? = file?.down, section.sql == sql { line = section.line }
      return (row, Migration.Section(sql: sql, line: line), path)
    }
  }

  private func step(_ version: String, _ name: String, since started: Double) -> MigrationStep {
    MigrationStep(version: version, name: name, seconds: Machine.seconds - started)
  }

  private func locked(_ body: () throws -> Void) throws {
    try Catalog.prepare(connection)
    guard try connection.acquireLock(MigrationEngine.lockName, waiting: lockWait) else {
      throw MigrationError.busy
    }
    defer { _ = try? connection.releaseLock(MigrationEngine.lockName) }
    try body()
  }
}
