import Catalog
import Host
public import PostgreSQL

/// Finds out what a role lacks to apply what is pending, by applying it as that role on a shadow: a database
/// with the schema, the history, the owners and the privileges of the target, and no rows.
///
/// What the server refuses there is granted, recorded, and tried again; so what is recorded is what is needed,
/// and is enough.
///
/// ```swift
/// let missing = try RightsSearch(target: connection, folder: folder, role: "deployer").missing()
/// missing.first?.sql   // GRANT CREATE ON DATABASE "shop" TO "deployer"
/// ```
public struct RightsSearch {
  private let target: Connection
  private let folder: MigrationFolder
  private let dependents: (any DependentObjects)?
  private let role: String
  /// Does what follows the migrations in a database whose schema is complete.
  public var afterwards: (Connection) throws -> Void = { _ in }
  /// Takes a sentence on what makes the user wait, and on what the shadow lacks.
  public var tell: (String) -> Void = { _ in }

  /// A search for one database, one folder and one role.
  public init(
    target: Connection, folder: MigrationFolder, dependents: (any DependentObjects)? = nil, role: String
  ) {
    self.target = target
    self.folder = folder
    self.dependents = dependents
    self.role = role
  }

  /// What the role lacks, in the order in which it is to be given; nothing where it lacks nothing.
  ///
  /// The target is only read.
  ///
  /// - Throws: ``Problem``, what ``MigrationPlanner/plan(_:)`` throws, and what is wrong with the migrations.
  public func missing() throws -> [MissingGrant] {
    let found = try target.query("SELECT rolsuper FROM pg_roles WHERE rolname = $1", [.text(role)])
    guard let row = found.first else { throw Problem.noRole(role) }
    if try row.value(0, Bool.self) { return [] }
    _ = try MigrationEngine(connection: target, folder: folder).agreedStatus()
    let hasCatalog = try Catalog.installedVersion(target) > 0
    let dump = try SchemaDump(of: target)
    for sentence in dump.unsupported { tell("not in the shadow that is looked at: \(sentence)") }
    let rights = ShadowRights(target: target)
    return try ShadowServer.withServer(.embedded, like: target, tell: tell) { server in
      let maker = try rights.makeRoles(in: server.target)
      let own = ShadowServer(target: try server.target.user(maker), locale: "", isThrowAway: true)
      return try own.withDatabase(settings: try rights.settings(of: role)) { shadow in
        try MigrationPlanner(target: target, folder: folder, dependents: dependents, place: .embedded)
          .repeatSchema(dump, in: shadow, of: own)
        if !hasCatalog { try shadow.execute("DROP SCHEMA rivulet CASCADE") }
        try rights.repeatOwners(in: shadow)
        return try search(on: shadow)
      }
    }
  }

  private func search(on shadow: Connection) throws -> [MissingGrant] {
    let names = try [target, shadow].map { connection in
      try connection.query("SELECT quote_ident(current_database())")[0].value(0, String.self)
    }
    let connection = try Connection(to: try shadow.target.user(role))
    var trial = try RightsTrial(administration: shadow, role: role)
    var rest = folder
    while true {
      do {
        var engine = MigrationEngine(connection: connection, folder: rest, dependents: dependents)
        engine.lockWait = 0
        engine.contractHalves = .all
        try engine.up(.natural) { _, _ in }
        try finish(connection)
        break
      } catch {
        if try trial.takes(error, of: rest) { continue }
        // What it asks of rows, of which a shadow has none, cannot be looked at.
        guard let bare = (error as? MigrationError)?.withoutConditions(rest) else { throw error }
        rest = bare
      }
    }
    return trial.found.map { grant in
      MissingGrant(
        sql: grant.sql.replacing(names[1], with: names[0]), migration: grant.migration)
    }
  }

  /// Does what follows the migrations; what fails there but for want of a right fails for want of rows.
  private func finish(_ connection: Connection) throws {
    do {
      try connection.namingRights { try afterwards(connection) }
    } catch let error as MissingRights {
      throw error
    } catch {
      try Interruption.shared.check()
    }
  }

  /// Why it cannot be said what a role lacks.
  public enum Problem: Error, Sendable {
    /// There is no such role.
    case noRole(String)
    /// Something that no GRANT gives.
    case notGrantable(role: String, migration: String?, error: ServerError)
  }
}

extension RightsSearch.Problem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .noRole(let role): "there is no role '\(role)'"
    case .notGrantable(let role, let migration, let error):
      "no GRANT lets '\(role)' run \(migration ?? "what follows the migrations"): \(error)"
    }
  }

  /// How to fix it.
  public var hint: String {
    switch self {
    case .noRole(let role): "CREATE ROLE \(Quote.identifier(role)) LOGIN;"
    case .notGrantable:
      "have a superuser run that migration by 'rivulet migrate up --to VERSION', or write it so that it does "
        + "nothing where what it makes is there already"
    }
  }
}

extension MigrationError {
  /// A folder without the conditions of the migration whose own have failed; nil where it has none, or another
  /// section has failed.
  fileprivate func withoutConditions(_ folder: MigrationFolder) -> MigrationFolder? {
    let failed: String
    switch self {
    case .requirementUnmet(_, _, let file, _): failed = file
    case .failed(_, let file, let section, _, _) where section != "up" && section != "callback": failed = file
    default: return nil
    }
    let migration = (folder.migrations + folder.repeatables).first {
      $0.up.file == failed && ($0.require != nil || $0.verify != nil)
    }
    return migration.map { folder.withoutConditions([$0.label]) }
  }
}
