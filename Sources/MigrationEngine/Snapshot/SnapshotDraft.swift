import PostgreSQL

/// A snapshot while it is put together: the objects of the catalog, and what is said of each.
struct SnapshotDraft {
  private let catalog: [CatalogAddress: CatalogObject]
  private let leftOut: Set<CatalogAddress>
  private(set) var objects: [SchemaObject.Name: SchemaObject] = [:]
  /// The names of the objects by their addresses.
  private(set) var names: [CatalogAddress: SchemaObject.Name] = [:]

  /// What is said of objects, by queries of ``PartQuery``; owners first.
  static let partQueries =
    [PartQuery.owners, PartQuery.columns, PartQuery.unwritten] + PartQuery.attached

  init(_ reader: CatalogReader) throws {
    let said: [[CatalogPart]]
    (catalog, said) = try reader.objectsAndParts(SnapshotDraft.partQueries)
    leftOut = try reader.leftOut()
    for object in catalog.values where object.part == nil && isKept(object.address) {
      let name = SchemaObject.Name(object)
      let parent = object.relation.flatMap { catalog[$0] }.map { SchemaObject.Name($0) }
      names[object.address] = name
      objects[name] = SchemaObject(name: name, parent: parent)
      objects[name]?.parts["definition"] = object.statements.first?.replacing(CatalogObject.mark, with: "")
    }
    // An index belongs to whom its table belongs.
    let owners = said[0].filter { catalog[$0.address].map { $0.kind != "index" } ?? false }
    let parts = catalog.values.compactMap(\.part) + owners + said.dropFirst().joined()
    let implied = try reader.implied(Set(parts.map(\.address)).subtracting(catalog.keys))
    for part in parts {
      var (address, name) = (part.address, part.name)
      if let found = implied[address] { (address, name) = (found.whole, "\(found.label): \(name)") }
      if let piece = catalog[address]?.part { (address, name) = (piece.address, "\(piece.name): \(name)") }
      guard isKept(address), let object = catalog[address] else { continue }
      objects[SchemaObject.Name(object)]?.parts[name] = part.value
    }
  }

  /// Whether neither an object nor the relation that it belongs to is left out.
  private func isKept(_ address: CatalogAddress) -> Bool {
    guard !leftOut.contains(address), let object = catalog[address] else { return false }
    return object.relation.map(isKept) ?? true
  }
}

extension SchemaObject.Name {
  init(_ object: CatalogObject) { self.init(kind: object.kind, identity: object.name) }
}

extension CatalogReader {
  /// What comes with other objects, as the index of a key does, or a function with its extension: with which,
  /// and as people name it.
  fileprivate func implied(
    _ addresses: Set<CatalogAddress>
  ) throws -> [CatalogAddress: (whole: CatalogAddress, label: String)] {
    if addresses.isEmpty { return [:] }
    let rows = try connection.query(
      """
      SELECT a.catalog, a.number, d.refclassid, d.refobjid, i.type || ' ' || i.identity
      FROM unnest($1::oid[], $2::oid[]) a (catalog, number), pg_identify_object(a.catalog, a.number, 0) i,
      LATERAL (SELECT refclassid, refobjid FROM pg_depend WHERE (classid, objid) = (a.catalog, a.number)
        AND deptype IN ('e', 'i', 'a') ORDER BY array_position(ARRAY['e', 'i', 'a'], deptype::text) LIMIT 1) d
      """, [.textArray(addresses.map(\.catalog)), .textArray(addresses.map(\.number))])
    return Dictionary(
      try rows.rows.map { (try CatalogAddress($0), (try CatalogAddress($0, at: 2), try $0.value(4))) },
      uniquingKeysWith: { $1 })
  }
}
