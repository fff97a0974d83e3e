import PostgreSQL

/// Reads what the catalog knows of a schema, for dumps and for snapshots.
struct CatalogReader {
  let connection: Connection
  /// What belongs to extensions, of which nothing is read but what was granted on it.
  let members: Set<CatalogAddress>
  /// Those that are read, by queries that were prepared for it; nil for all.
  var few: FewObjects?

  /// Lends a reader in a transaction that changes nothing and sees one moment; one that is open already is
  /// used, and goes on as it was.
  ///
  /// Roles that are `makers` are all one in what is read. `relations`, as `schema.name` with neither part
  /// quoted, are those of ``leftOut()``.
  static func lend<Value>(
    on connection: Connection, makers: Set<String> = [], leavingOut relations: Set<String>,
    _ body: (CatalogReader) throws -> Value
  ) throws -> Value {
    try atOneMoment(on: connection, makers: makers, leavingOut: relations) {
      try body(CatalogReader(connection: connection, members: try extensionMembers(connection)))
    }
  }

  /// Runs `body` in such a transaction.
  static func atOneMoment<Value>(
    on connection: Connection, makers: Set<String>, leavingOut relations: Set<String>,
    _ body: () throws -> Value
  ) throws -> Value {
    let names = """
      ;SET LOCAL rivulet.makers = \(Quote.literal(Parameter.textArray(makers.sorted()).textForm));
      SET LOCAL rivulet.left_out = \(Quote.literal(Parameter.textArray(relations.sorted()).textForm))
      """
    guard connection.isInTransaction else {
      let moment = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
      return try connection.transaction(settings: moment + settings + names, body)
    }
    let path: String = try connection.query("SELECT current_setting('search_path')")[0].value(0)
    return try connection.transaction(
      settings: settings + names,
      closing: { "SELECT set_config('search_path', \(Quote.literal(path)), true)" },
      body)
  }

  /// What the server's texts of definitions depend on: with an empty path every name is qualified. The
  /// planner fears too many rows in the catalogs, and compiling a query would take longer than running it.
  private static let settings = """
    SET LOCAL search_path = ''; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD';
    SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
    SET LOCAL quote_all_identifiers = off; SET LOCAL lc_monetary = 'C'; SET LOCAL statement_timeout = 0;
    SET LOCAL jit = off
    """

  /// The objects of every kind.
  func objects() throws -> [CatalogAddress: CatalogObject] {
    var objects: [CatalogAddress: CatalogObject] = [:]
    let kinds = ObjectKind.all.enumerated().filter { few?.mayHave($0.element) ?? true }
    let answers = try self.answers(to: kinds.map(\.element.named))
    for ((rank, kind), answer) in zip(kinds, answers) {
      for row in answer.rows {
        let address = try CatalogAddress(row)
        let relation = row[5].map { CatalogAddress(catalog: CatalogAddress.relations, number: $0) }
        if few?.contains(address) == false { continue }
        if members.contains(address) || relation.map(members.contains) == true { continue }
        var part: CatalogPart?
        if let relation, let name = row[6] {
          part = CatalogPart(
            address: relation, place: try row.optional(9) ?? 0, name: name, value: try row.value(7),
            sql: row[8])
        }
        objects[address] = CatalogObject(
          address: address, phase: kind.phase, rank: rank, kind: row[3] ?? "object", name: try row.value(4),
          relation: relation, part: part, statements: row[2].map { [$0] } ?? [])
      }
    }
    return objects
  }

  /// What is said of objects, by queries of ``PartQuery``; their SQL costs nothing where nobody wants it.
  func parts(_ queries: [String], withSQL: Bool = false) throws -> [[CatalogPart]] {
    let answers = try self.answers(to: queries.map { CatalogReader.statement($0, withSQL: withSQL) })
    return try zip(queries, answers).map { query, answer in
      try answer.rows.compactMap { row in
        let address = try CatalogAddress(row)
        if few?.contains(address) == false { return nil }
        if members.contains(address) && query != PartQuery.privileges { return nil }
        return CatalogPart(
          address: address, place: try row.value(2), name: try row.value(3), value: try row.value(4),
          sql: row[5])
      }
    }
  }

  /// The statement that reads what one of the queries of ``PartQuery`` gives.
  static func statement(_ query: String, withSQL: Bool = false) -> String {
    """
    SELECT q.catalog::oid, q.number, q.place, q.part, q.value, \(withSQL ? "q.sql" : "NULL")
    FROM (\(query)) q (catalog, number, place, part, value, sql)
    """
  }

  private func answers(to statements: [String]) throws -> [ResultSet] {
    try connection.answers(
      to: statements.map { few?.queries[$0] ?? $0 }.joined(separator: ";"))
  }

  /// The relations that were asked to be left out, which nobody asks of few objects.
  func leftOut() throws -> Set<CatalogAddress> {
    guard few == nil else { return [] }
    let rows = try connection.query(
      """
      SELECT 'pg_class'::regclass::oid, c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname || '.' || relname = ANY (current_setting('rivulet.left_out')::text[])
      """
    ).rows
    return Set(try rows.map { try CatalogAddress($0) })
  }
}
