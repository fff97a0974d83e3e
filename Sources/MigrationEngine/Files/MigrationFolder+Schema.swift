public import PostgreSQL

extension MigrationFolder {
  /// The folder for one of several schemas: unqualified names lead into it.
  public func inSchema(_ schema: String) -> MigrationFolder {
    let own = values.with(defaultSchema: schema)
    var folder = self
    folder.values = own
    folder.migrations = migrations.map { $0.inSchema(schema) }
    folder.repeatables = repeatables.map { $0.inSchema(schema) }
    folder.callbacks = callbacks.mapValues { $0.map { $0.inSchema(schema) } }
    return folder
  }

  /// The schemas that a list names, or a query: names with commas between them, or a SELECT of one column.
  ///
  /// - Throws: `MigrationError.noSchemas` where there is none, or one of them is not there, and
  ///   `PostgreSQLError`.
  public static func schemas(_ text: String, on connection: Connection) throws -> [String] {
    let isQuery = text.drop(while: \.isWhitespace).lowercased().hasPrefix("select ")
    let names: [String]
    if isQuery {
      names = try connection.transaction {
        try connection.execute("SET TRANSACTION READ ONLY")
        return try connection.query(text).rows.compactMap { $0[0] }
      }
    } else {
      names = text.split(separator: ",").map { String($0.trimmingBlanks) }
    }
    let there = try connection.query(
      "SELECT nspname FROM pg_namespace WHERE nspname = ANY ($1)", [.textArray(names)]
    ).rows.compactMap { $0[0] }
    let missing = names.filter { !there.contains($0) }
    if names.isEmpty || !missing.isEmpty { throw MigrationError.noSchemas(missing, asked: text) }
    return names
  }
}

extension Migration {
  /// The same for one of several schemas, or nil for none of several.
  func inSchema(_ schema: String?) -> Migration {
    let change = { (section: Section) in section.inSchema(schema) }
    var way = down
    if let section = down.section { way = .sql(change(section)) }
    var migration = Migration(version: version, name: name, up: change(up), down: way)
    migration.kind = kind
    migration.isContract = isContract
    migration.datasets = datasets
    migration.require = require.map(change)
    migration.verify = verify.map(change)
    return migration
  }
}

extension Migration.Section {
  fileprivate func inSchema(_ schema: String?) -> Migration.Section {
    var section = self
    section.options.runIn = schema
    if let schema { section.values = values.with(defaultSchema: schema) }
    return section
  }
}
