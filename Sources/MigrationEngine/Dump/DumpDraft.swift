import PostgreSQL

/// A dump while it is put together.
struct DumpDraft {
  private let connection: Connection
  private var objects: [CatalogAddress: DumpedObject] = [:]
  private var dependencies: DumpDependencies
  private var tables: [CatalogAddress: TableDraft] = [:]
  /// What is left out without a word, with everything that belongs to it.
  private var leftOut: Set<CatalogAddress>
  private var omissions: [String] = []

  /// Reads objects and dependencies.
  init(_ connection: Connection, leavingOut relations: Set<String>) throws {
    self.connection = connection
    dependencies = try DumpDependencies(connection)
    leftOut = []
    for (rank, kind) in DumpKind.all.enumerated() { try read(kind, rank) }
    try leaveOut(relations)
  }

  /// Whether there is a schema `public`, as a new database has.
  func hasPublicSchema() throws -> Bool {
    try connection.query("SELECT to_regnamespace('public') IS NOT NULL")[0].value(0)
  }

  // MARK: Objects

  private mutating func read(_ kind: DumpKind, _ rank: Int) throws {
    let rows = try connection.query(DumpDraft.identified(kind.sql))
    for row in rows.rows {
      let address = try DumpDraft.address(row)
      let name: String = try row.value(4)
      objects[address] = DumpedObject(
        address: address, phase: kind.phase, rank: rank, name: name, label: "\(row[3] ?? "object") \(name)",
        statements: row[2].map { [$0] } ?? [])
    }
    guard let placeholder = kind.placeholder else { return }
    let stubs = "SELECT q.catalog::oid, q.number, q.sql FROM (\(placeholder)) q (catalog, number, sql)"
    for row in try connection.query(stubs).rows {
      objects[try DumpDraft.address(row)]?.placeholder = row[2]
    }
  }

  /// The objects of a kind with their names, without those of the server, of extensions, and those that come
  /// with another, such as the functions of a range type.
  private static func identified(_ query: String) -> String {
    """
    SELECT q.classid::oid, q.objid, q.sql, i.type, i.identity FROM (\(query)) q
    CROSS JOIN LATERAL pg_identify_object(CASE WHEN q.classid IN ('pg_inherits'::regclass, 'pg_sequence'::regclass,
      'pg_index'::regclass) THEN 'pg_class'::regclass ELSE q.classid END, q.objid, 0) i
    WHERE (q.objid >= 16384 OR q.classid = 'pg_namespace'::regclass)
      AND (i.schema IS NULL OR i.schema !~ '^pg_' AND i.schema NOT IN ('information_schema', 'rivulet'))
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = q.classid AND d.objid = q.objid AND d.deptype IN ('e', CASE WHEN
        q.classid IN ('pg_proc'::regclass, 'pg_cast'::regclass) THEN 'i' ELSE 'e' END))
    """
  }

  private static func address(_ row: Row) throws -> CatalogAddress {
    CatalogAddress(catalog: try row.value(0), number: try row.value(1))
  }

  // MARK: What is left out

  private mutating func leaveOut(_ relations: Set<String>) throws {
    let rows = try connection.query(
      """
      SELECT 'pg_class'::regclass::oid, c.oid, nspname || '.' || relname = ANY ($1)
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname || '.' || relname = ANY ($1) OR nspname ~ '^pg_temp' OR nspname = 'rivulet'
      UNION ALL SELECT 'pg_proc'::regclass, oid, false FROM pg_proc WHERE pronamespace = to_regnamespace('rivulet')
      UNION ALL SELECT 'pg_namespace'::regclass, oid, false FROM pg_namespace WHERE nspname = 'rivulet'
      """, [.textArray(relations.sorted())])
    var others: Set<CatalogAddress> = []
    for row in rows.rows {
      let address = try DumpDraft.address(row)
      if try row.value(2) { leftOut.insert(address) } else { others.insert(address) }
    }
    for address in leftOut { objects[address] = nil }
    spreadLeavingOut(beside: others)
  }

  /// What belongs to something left out goes with it; what needs it cannot be made and is reported. What
  /// needs the schema `rivulet` can be made where that is.
  private mutating func spreadLeavingOut(beside others: Set<CatalogAddress>) {
    while true {
      // Pieces first: they are not reported.
      let pieces = hanging(.belongs, others) { leftOut.contains($0) || others.contains($0) }
      let needy = pieces.isEmpty ? hanging(.needs, others, on: leftOut.contains) : []
      if pieces.isEmpty && needy.isEmpty { break }
      for address in needy {
        guard let label = objects[address]?.label else { continue }
        omissions.append("\(label) is left out, since it needs something that is left out")
      }
      for address in pieces.union(needy) { leaveOut(address) }
    }
    leftOut.formUnion(others)
  }

