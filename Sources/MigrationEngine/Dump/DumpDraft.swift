import PostgreSQL

/// A dump while it is put together.
struct DumpDraft {
  private let reader: CatalogReader
  private var objects: [CatalogAddress: CatalogObject]
  private var dependencies: DumpDependencies
  private var tables: [CatalogAddress: TableDraft] = [:]
  /// What is left out without a word, with everything that belongs to it.
  private var leftOut: Set<CatalogAddress>
  private var omissions: [String] = []

  /// Reads objects and dependencies.
  init(_ reader: CatalogReader) throws {
    self.reader = reader
    objects = try reader.objects().filter { $1.part == nil || !$1.statements.isEmpty }
    dependencies = try DumpDependencies(reader.connection)
    leftOut = try reader.leftOut()
    for placeholder in ObjectKind.all.compactMap(\.placeholder) {
      let stubs = "SELECT q.catalog::oid, q.number, q.sql FROM (\(placeholder)) q (catalog, number, sql)"
      for row in try reader.connection.query(stubs).rows {
        objects[try CatalogAddress(row)]?.placeholder = row[2]
      }
    }
    try leaveOut()
  }

  /// Whether there is a schema `public`, as a new database has.
  var hasPublicSchema: Bool { objects.values.contains { $0.label == "schema public" } }

  // MARK: What is left out

  /// Leaves out what was asked for, and indexes that are not valid.
  private mutating func leaveOut() throws {
    let rows = try reader.connection.query(
      """
      SELECT 'pg_class'::regclass::oid, c.oid, nspname !~ '^pg_temp' AND nspname <> 'rivulet'
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname ~ '^pg_temp' OR nspname = 'rivulet'
        OR relkind = 'i' AND EXISTS (SELECT FROM pg_index WHERE indexrelid = c.oid AND NOT indisvalid)
      UNION ALL SELECT 'pg_proc'::regclass, oid, false FROM pg_proc WHERE pronamespace = to_regnamespace('rivulet')
      UNION ALL SELECT 'pg_namespace'::regclass, oid, false FROM pg_namespace WHERE nspname = 'rivulet'
      """
    ).rows
    let broken = try rows.filter { try $0.value(2) }.map { try CatalogAddress($0) }
    leftOut.formUnion(broken)
    for address in leftOut { objects[address] = nil }
    spreadLeavingOut(beside: Set(try rows.map { try CatalogAddress($0) }).subtracting(broken))
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

  /// Writes columns, defaults and constraints within their tables, unless what they need needs the table.
  mutating func mergeParts() throws {
    for column in try reader.parts([PartQuery.columns], withSQL: true)[0] where column.sql != nil {
      tables[column.address, default: TableDraft()].add(column)
    }
    var needs = Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
    for object in objects.values.sorted(by: CatalogObject.precedes) {
      guard let part = object.part, part.sql != nil, objects[part.address] != nil,
        !DumpDraft.needsItsTable(object.address, part.address, needs)
      else { continue }
      tables[part.address, default: TableDraft()].add(part)
      objects[object.address] = nil
      dependencies.merge(object.address, into: part.address)
      needs[part.address, default: []] += (needs.removeValue(forKey: object.address) ?? []).filter {
        $0 != part.address
      }
    }
    for (address, object) in objects where object.statements.first?.contains(CatalogObject.mark) == true {
      let draft = tables[address] ?? TableDraft()
      objects[address]?.statements = object.statements.map(draft.filled)
    }
  }

  private static func needsItsTable(
    _ part: CatalogAddress, _ table: CatalogAddress, _ needs: [CatalogAddress: [CatalogAddress]]
  ) -> Bool {
    var open = (needs[part] ?? []).filter { $0 != table }
    var seen: Set<CatalogAddress> = []
    while let next = open.popLast() {
      if next == table { return true }
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

  /// Adds what is said of objects after they are made, such as settings, privileges and comments, in an
  /// order that numbers of the catalog have no say in.
  mutating func attach() throws {
    for parts in try reader.parts(PartQuery.attached, withSQL: true) {
      let statements = parts.map { (place: $0.place, sql: $0.sql ?? "", address: $0.address) }
      for (_, statement, address) in statements.sorted(by: { ($0.place, $0.sql) < ($1.place, $1.sql) }) {
        guard let place = resolve(address) else {
          omissions.append("left out, since its object is not written: \(statement.prefix { !$0.isNewline })")
          continue
        }
        objects[place]?.statements.append(statement)
      }
    }
  }

  /// The objects in order, and what has to be reported.
  func written() throws -> (objects: [CatalogObject], omissions: [String]) {
    var order = DumpOrder(Array(objects.values), needs: pairs)
    let (sorted, torn) = order.sorted()
    let circles = torn.map {
      "\($0.label) is in a circle of dependencies: look whether the dump can be replayed"
    }
    return (sorted, (omissions + circles + (try DumpOmissions.all(reader.connection))).sorted())
  }
}
