import PostgreSQL

/// The tables and columns that hold rows at one moment, by their numbers, so that a later look at the catalog
/// shows which are gone, whatever SQL has taken them away.
///
/// What is made after that moment is none of it: nobody loses it.
struct StoredTables {
  struct Table {
    /// As `schema.name`, quoted where need be.
    let name: String
    /// The number of the table that it is a partition or a child of.
    let parent: String?
    /// Where its rows are; nil for a partitioned table.
    var file: String?
    /// How many rows of it the transaction has deleted.
    var deleted: Int
    /// Columns by their numbers; generated ones are not among them, since they can be computed again.
    var columns: [String: Column] = [:]
  }

  struct Column {
    /// Quoted where need be.
    let name: String
    /// As the server writes it.
    let type: String
  }

  private(set) var tables: [String: Table]

  /// Looks at all tables but the server's own, those of the schema `rivulet`, and some by their names, as
  /// `schema.name` with neither part quoted.
  init(_ connection: Connection, leavingOut: Set<String> = []) throws {
    tables = try StoredTables.read(
      connection, "nspname || '.' || relname <> ALL ($1::text[])", leavingOut.sorted())
  }

  /// Looks at some tables alone, by their names as `schema.name`, quoted where need be.
  init(_ connection: Connection, only names: [String]) throws {
    tables = try StoredTables.read(
      connection, "c.oid IN (SELECT to_regclass(n) FROM unnest($1::text[]) n)", names)
  }

  private static func read(_ connection: Connection, _ condition: String, _ values: [String]) throws
    -> [String: Table]
  {
    let rows = try connection.query(
      """
      SELECT c.oid, format('%I.%I', nspname, relname), (SELECT min(inhparent) FROM pg_inherits WHERE inhrelid = c.oid),
        pg_relation_filenode(c.oid), coalesce(pg_stat_get_xact_tuples_deleted(c.oid), 0), attnum,
        quote_ident(attname), format_type(atttypid, atttypmod)
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      LEFT JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      WHERE relkind IN ('r', 'p') AND nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'rivulet')
        AND \(condition)
      """, [.textArray(values)])
    var tables: [String: Table] = [:]
    for row in rows.rows {
      let number: String = try row.value(0)
      let table = Table(name: try row.value(1), parent: row[2], file: row[3], deleted: try row.value(4))
      guard let column = row[5] else {
        tables[number] = table
        continue
      }
      tables[number, default: table].columns[column] = Column(name: try row.value(6), type: try row.value(7))
    }
    return tables
  }

  /// What is gone of tables that may have been touched since the last look, in order of their names.
  ///
  /// A table that was emptied and one that had no rows and was rewritten look the same.
  mutating func losses(among touched: some Sequence<String>, _ connection: Connection) throws -> [DataLoss] {
    let numbers = touched.filter { tables[$0] != nil }
    if numbers.isEmpty { return [] }
    let now = try StoredTables.read(connection, "c.oid = ANY ($1::oid[])", numbers)
    let moved = now.filter { tables[$0.key]?.file != $0.value.file }.map(\.key)
    let empty = try StoredTables.empty(moved, connection)
    var found: [String: [DataLoss]] = [:]
    for number in numbers {
      found[number] = tables[number]?.losses(to: now[number], isEmpty: empty.contains(number))
    }
    // What a table loses, its partitions and children lose with it.
    let own = found.flatMap { number, losses in
      let ofWhole = (tables[number]?.parent.flatMap { found[$0] } ?? []).map(\.kind)
      return losses.filter { $0.kind == .deletion || !ofWhole.contains($0.kind) }
    }
    for number in numbers { tables[number] = now[number].flatMap { tables[number]?.brought(to: $0) } }
    return own.sorted { ($0.table, $0.description) < ($1.table, $1.description) }
  }

  /// What is gone of all tables since the last look.
  mutating func losses(on connection: Connection) throws -> [DataLoss] {
    try losses(among: tables.keys, connection)
  }

  private static func empty(_ numbers: [String], _ connection: Connection) throws -> Set<String> {
    if numbers.isEmpty { return [] }
    let rows = try connection.query(
      "SELECT number FROM unnest($1::oid[]) number WHERE pg_relation_size(number) = 0", [.textArray(numbers)])
    return Set(rows.rows.compactMap { $0[0] })
  }

  /// The tables that the transaction may have changed so far.
  static func touched(_ connection: Connection) throws -> [String] {
    try connection.query(
      """
      SELECT DISTINCT relation FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
        AND mode IN ('AccessExclusiveLock', 'RowExclusiveLock')
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    ).rows.compactMap { $0[0] }
  }
}

extension StoredTables.Table {
  /// What is left of it later, under its names as they were; what is new is nobody's loss when it goes.
  fileprivate func brought(to later: Self) -> Self {
    var table = self
    (table.file, table.deleted) = (later.file, later.deleted)
    for (number, column) in columns {
      table.columns[number] = later.columns[number].map {
        StoredTables.Column(name: column.name, type: $0.type)
      }
    }
    return table
  }

  /// What it has lost until later; nil where it is gone by then.
  fileprivate func losses(to later: Self?, isEmpty: Bool) -> [DataLoss] {
    guard let later else { return [DataLoss(kind: .table, table: name)] }
    var found: [DataLoss] = []
    if isEmpty && file != later.file { found.append(DataLoss(kind: .truncation, table: name)) }
    if later.deleted > deleted {
      found.append(DataLoss(kind: .deletion, table: name, rows: .counted(later.deleted - deleted)))
    }
    for (number, column) in columns {
      guard let type = later.columns[number]?.type else {
        found.append(DataLoss(kind: .column(column.name), table: name))
        continue
      }
      if let old = SQLType(named: column.type), let new = SQLType(named: type), new.isNarrower(than: old) {
        found.append(
          DataLoss(kind: .narrowing(column: column.name, from: column.type, to: type), table: name))
      }
    }
    return found
  }
}
