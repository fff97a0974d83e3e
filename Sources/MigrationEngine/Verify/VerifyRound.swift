import Host
import PostgreSQL
import SQLText

/// Migrations tried one after the other in one shadow database.
struct VerifyRound {
  let connection: Connection
  let folder: MigrationFolder
  let server: ShadowServer
  /// Whether the database is as if the migrations so far had only been applied.
  private(set) var isSound = true
  /// Whether a migration cannot be applied, so that none after it can.
  private(set) var isStuck = false
  private let tracker: SnapshotTracker

  init(connection: Connection, folder: MigrationFolder, server: ShadowServer) throws {
    self.connection = connection
    self.folder = folder
    self.server = server
    tracker = try SnapshotTracker(connection, ofOwn: server.isThrowAway ? server.target : nil)
  }

  /// Brings an empty database to where a migration has been applied.
  mutating func begin(after last: Migration?) throws {
    try folder.prepare(for: connection)
    if let last { try up(.version(last.version)) }
    try tracker.read()
    tracker.settle()
  }

  /// Tries one that comes next: up, down, up.
  mutating func verify(_ migration: Migration) throws -> VerifiedMigration {
    try VerifyRound.timed(migration) { verified in
      let engine = engine()
      try engine.locked { try verify(&verified, engine) }
    }
  }

  private mutating func verify(_ verified: inout VerifiedMigration, _ engine: MigrationEngine) throws {
    let migration = verified.migration
    guard try attempt("up", &verified, { try engine.applyNext(migration) }) else {
      (isSound, isStuck) = (false, true)
      return
    }
    let first = try tracker.read()
    switch migration.down {
    case .irreversible: verified.result = .irreversible
    // Other tools have no word for a migration that has none.
    case .missing where !folder.isOwnFormat: verified.result = .irreversible
    case .missing:
      verified.fail(
        "there is no section 'down': write it, or say why there is none: -- rivulet:down irreversible \"reason\""
      )
    case .sql: try goBackAndForth(first, &verified, engine)
    }
    tracker.settle()
  }

  private mutating func goBackAndForth(
    _ first: SchemaSnapshot, _ verified: inout VerifiedMigration, _ engine: MigrationEngine
  ) throws {
    let migration = verified.migration
    guard try attempt("down", &verified, { try engine.revertLast(migration.version) }) else {
      // In a transaction it has changed nothing; outside one, who knows.
      isSound =
        try tracker.read() == first && engine.status().applied.allSatisfy { $0.state != .partial }
      return
    }
    verified.record(tracker.settled.differences(to: try tracker.read()), .wayBack)
    let truncation = Truncation(try migration.up.script().statements)
    let known = truncation.isNone ? nil : try KnownRelations(connection)
    var stored = try verified.isPassed ? storedTables(known, first) : nil
    guard try attempt("the second up", &verified, { try engine.applyNext(migration) }) else {
      isSound = false
      return
    }
    if let losses = try stored?.losses(on: connection) {
      verified.warnings = try LostRows(migration).warnings(
        losses.filter { loss in
          loss.kind != .truncation || known.map { truncation.empties(loss.table, $0) } ?? false
        })
    }
    let second = try tracker.read()
    verified.record(first.differences(to: second), .secondTime)
    isSound = first == second
  }

  /// The tables that were there before up and that it may take rows from: all where it empties some, else those
  /// that it changes; nil where there are none.
  private func storedTables(_ known: KnownRelations?, _ first: SchemaSnapshot) throws -> StoredTables? {
    if known != nil { return try StoredTables(connection) }
    let before = tracker.settled
    let changed = before.changed(in: first).filter { $0.kind == "table" && before.objects[$0] != nil }
    return changed.isEmpty ? nil : try StoredTables(connection, only: changed.map(\.identity))
  }

  /// Tries a repeatable one twice: the second time must change nothing.
  func verifyRepeatable(_ migration: Migration) throws -> VerifiedMigration {
    try VerifyRound.timed(migration) { verified in
      guard try attempt("the first run", &verified, { try up(.natural, with: migration) }) else { return }
      let first = try tracker.read()
      let history = MigrationHistory(connection: connection, name: folder.history)
      try connection.execute(history.removal(of: .repeatable, version: migration.version))
      guard try attempt("the second run", &verified, { try up(.natural, with: migration) }) else { return }
      verified.record(first.differences(to: try tracker.read()), .secondTime)
    }
  }

  private static func timed(_ migration: Migration, _ body: (inout VerifiedMigration) throws -> Void) rethrows
    -> VerifiedMigration
  {
    let started = Machine.seconds
    var verified = VerifiedMigration(migration: migration)
    try body(&verified)
    verified.seconds = Machine.seconds - started
    return verified
  }

  private func up(_ goal: MigrationGoal, with repeatable: Migration? = nil) throws {
    try engine(with: repeatable).up(goal) { _, _ in }
  }

  private func engine(with repeatable: Migration? = nil) -> MigrationEngine {
    var part = folder
    part.repeatables = repeatable.map { [$0] } ?? []
    var engine = MigrationEngine(connection: connection, folder: part)
    engine.contractHalves = .all
    return engine
  }

  /// Runs `body`; false where the migration is to blame for its failure, which is recorded.
  private func attempt(_ what: String, _ verified: inout VerifiedMigration, _ body: () throws -> Void) throws
    -> Bool
  {
    guard let failure = try server.failure(of: what, on: connection, body) else { return true }
    verified.fail(failure)
    return false
  }
}

extension ShadowServer {
  /// Runs `body`, which is called `what`; a sentence where migrations are to blame for its failure, or the lack
  /// of an extension.
  func failure(of what: String, on connection: Connection, _ body: () throws -> Void) throws -> String? {
    do {
      try reportingExtensions(on: connection, body)
      return nil
    } catch let error as ShadowError {
      return "\(what): \(error)\n\(error.hint)"
    } catch let error as MigrationError {
      try Interruption.shared.check()
      return "\(what): \(error.located)"
    } catch let error as PostgreSQLError {
      try Interruption.shared.check()
      guard case .server(let server) = error else { throw error }
      return "\(what): \(server)"
    }
  }
}
