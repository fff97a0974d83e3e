import PostgreSQL

/// What makes each object of a schema, and each column and constraint of a table by itself.
struct SchemaStatements {
  /// The objects with their statements, those first that others need.
  let objects: [(name: SchemaObject.Name, statements: [String])]
  /// The lines of tables, by what a snapshot calls them: `column fee`, `constraint fee_is_positive`.
  private let lines: [SchemaObject.Name: [String: String]]
  /// What is said of objects after they are made, such as privileges and comments, by what a snapshot calls it.
  private let attached: [SchemaObject.Name: [String: String]]

  /// Reads a database; relations named as `schema.name` are left out with everything that is theirs.
  init(of connection: Connection, leavingOut relations: Set<String> = []) throws {
    (objects, lines, attached) = try CatalogReader.lend(on: connection, leavingOut: relations) { reader in
      let catalog = try reader.objects()
      let columns = try reader.parts([PartQuery.columns], withSQL: true)[0]
      let more = try reader.parts(PartQuery.attached, withSQL: true).flatMap { $0 }
      let byObject = { (parts: [CatalogPart]) in
        var found: [SchemaObject.Name: [String: String]] = [:]
        for part in parts {
          guard let object = catalog[part.address], let sql = part.sql else { continue }
          found[SchemaObject.Name(object), default: [:]][part.name] = sql
        }
        return found
      }
      var draft = try DumpDraft(reader)
      try draft.mergeParts()
      try draft.attach()
      return (
        try draft.written().objects.map { (SchemaObject.Name($0), $0.statements) },
        byObject(columns + catalog.values.compactMap(\.part)), byObject(more)
      )
    }
  }

  /// What adds a column or a constraint to a table; nil where it is neither.
  func addition(of part: String, to table: SchemaObject.Name) -> String? {
    lines[table]?[part].map { line in
      // A default is a thing of its own, and goes with its column.
      "ALTER TABLE \(table.identity) ADD \(line)" + (lines[table]?["\(part): default"] ?? "")
    }
  }

  /// What gives an object a privilege, a comment or the like, by what a snapshot calls it.
  func attachment(_ part: String, of name: SchemaObject.Name) -> String? { attached[name]?[part] }

  /// What makes an object.
  func statements(of name: SchemaObject.Name) -> [String]? { objects.first { $0.name == name }?.statements }
}
