import PostgreSQL

extension ColumnChange {
  /// The table's number, the column and the new name as the catalog has them, and the session's search path.
  typealias Place = (table: String, column: String, new: String?, path: String)

  /// Where the change is, for names as the session understands them.
  ///
  /// - Throws: `MigrationError.unusableColumn`, and `PostgreSQLError`.
  func place(on connection: Connection) throws -> Place {
    var new: String?
    if case .rename(let name) = kind { new = name }
    do {
      let found = try connection.query(
        """
        SELECT to_regclass($1)::oid, (parse_ident($2))[1], (parse_ident($3))[1], current_setting('search_path'),
          cardinality(parse_ident($2)) = 1 AND coalesce(cardinality(parse_ident($3)) = 1, true)
        """, [.text(table), .text(column), new.map { .text($0) } ?? .null])[0]
      guard let table = found[0] else { throw unusable("there is no table \(table)") }
      guard try found.value(4) else { throw unusable("'\(new ?? column)' is not one name") }
      return (table, try found.value(1), found[2], try found.value(3))
    } catch PostgreSQLError.server(let error) where ["22023", "42602"].contains(error.sqlState) {
      throw unusable(error.message)
    }
  }

  func unusable(_ sentence: String) -> MigrationError { .unusableColumn("\(table).\(column)", sentence) }

  /// A value of either type can be made of one of the other, from nothing but the column.
  func requireValues(of column: ChangedColumn, on connection: Connection) throws {
    guard case .retype(let type, let using, let back) = kind else {
      return try requireNoDefault(column.type, connection)
    }
    let name = column.name
    func require(_ query: String, _ what: String) throws {
      do {
        _ = try connection.transaction { try connection.query(query) }
      } catch PostgreSQLError.server(let error) {
        throw unusable("\(what): \(error.message)")
      }
    }
    // Without a row, so that a domain which takes no NULL is none.
    try require("SELECT (NULL::text)::\(type) WHERE false", "'\(type)' is no type")
    for type in [column.type, type] { try requireNoDefault(type, connection) }
    let values = { (type: String, expression: String) in
      "SELECT \(expression) FROM (SELECT \(name) FROM (SELECT NULL::text) x (n), LATERAL (SELECT n::\(type) AS \(name)) y WHERE false) z"
    }
    if let using { try require(values(column.type.withoutCollation, using), "--using") }
    if let back { try require(values(type.withoutCollation, back), "--back") }
  }

  /// A column of the type has nothing of its own in it at first.
  private func requireNoDefault(_ type: String, _ connection: Connection) throws {
    let query =
      "SELECT typtype = 'd' AND (typdefault IS NOT NULL OR typnotnull) FROM pg_type WHERE oid = to_regtype($1)"
    let found = try connection.query(query, [.text(type.withoutCollation)]).first
    if found?[0] == "t" {
      throw unusable(
        "its type is a domain with a default or NOT NULL, so no column of it can be filled later")
    }
  }

  /// What the new column has where nothing is given; nil where the old one has no default.
  func defaultValue(of column: ChangedColumn) -> String? {
    guard let value = column.defaultValue, case .retype(let type, let using, _) = kind else {
      return column.defaultValue
    }
    guard let using, column.sequence == nil else { return "(\(value))::\(type)" }
    return RenamedColumn(column: column.name, replacement: "(\(value))").replaced(in: using)
  }
}

extension String {
  /// A type without what follows it in a column's definition.
  fileprivate var withoutCollation: String {
    firstRange(of: " COLLATE ").map { String(self[..<$0.lowerBound]) } ?? self
  }
}
