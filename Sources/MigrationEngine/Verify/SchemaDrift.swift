import Catalog
public import PostgreSQL
import SQLText

/// What somebody has changed in a database by hand: its schema against that which its history makes.
public enum SchemaDrift {
  /// The differences, a line each; none where nobody has changed anything.
  ///
  /// Nothing is written to the database itself. The histories of other tools are no drift, nor is what is ignored.
  /// `values` are those of placeholders in the texts of the history.
  ///
  /// - Throws: ``Problem``, `ShadowError`, `EmbeddedClusterError`, `PostgreSQLError` and `Interrupted`.
  public static func lines(
    on connection: Connection, dependents: (any DependentObjects)? = nil, place: ShadowPlace,
    ignoring ignored: [String] = [], values: PlaceholderValues = PlaceholderValues(),
    tell: (String) -> Void = { _ in }
  ) throws -> [String] {
    let read = { (_: Connection, _: Set<String>, snapshot: SchemaSnapshot) in snapshot }
    let (made, present) = try compare(connection, dependents, place, ignored, values, tell, read)
    return made.differences(to: present).map { $0.line(.drift) }
  }

  /// The text of a migration after which the folder makes what is in the database, drafted; nil where there is no
  /// drift. What no rule can write is in it as comments.
  ///
  /// - Throws: as ``lines(on:dependents:place:ignoring:values:tell:)``.
  public static func draft(
    on connection: Connection, dependents: (any DependentObjects)? = nil, place: ShadowPlace,
    ignoring ignored: [String] = [], values: PlaceholderValues = PlaceholderValues(),
    tell: (String) -> Void = { _ in }
  ) throws -> String? {
    let (made, present) = try compare(connection, dependents, place, ignored, values, tell) {
      connection, leftOut, snapshot in
      (snapshot: snapshot, statements: try SchemaStatements(of: connection, leavingOut: leftOut))
    }
    if made.snapshot.differences(to: present.snapshot).isEmpty { return nil }
    return """
      -- Drafted from what was changed by hand: look through it before it is applied anywhere.

      -- rivulet:up
      \(SchemaChange(from: made, to: present).sql)
      -- rivulet:down
      \(SchemaChange(from: present, to: made).sql)
      """
  }

  /// What the history makes, and what is in the database, both without what is no drift; `read` takes the
  /// connection to each, the relations that are left out there, and its snapshot.
  private static func compare<Value>(
    _ connection: Connection, _ dependents: (any DependentObjects)?, _ place: ShadowPlace,
    _ ignored: [String], _ values: PlaceholderValues,
    _ tell: (String) -> Void, _ read: (Connection, Set<String>, SchemaSnapshot) throws -> Value
  ) throws -> (made: Value, present: Value) {
    let hasHistory = try Catalog.installedVersion(connection) > 0
    let folder =
      hasHistory ? try repetition(of: connection, values) : try MigrationFolder(path: "", migrations: [])
    try place.requireConfined(folder.migrations.map(\.up))
    let makers = try makers(on: connection, hasHistory)
    let settings = try ShadowServer.settings(of: connection)
    let foreign = try ForeignTables.find(on: connection)
    let filter = IgnoredObjects(ignored + foreign.schemas.map { "schema \($0)" })
    let made = try ShadowServer.withServer(place, like: connection, tell: tell) { server in
      try server.withRoles(of: connection, as: makers.owner, but: rolesMade(by: folder)).withDatabase(
        settings: settings
      ) { shadow in
        try apply(folder, to: shadow, of: server)
        if hasHistory { try DatabaseRoles(of: connection)?.repeatGrants(in: shadow) }
        return try read(shadow, [], filter.removed(from: try SchemaSnapshot.read(from: shadow)))
      }
    }
    let others = hasHistory ? try dependents?.relations(on: connection) : nil
    let leftOut = foreign.relations.union(others ?? [])
    let present = try SchemaSnapshot.read(from: connection, leavingOut: leftOut, makers: makers.all)
    return (made, try read(connection, leftOut, filter.removed(from: present)))
  }

  /// A folder whose migrations are the rows of a history, repeatable ones too, in the order they were applied
  /// in.
  private static func repetition(
    of connection: Connection, _ values: PlaceholderValues
  ) throws -> MigrationFolder {
    let history = MigrationHistory(connection: connection, name: nil)
    let texts = try history.texts()
    let rows = try history.applied()
    let silent = rows.filter { $0.isBaseline && texts[$0.position]?.up.isEmpty == true }
    guard silent.isEmpty else { throw Problem.withoutText(silent.map(\.label)) }
    let migrations = try rows.compactMap { row -> Migration? in
      guard var up = try texts[row.position]?.migration(row).up else { return nil }
      up.values = values
      // The schemas that a folder is run in were there before it.
      if let schema = up.options.runIn {
        up.values = values.with(defaultSchema: schema)
        up.sql = "CREATE SCHEMA IF NOT EXISTS \(Quote.identifier(schema)); " + up.sql
      }
      return Migration(version: "\(row.position)", name: row.name, up: up, down: .missing)
    }
    let folder = try MigrationFolder(path: "", migrations: migrations, values: values)
    try folder.prepare(for: connection)
    return folder
  }

  /// The roles that migrations make without a look whether they are there.
  private static func rolesMade(by folder: MigrationFolder) throws -> Set<String> {
    let statements = try folder.migrations.flatMap { try $0.up.script(isForReading: true).statements }
    return Set(
      statements.filter { $0.keyword == "CREATE" && ["ROLE", "USER"].contains($0.words.dropFirst().first) }
        .compactMap { $0.name(at: 2) })
  }

  private static func apply(_ folder: MigrationFolder, to shadow: Connection, of server: ShadowServer) throws
  {
    do {
      _ = try server.reportingExtensions(on: shadow) {
        try MigrationEngine(connection: shadow, folder: folder).up(.natural) { _, _ in }
      }
    } catch let error as MigrationError {
      throw Problem.cannotBeRepeated(error)
    }
  }

  /// Who has applied migrations, and so owns what these made; and who of them owns the history.
  private static func makers(on connection: Connection, _ hasHistory: Bool) throws
    -> (owner: String, all: Set<String>)
  {
    guard hasHistory else {
      let user: String = try connection.query("SELECT current_user")[0].value(0)
      return (user, [user])
    }
    let owner: String = try connection.query(
      "SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'rivulet.migration'::regclass")[0].value(0)
    let appliers = try connection.query("SELECT DISTINCT applied_by FROM rivulet.migration").rows
    return (owner, Set(appliers.compactMap { $0[0] }).union([owner]))
  }
}

extension SchemaDrift {
  /// Why a database and its history cannot be compared.
  public enum Problem: Error, Sendable {
    /// Migrations that were there before this program came and whose text was not recorded.
    case withoutText([String])
    /// What the history has cannot be applied to an empty database.
    case cannotBeRepeated(MigrationError)
  }
}

extension SchemaDrift.Problem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .withoutText(let labels):
      "the history does not have the text of \(labels.joined(separator: ", ")), which was there before this program came"
    case .cannotBeRepeated(let error):
      "what the history has cannot be applied to an empty database: \(error.located)"
    }
  }

  /// How to fix it.
  public var hint: String {
    switch self {
    case .withoutText: "record the schema as it was with 'rivulet migrate baseline', then ask again"
    case .cannotBeRepeated:
      "a migration relies on what no migration made: 'rivulet migrate verify' shows the same with the files"
    }
  }
}
