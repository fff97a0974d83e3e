import SQLText

extension SQLStatement {
  /// The objects that it makes, changes, drops, describes or fills, with the tokens of their names.
  ///
  /// Objects that cannot have a schema (roles, extensions, the index that CREATE INDEX makes) are left out,
  /// and temporary tables.
  var targets: [(name: SQLName, place: Int)] {
    var cursor = SQLCursor(self)
    switch words.first {
    case "CREATE": return created(&cursor)
    case "ALTER", "DROP": return changed(&cursor)
    case "COMMENT": return described(&cursor)
    case "INSERT", "UPDATE", "DELETE", "TRUNCATE":
      guard let change = DataChange(self) else { return [] }
      return [(change.table, change.place)]
    case "COPY":
      cursor.place = 1
      return cursor.word == "(" ? [] : cursor.target()
    default: return []
    }
  }

  private static let kinds: Set<String> = [
    "TABLE", "VIEW", "FUNCTION", "PROCEDURE", "ROUTINE", "AGGREGATE", "TYPE", "DOMAIN", "SEQUENCE", "INDEX",
    "COLLATION",
    "STATISTICS",
  ]
  private static let onTable: Set<String> = ["TRIGGER", "POLICY", "RULE"]

  private func created(_ cursor: inout SQLCursor) -> [(name: SQLName, place: Int)] {
    _ = cursor.take("CREATE")
    cursor.skip(["OR", "REPLACE", "UNLOGGED", "FOREIGN", "MATERIALIZED", "RECURSIVE", "UNIQUE", "CONSTRAINT"])
    guard let kind = cursor.word else { return [] }
    cursor.place += 1
    if SQLStatement.onTable.contains(kind) { return tableAfterOn(&cursor, kind) }
    if kind == "INDEX" { return CreateIndex(self).map { [($0.table, $0.tablePlace)] } ?? [] }
    guard SQLStatement.kinds.contains(kind) else { return [] }
    _ = cursor.take("IF", "NOT", "EXISTS")
    return cursor.target()
  }

  private func changed(_ cursor: inout SQLCursor) -> [(name: SQLName, place: Int)] {
    let isDrop = cursor.word == "DROP"
    cursor.place += 1
    cursor.skip(["FOREIGN", "MATERIALIZED"])
    guard let kind = cursor.word else { return [] }
    cursor.place += 1
    if SQLStatement.onTable.contains(kind) { return tableAfterOn(&cursor, kind) }
    guard SQLStatement.kinds.contains(kind) else { return [] }
    _ = cursor.take("CONCURRENTLY")
    _ = cursor.take("IF", "EXISTS")
    _ = cursor.take("ONLY")
    guard isDrop else { return cursor.target() }
    return cursor.pieces().flatMap { piece in
      var cursor = SQLCursor(self, piece)
      return cursor.target()
    }
  }

  private func described(_ cursor: inout SQLCursor) -> [(name: SQLName, place: Int)] {
    guard cursor.take("COMMENT", "ON") else { return [] }
    _ = cursor.take("MATERIALIZED")
    guard let kind = cursor.word else { return [] }
    cursor.place += 1
    if kind == "COLUMN" {
      let place = cursor.place
      guard let parts = cursor.nameParts(), parts.count == 2 else { return [] }
      return [(SQLName(parts[0]), place)]
    }
    if SQLStatement.onTable.contains(kind) || kind == "CONSTRAINT" { return tableAfterOn(&cursor, kind) }
    return SQLStatement.kinds.contains(kind) ? cursor.target() : []
  }

  private func tableAfterOn(_ cursor: inout SQLCursor, _ kind: String) -> [(name: SQLName, place: Int)] {
    // CREATE RULE says ON for the event, and TO for the table.
    let word = kind == "RULE" && words.first == "CREATE" ? "TO" : "ON"
    while let here = cursor.word, here != word { cursor.place += 1 }
    _ = cursor.take(word)
    // A constraint of a domain.
    return cursor.word == "DOMAIN" ? [] : cursor.target()
  }
}

extension SQLCursor {
  fileprivate mutating func target() -> [(name: SQLName, place: Int)] {
    let start = place
    return qualifiedName().map { [($0, start)] } ?? []
  }
}