  private mutating func leaveOut(_ address: CatalogAddress) {
    objects[address] = nil
    leftOut.insert(address)
  }

  /// The objects that hang by such a bond on something left out.
  private func hanging(
    _ bond: DumpDependencies.Bond, _ others: Set<CatalogAddress>, on isLeftOut: (CatalogAddress) -> Bool
  ) -> Set<CatalogAddress> {
    var found: Set<CatalogAddress> = []
    for edge in dependencies.edges where edge.bond == bond {
      guard let from = resolve(edge.from, besides: others), objects[from] != nil,
        let to = resolve(edge.to, besides: others), isLeftOut(to)
      else { continue }
      found.insert(from)
    }
    return found
  }

  private func resolve(_ address: CatalogAddress, besides others: Set<CatalogAddress> = []) -> CatalogAddress?
  {
    dependencies.resolve(address) {
      objects[$0] != nil || leftOut.contains($0) || others.contains($0)
    }
  }

  // MARK: Tables

  /// Writes defaults and constraints within their tables, unless what they need needs the table.
  mutating func mergeParts() throws {
    for row in try connection.query(TableQueries.columns).rows {
      let number: Int = try row.value(1)
      tables[relation(try row.value(0)), default: TableDraft()].add(column: number, try row.value(2))
    }
    var needs = Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
    for row in try connection.query(TableQueries.parts).rows {
      let part = TablePart(
        address: try DumpDraft.address(row), table: relation(try row.value(2)), column: try row.optional(3),
        text: try row.value(4))
      guard objects[part.address] != nil, objects[part.table] != nil, !DumpDraft.needsItsTable(part, needs)
      else { continue }
      tables[part.table, default: TableDraft()].add(part)
      objects[part.address] = nil
      dependencies.merge(part.address, into: part.table)
      needs[part.table, default: []] += (needs.removeValue(forKey: part.address) ?? []).filter {
        $0 != part.table
      }
    }
    for (address, object) in objects where object.statements.first?.contains(TableDraft.mark) == true {
      let draft = tables[address] ?? TableDraft()
      objects[address]?.statements = object.statements.map(draft.filled)
    }
  }

  private func relation(_ number: String) -> CatalogAddress {
    CatalogAddress(catalog: DumpDraft.relations, number: number)
  }

  /// The number of `pg_class` in itself, the same on every server.
  private static let relations = "1259"

  private static func needsItsTable(_ part: TablePart, _ needs: [CatalogAddress: [CatalogAddress]]) -> Bool {
    var open = (needs[part.address] ?? []).filter { $0 != part.table }
    var seen: Set<CatalogAddress> = []
    while let next = open.popLast() {
      if next == part.table { return true }
      if seen.insert(next).inserted { open += needs[next] ?? [] }
    }
    return false
  }

  // MARK: The whole

  /// Which object needs which.
  private var pairs: [(CatalogAddress, CatalogAddress)] {
    dependencies.edges.compactMap { edge in
      guard let from = resolve(edge.from), let to = resolve(edge.to), from != to else { return nil }
      return (from, to)
    }
  }

  /// Adds what is said of objects after they are made: settings, privileges, comments.
  mutating func attach() throws {
    for query in AttachedStatements.all {
      for (address, statement) in try attached(query) {
        guard let place = resolve(address) else {
          omissions.append("left out, since its object is not written: \(statement.prefix { !$0.isNewline })")
          continue
        }
        objects[place]?.statements.append(statement)
      }
    }
  }

  /// Statements in an order that numbers of the catalog have no say in.
  private func attached(_ query: String) throws -> [(CatalogAddress, String)] {
    let rows = try connection.query(
      "SELECT q.catalog::oid, q.number, q.place, q.sql FROM (\(query)) q (catalog, number, place, sql)"
    ).rows.map { row in
      (try DumpDraft.address(row), try row.value(2, Int.self), try row.value(3, String.self))
    }
    return rows.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map { ($0.0, $0.2) }
  }

  /// The objects in order, and what has to be reported.
  func written() throws -> (objects: [DumpedObject], omissions: [String]) {
    var order = DumpOrder(Array(objects.values), needs: pairs)
    let (sorted, torn) = order.sorted()
    let circles = torn.map {
      "\($0.label) is in a circle of dependencies: look whether the dump can be replayed"
    }
    return (sorted, (omissions + circles + (try DumpOmissions.all(connection))).sorted())
  }
}
