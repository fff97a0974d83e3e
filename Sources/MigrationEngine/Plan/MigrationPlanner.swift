import Catalog
public import PostgreSQL
import SQLText

/// Finds out what pending migrations will do to a database, by running them on a shadow of it: a database of
/// the same schema, the same history and no rows.
///
/// ```swift
/// let plan = try MigrationPlanner(target: connection, folder: folder, place: .embedded).plan(.natural)
/// plan.first?.locks.first?.mode   // .accessExclusive
/// ```
///
/// The target is only read, with no lock beyond ACCESS SHARE.
public struct MigrationPlanner {
  private let target: Connection
  private let folder: MigrationFolder
  private let dependents: (any DependentObjects)?
  private let place: ShadowPlace
  /// Applies pending migrations although later ones are applied already.
  public var allowsLate = false
  /// How far it goes with migrations of two halves.
  public var contractHalves = ContractHalves.wait
  /// Folders whose pending migrations come first.
  public var earlier: [MigrationFolder] = []
  /// Takes a sentence on what makes the user wait, and on what the shadow lacks.
  public var tell: (String) -> Void = { _ in }

  /// The schema of the target cannot be made again, for want of a right, or of what is in no dump.
  public struct Problem: Error, CustomStringConvertible, Sendable {
    let error: ServerError

    /// What is wrong.
    public var description: String { "the schema cannot be made again in a shadow database: \(error)" }

    /// How to fix it.
    public var hint: String {
      "--here makes the shadow in the database's own server; the role needs the rights to make what the schema holds"
    }
  }

  /// A planner for one database and one folder.
  public init(
    target: Connection, folder: MigrationFolder, dependents: (any DependentObjects)? = nil, place: ShadowPlace
  ) {
    self.target = target
    self.folder = folder
    self.dependents = dependents
    self.place = place
  }

  /// What each pending migration will do, in order.
  ///
  /// - Throws: what ``MigrationEngine/up(_:_:)`` throws, ``Problem``, `ShadowError` and `EmbeddedClusterError`.
  public func plan(_ goal: MigrationGoal) throws -> [PlannedMigration] {
    let version = try Catalog.installedVersion(target)
    guard version <= Catalog.version else {
      throw Catalog.Problem.newer(found: version, known: Catalog.version)
    }
    var engine = MigrationEngine(connection: target, folder: folder, dependents: dependents)
    engine.allowsLate = allowsLate
    engine.contractHalves = contractHalves
    try folder.prepare(for: target)
    let status = try engine.agreedStatus()
    let chosen = try engine.chosen(status, goal)
    if let delay = try engine.delay(status, goal) { tell(delay.description) }
    if chosen.isEmpty { return [] }
    _ = try MigrationEngine.works(of: chosen)
    let before = try earlier.flatMap { try MigrationEngine(connection: target, folder: $0).status().pending }
    try place.requireConfined((before + chosen).map(\.up))
    let sizes = try KnownRelations.sizes(target)
    let dump = try SchemaDump(of: target)
    for sentence in dump.unsupported { tell("not in the shadow that the plan is made on: \(sentence)") }
    let settings = try ShadowServer.settings(of: target)
    let user: String = try target.query("SELECT current_user")[0].value(0)
    let planned = try ShadowServer.withServer(place, like: target, tell: tell) { server in
      try server.withRoles(of: target, as: user).withDatabase(settings: settings) { shadow in
        try repeatSchema(dump, in: shadow, of: server)
        return try server.reportingExtensions(on: shadow) {
          try rehearse(chosen, on: shadow, sizes)
        }
      }
    }
    return try target.hasCitus ? planned.map(MigrationPlanner.placing) : planned
  }

  private static func placing(_ planned: PlannedMigration) throws -> PlannedMigration {
    var planned = planned
    planned.placements = try SectionWork(planned.migration, planned.migration.up).placements.map(\.mark)
    return planned
  }

  /// Makes the schema and the history of the target in a shadow.
  func repeatSchema(_ dump: SchemaDump, in shadow: Connection, of server: ShadowServer) throws {
    try Catalog.prepare(shadow)
    do {
      try server.reportingExtensions(on: shadow) {
        for piece in dump.pieces { try shadow.execute(piece) }
      }
    } catch PostgreSQLError.server(let error) {
      throw Problem(error: error)
    }
    try shadow.resetSession()
    let history = ShadowHistory(target: target, shadow: shadow)
    try history.copy()
    try history.fillViews()
  }

  private func rehearse(_ chosen: [Migration], on shadow: Connection, _ sizes: [String: Int]) throws
    -> [PlannedMigration]
  {
    let observer = LockObserver(
      try KnownRelations(shadow),
      try StoredTables(shadow, leavingOut: dependents?.relations(on: shadow) ?? []), sizes: sizes)
    for other in earlier {
      var engine = MigrationEngine(connection: shadow, folder: other, dependents: dependents)
      engine.contractHalves = contractHalves
      try rehearse(try engine.chosen(try engine.status(), .natural), engine)
    }
    var engine = MigrationEngine(connection: shadow, folder: folder, dependents: dependents)
    engine.observer = observer
    try rehearse(chosen, engine)
    return observer.planned
  }

  /// Runs migrations without what they ask of rows, of which a shadow has none.
  private func rehearse(_ chosen: [Migration], _ engine: MigrationEngine) throws {
    try engine.locked { try engine.apply(chosen.map(\.withoutConditions)) { _, _ in } }
  }
}

extension Migration {
  /// The migration without its sections `require` and `verify`.
  fileprivate var withoutConditions: Migration {
    Migration(
      kind, version: version, name: name, half: half, rest: rest, datasets: datasets, up: up, down: down)
  }
}

extension MigrationFolder {
  /// The folder without the sections `require` and `verify` of some migrations, by their labels.
  func withoutConditions(_ labels: Set<String>) -> MigrationFolder {
    let bare = { (migration: Migration) in
      labels.contains(migration.label) ? migration.withoutConditions : migration
    }
    var copy = self
    copy.migrations = migrations.map(bare)
    copy.repeatables = repeatables.map(bare)
    return copy
  }
}
