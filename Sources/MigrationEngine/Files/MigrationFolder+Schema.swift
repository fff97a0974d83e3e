public import PostgreSQL

extension MigrationFolder {
  /// The folder for one of several schemas, with a history of its own: unqualified names lead into the schema.
  public func inSchema(_ schema: String) -> MigrationFolder {
    let own = values.with(defaultSchema: schema)
    var folder = self
    folder.schema = schema
    folder.history = MigrationFolder.history(history, inSchema: schema)
    folder.values = own
    folder.migrations = migrations.map { $0.inSchema(schema) }
    folder.repeatables = repeatables.map { $0.inSchema(schema) }
    folder.callbacks = callbacks.mapValues { $0.map { $0.inSchema(schema) } }
    return folder
  }

  /// The name of a history in one of several schemas.
  public static func history(_ history: String, inSchema schema: String) -> String {
    let name = schema.replacing("/", with: "//")
    return history.isEmpty ? name : "\(history)/\(name)"
  }

  /// The schemas that a text names; nil where it is a query, which only a database can answer.
  public static func namedSchemas(_ text: String) -> [String]? {
    let start = text.drop(while: \.isWhitespace).prefix("select ".count).lowercased()
    if start.hasPrefix("select"), start.last?.isWhitespace == true { return nil }
    return text.split(separator: ",").map { String($0.trimmingBlanks) }
  }

  /// The schemas that a list names, or a query: names with commas between them, or a SELECT of one column.
  ///
  /// Where they may be missing they may be made by a migration that is pending, and so may the table that a
  /// query asks.
  ///
  /// - Throws: `MigrationError.noSchemas` where there is none, or one of them is not there, unless that may be;
  ///   and `PostgreSQLError`.
  public static func schemas(
    _ text: String, on connection: Connection, mayBeMissing: Bool = false
  ) throws -> [String] {
    var names = namedSchemas(text) ?? []
    if namedSchemas(text) == nil {
      do {
        names = try connection.transaction {
          try connection.execute("SET TRANSACTION READ ONLY")
          return try connection.query(text).rows.compactMap { $0[0] }
        }
      } catch PostgreSQLError.server(let error)
        where mayBeMissing && ["42P01", "3F000"].contains(error.sqlState)
      {}
    }
    if mayBeMissing { return names }
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
    return Migration(
      kind, version: version, name: name, half: half, rest: rest, datasets: datasets,
      require: require.map(change), up: change(up), down: way, verify: verify.map(change))
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
