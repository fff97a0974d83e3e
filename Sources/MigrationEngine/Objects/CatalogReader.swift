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
    let settings = settings("LOCAL ", makers: makers, leavingOut: relations)
    let lent = { try body(CatalogReader(connection: connection, members: try extensionMembers(connection))) }
    guard connection.isInTransaction else {
      return try connection.transaction(settings: moment + settings, lent)
    }
    let path: String = try connection.query("SELECT current_setting('search_path')")[0].value(0)
    return try connection.transaction(
      settings: settings,
      closing: { "SELECT set_config('search_path', \(Quote.literal(path)), true)" },
      lent)
  }

  /// What begins a transaction that changes nothing and sees one moment.
  static let moment = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;"

  /// The settings of a reader, with `LOCAL ` or nothing behind SET.
  ///
  /// The server's texts of definitions depend on them: with an empty path every name is qualified. The planner
  /// fears too many rows in the catalogs, and compiling a query would take longer than running it.
  static func settings(
    _ scope: String, makers: Set<String>, leavingOut relations: Set<String> = []
  ) -> String {
    let lists = [makers, relations].map { Quote.literal(Parameter.textArray($0.sorted()).textForm) }
    return """
      SET \(scope)search_path = ''; SET \(scope)timezone = 'UTC'; SET \(scope)datestyle = 'ISO, YMD';
      SET \(scope)intervalstyle = 'postgres'; SET \(scope)bytea_output = 'hex'; SET \(scope)extra_float_digits = 1;
      SET \(scope)quote_all_identifiers = off; SET \(scope)lc_monetary = 'C'; SET \(scope)statement_timeout = 0;
      SET \(scope)jit = off; SET \(scope)rivulet.makers = \(lists[0]); SET \(scope)rivulet.left_out = \(lists[1])
      """
  }

  /// The objects of every kind.
  func objects() throws -> [CatalogAddress: CatalogObject] { try objectsAndParts([]).objects }

  /// The objects of every kind and what is said of them by queries of ``PartQuery``, in one round trip.
  func objectsAndParts(_ queries: [String]) throws
    -> (objects: [CatalogAddress: CatalogObject], parts: [[CatalogPart]])
  {
    var objects: [CatalogAddress: CatalogObject] = [:]
    let kinds = ObjectKind.readings.enumerated().filter { few?.mayHave(in: $0.element.catalog) ?? true }
    let answers = try self.answers(
      to: kinds.map(\.element.statement) + queries.map { CatalogReader.statement($0) })
    for ((rank, reading), answer) in zip(kinds, answers) {
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
          address: address, phase: reading.kind.phase, rank: rank, kind: row[3] ?? "object",
          name: try row.value(4),
          relation: relation, part: part, statements: row[2].map { [$0] } ?? [])
      }
    }
    return (objects, try parts(queries, answers.dropFirst(kinds.count)))
  }

  /// What is said of objects, by queries of ``PartQuery``; their SQL costs nothing where nobody wants it.
  func parts(_ queries: [String], withSQL: Bool = false) throws -> [[CatalogPart]] {
    try parts(queries, answers(to: queries.map { CatalogReader.statement($0, withSQL: withSQL) })[...])
  }

  private func parts(_ queries: [String], _ answers: ArraySlice<ResultSet>) throws -> [[CatalogPart]] {
    try zip(queries, answers).map { query, answer in
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
    let sent = statements.map { few?.queries[$0] ?? $0 }.joined(separator: ";")
    return try connection.answers(to: (few?.choice ?? "") + sent).suffix(statements.count)
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
