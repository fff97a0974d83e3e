import PostgreSQL

/// Reads the catalogs: first which objects there are, then what is said of each.
struct SnapshotReader {
  /// What the catalogs know an object by: the catalog's number and its own.
  private struct Address: Hashable {
    let catalog: Int
    let object: Int
  }

  private struct Found {
    let name: SchemaObject.Name
    /// The relation it belongs to.
    let parent: Address?
    /// It goes without saying, as the index of a key does, as long as nothing is said of it.
    let isImplied: Bool
  }

  let connection: Connection
  let leftOut: Set<String>
  let makers: Set<String>?

  func read() throws -> SchemaSnapshot {
    let isNested = connection.isInTransaction
    return try connection.transaction {
      // One moment for all queries, and none that writes.
      if !isNested { try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY") }
      let path = try connection.query("SELECT current_setting('search_path')")[0][0]
      try connection.execute(SnapshotReader.settings)
      let snapshot = try readAll()
      // Where the transaction is another's, it goes on.
      try connection.query("SELECT set_config('search_path', $1, true)", [Parameter(path)])
      return snapshot
    }
  }

  /// What the server's texts of definitions depend on: with an empty path every name is qualified.
  private static let settings = """
    SET LOCAL search_path = ''; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD';
    SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
    SET LOCAL quote_all_identifiers = off; SET LOCAL lc_monetary = 'C'; SET LOCAL statement_timeout = 0
    """

  private func readAll() throws -> SchemaSnapshot {
    let makers = Parameter.textArray(try makerNames())
    let found = kept(try objects(makers))
    var objects: [SchemaObject.Name: SchemaObject] = [:]
    for object in found.values where !object.isImplied {
      objects[object.name] = blank(object, among: found)
    }
    for query in SchemaQueries.all {
      for row in try connection.query(query, query.contains("$1") ? [makers] : []).rows {
        let address = Address(catalog: try row.value(0), object: try row.value(1))
        guard let object = found[address] else { continue }
        if let relation = try row.optional(5, Int.self),
          found[Address(catalog: SchemaQueries.relationCatalog, object: relation)] == nil
        {
          continue
        }
        let part = SchemaObject.Part(isMember: try row.value(3), value: row[4] ?? "")
        guard part.isMember || !part.value.isEmpty else { continue }
        objects[object.name, default: blank(object, among: found)].parts[try row.value(2)] = part
      }
    }
    return SchemaSnapshot(objects: objects)
  }

  private func makerNames() throws -> [String] {
    if let makers { return makers.sorted() }
    return try connection.query("SELECT current_user").rows.compactMap { $0[0] }
  }

  private func blank(_ object: Found, among found: [Address: Found]) -> SchemaObject {
    SchemaObject(
      name: object.name, parent: object.parent.flatMap { found[$0]?.name }, isImplied: object.isImplied)
  }

  private func objects(_ makers: Parameter) throws -> [Address: Found] {
    var found: [Address: Found] = [:]
    for row in try connection.query(SchemaQueries.objects, [makers, .textArray(leftOut.sorted())]).rows {
      let parent = try row.optional(4, Int.self).map {
        Address(catalog: SchemaQueries.relationCatalog, object: $0)
      }
      found[Address(catalog: try row.value(0), object: try row.value(1))] = Found(
        name: SchemaObject.Name(kind: try row.value(2), identity: try row.value(3)), parent: parent,
        isImplied: try row.value(5))
    }
    return found
  }

  /// Those whose relation is kept, and its own relation.
  private func kept(_ all: [Address: Found]) -> [Address: Found] {
    func isKept(_ object: Found) -> Bool {
      guard let parent = object.parent else { return true }
      guard let relation = all[parent] else { return false }
      return isKept(relation)
    }
    return all.filter { isKept($0.value) }
  }
}
