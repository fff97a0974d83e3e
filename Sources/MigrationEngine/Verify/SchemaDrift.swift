import Catalog
public import PostgreSQL

/// What somebody has changed in a database by hand: its schema against that which its history makes.
public enum SchemaDrift {
  /// The differences, a line each; none where nobody has changed anything.
  ///
  /// Nothing is written to the database itself.
  public static func lines(
    on connection: Connection, dependents: any DependentObjects, place: ShadowPlace,
    tell: (String) -> Void = { _ in }
  ) throws -> [String] {
    let folder = try repetition(of: try history(on: connection))
    if case .beside = place {
      for migration in folder.migrations { try ClusterWideStatement.refuse(in: migration) }
    }
    let makers = try makers(on: connection)
    let made = try ShadowServer.withServer(place, tell: tell) { server in
      let settings = try ShadowSettings.of(connection)
      return try server.withRoles(of: connection, as: makers.owner).withDatabase(settings: settings) {
        shadow in
        try requireSameVersion(connection, shadow)
        try apply(folder, to: shadow)
        return try SchemaSnapshot.read(from: shadow)
      }
    }
    let present = try SchemaSnapshot.read(
      from: connection, leavingOut: try leftOut(dependents, on: connection), makers: makers.all)
    return made.differences(to: present).map { $0.line(.drift) }
  }

  private static func history(on connection: Connection) throws -> [(AppliedMigration, AppliedText)] {
    guard try Catalog.installedVersion(connection) > 0 else { return [] }
    let history = MigrationHistory(connection: connection)
    let texts = try history.texts()
    return try history.applied().compactMap { row in texts[row.position].map { (row, $0) } }
  }

  /// A folder whose migrations are the rows of a history, repeatable ones too, in the order they were applied
  /// in.
  private static func repetition(of applied: [(AppliedMigration, AppliedText)]) throws -> MigrationFolder {
    let silent = applied.filter { $0.0.isBaseline && $0.1.up.isEmpty }
    guard silent.isEmpty else { throw Problem.withoutText(silent.map(\.0.label)) }
    let migrations = try applied.map { row, text in
      let up = try text.migration(row).up
      return Migration(version: "\(row.position)", name: row.name, up: up, down: .missing)
    }
    return try MigrationFolder(path: "", migrations: migrations)
  }

  private static func apply(_ folder: MigrationFolder, to shadow: Connection) throws {
    do {
      try MigrationEngine(connection: shadow, folder: folder).up(.natural) { _, _ in }
    } catch let error as MigrationError {
      throw Problem.cannotBeRepeated(error)
    }
  }

  private static func requireSameVersion(_ connection: Connection, _ shadow: Connection) throws {
    let versions = (connection.serverVersion / 10_000, shadow.serverVersion / 10_000)
    guard versions.0 == versions.1 else {
      throw Problem.otherVersion(database: versions.0, shadow: versions.1)
    }
  }

  private static func leftOut(_ dependents: any DependentObjects, on connection: Connection) throws -> Set<
    String
  > {
    guard try Catalog.installedVersion(connection) > 0 else { return [] }
    return try dependents.relations(on: connection)
  }

  /// Who has applied migrations, and so owns what these made; and who of them owns the history.
  private static func makers(on connection: Connection) throws -> (owner: String, all: Set<String>) {
    guard try Catalog.installedVersion(connection) > 0 else {
      let user: String = try connection.query("SELECT current_user")[0].value(0)
      return (user, [user])
    }
    let owner: String = try connection.query(
      "SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'rivulet.migration'::regclass")[0].value(0)
    let appliers = try connection.query("SELECT DISTINCT applied_by FROM rivulet.migration").rows
    return (owner, Set(appliers.compactMap { $0[0] }).union([owner]))
  }
}
