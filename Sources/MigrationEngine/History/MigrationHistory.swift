import PostgreSQL

/// What is known to be applied, by the database itself.
struct MigrationHistory {
  let connection: Connection
  /// Its name, empty for that of the project; nil for all that there are.
  var name: String? = ""

  /// The version of the catalog from which on histories have names.
  static let namedSince = 2
  /// The version from which on the journal knows batches.
  static let batchesSince = 3

  /// The versioned migration of a version.
  func applied(_ version: String) throws -> [AppliedMigration] {
    try rows("\(condition(.versioned)) AND version = \(Quote.literal(version))")
  }

  func applied() throws -> [AppliedMigration] { try rows(filter) }

  private func rows(_ condition: String) throws -> [AppliedMigration] {
    let rows = try connection.query(
      """
      SELECT kind, version, name, checksum,
        date_trunc('second', applied_at AT TIME ZONE 'UTC'), seconds, position, is_baseline,
        array_to_string(datasets, ',')
      FROM rivulet.migration \(condition) ORDER BY position
      """)
    return try rows.rows.map { row in
      AppliedMigration(
        kind: Migration.Kind(rawValue: try row.value(0)) ?? .versioned, version: try row.value(1),
        name: try row.value(2), checksum: try row.value(3), appliedInUTC: try row.value(4),
        seconds: try row.value(5), position: try row.value(6), isBaseline: try row.value(7),
        datasets: row[8].map { $0.split(separator: ",").map(String.init) })
    }
  }

  /// What was applied as some rows say, or all, by ``AppliedMigration/position``.
  func texts(of applied: [AppliedMigration]? = nil) throws -> [Int: AppliedText] {
    if applied?.isEmpty == true { return [:] }
    let rows = try connection.query(
      """
      SELECT position, up_sql, down_sql, definition FROM rivulet.migration
      \(applied == nil ? filter : "WHERE position = ANY ($1)")
      """, applied.map { [.textArray($0.map { "\($0.position)" })] } ?? [])
    return try Dictionary(
      uniqueKeysWithValues: rows.rows.map { row in
        (try row.value(0), AppliedText(up: try row.value(1), down: row[2], definition: try row.value(3)))
      })
  }

  /// The SQL that writes that a migration is applied in a database that uses some datasets, nil for all; a
  /// repeatable one replaces its row. `seconds` is SQL too.
  func addition(
    of migration: Migration, using datasets: [String]?, seconds: String = "0", isBaseline: Bool = false
  ) -> String {
    """
    \(removal(before: migration))INSERT INTO rivulet.migration
      (history, kind, version, name, checksum, up_sql, down_sql, definition, seconds, is_baseline, datasets)
    SELECT \(Quote.literal(name ?? "")), \(MigrationHistory.values(migration)), \(seconds), \(isBaseline),
      \(MigrationHistory.array(datasets)) \(MigrationHistory.source(migration.up.sql));
    """
  }

  /// Writes that a migration is applied whose `up` is long.
  ///
  /// In a row of a COPY it is sent piece by piece; what is part of a statement's text, as the way back is here, the
  /// server holds in more than ten times its memory.
  func add(_ migration: Migration, using datasets: [String]?, seconds: Double) throws {
    let removal = removal(before: migration)
    if !removal.isEmpty { try connection.execute(removal) }
    let columns = [
      "history", "kind", "version", "name", "checksum", "up_sql", "down_sql", "definition", "seconds",
      "datasets",
    ]
    try connection.copy(into: "rivulet.migration", columns: columns) { row in
      for text in [
        name ?? "", migration.kind.rawValue, migration.version, migration.name, migration.checksum,
      ] {
        row.field(text)
      }
      try row.longField(migration.up.sql)
      if let down = migration.down.section { try row.longField(down.sql) } else { row.null() }
      row.field("")
      row.field("\(seconds)")
      if let datasets { row.field(Parameter.textArray(datasets).textForm) } else { row.null() }
      try row.endRow()
    }
    let (head, tail) = migration.textAroundUp
    try connection.execute(
      """
      UPDATE rivulet.migration SET definition = \(Quote.literal(head)) || up_sql || \(Quote.literal(tail + migration.rest))
      \(condition(migration.kind)) AND version = \(Quote.literal(migration.version))
      """)
  }

  private func removal(before migration: Migration) -> String {
    migration.kind == .repeatable ? removal(of: .repeatable, version: migration.version) : ""
  }

  /// The SQL that replaces what was applied by a file's text; when and by whom stay as they are.
  func replacement(of row: AppliedMigration, by migration: Migration) -> String {
    """
    UPDATE rivulet.migration
    SET (kind, version, name, checksum, up_sql, down_sql, definition) =
      (SELECT \(MigrationHistory.values(migration)) \(MigrationHistory.source(migration.up.sql)))
    \(condition(row.kind)) AND version = \(Quote.literal(row.version));
    """
  }

  /// The SQL that forgets a migration.
  func removal(of kind: Migration.Kind, version: String) -> String {
    "DELETE FROM rivulet.migration \(condition(kind)) AND version = \(Quote.literal(version));"
  }

  /// The SQL that forgets the repeatable ones, so that the next `up` runs them again.
  var removalOfRepeatables: String { "DELETE FROM rivulet.migration \(condition(.repeatable));" }

  /// The SQL that writes down that somebody has marked a migration, and why.
  func mark(_ version: String, _ label: String, _ state: MigrationMark, reason: String) -> String {
    let values = [name ?? "", version, label, state.rawValue, reason].map(Quote.literal)
    return "INSERT INTO rivulet.migration_mark (history, version, name, state, reason) "
      + "VALUES (\(values.joined(separator: ", ")));"
  }

  private var filter: String { name.map { "WHERE history = \(Quote.literal($0))" } ?? "" }

  private func condition(_ kind: Migration.Kind) -> String {
    "WHERE history = \(Quote.literal(name ?? "")) AND kind = \(Quote.literal(kind.rawValue))"
  }

  private static func array(_ datasets: [String]?) -> String {
    datasets.map { "ARRAY[\($0.map(Quote.literal).joined(separator: ", "))]::pg_catalog.text[]" } ?? "NULL"
  }

  /// The columns that a file gives, of ``source(_:)``: its text may be many megabytes and is sent once, though
  /// it is in two of them.
  private static func values(_ migration: Migration) -> String {
    let (head, tail) = migration.textAroundUp
    let names = [migration.kind.rawValue, migration.version, migration.name, migration.checksum]
    let down = migration.down.section.map { Quote.literal($0.sql) } ?? "NULL"
    return names.map(Quote.literal).joined(separator: ", ")
      + ", up, \(down), \(Quote.literal(head)) || up || \(Quote.literal(tail + migration.rest))"
  }

  private static func source(_ up: String) -> String {
    "FROM (SELECT \(Quote.literal(up))::pg_catalog.text AS up) AS file"
  }
}
