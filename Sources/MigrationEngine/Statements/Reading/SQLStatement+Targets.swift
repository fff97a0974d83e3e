import SQLText

extension SQLStatement {
  /// The objects that it makes, changes, drops, describes or fills, with the tokens of their names.
  ///
  /// Objects that cannot have a schema (roles, extensions, the index that CREATE INDEX makes) are left out,
  /// and temporary tables.
  var targets: [(name: SQLName, place: Int)] {
    var cursor = SQLCursor(self)
    switch keyword {
    case "CREATE", "ALTER", "DROP": return named(&cursor)
    case "COMMENT": return described(&cursor)
    case "INSERT", "UPDATE", "DELETE", "TRUNCATE":
      return DataChange(self).map { [($0.table, $0.place)] } ?? []
    case "COPY":
      cursor.place = 1
      return cursor.word == "(" ? [] : cursor.target()
    default: return []
    }
  }

  /// Whether it makes, changes or drops a trigger, a policy or a rule.
  var hangsOnTable: Bool { objectKind.map(SQLStatement.onTable.contains) ?? false }

  /// What CREATE, ALTER or DROP is about: `TABLE`, `TRIGGER`.
  var objectKind: String? {
    var cursor = SQLCursor(self)
    return cursor.objectKind()
  }

  private static let kinds: Set<String> = [
    "TABLE", "VIEW", "FUNCTION", "PROCEDURE", "ROUTINE", "AGGREGATE", "TYPE", "DOMAIN", "SEQUENCE", "INDEX",
    "COLLATION", "STATISTICS",
  ]
  private static let onTable: Set<String> = ["TRIGGER", "POLICY", "RULE"]

  private func named(_ cursor: inout SQLCursor) -> [(name: SQLName, place: Int)] {
    guard let kind = cursor.objectKind() else { return [] }
    if SQLStatement.onTable.contains(kind) { return tableAfterOn(&cursor, kind) }
    if keyword == "CREATE", kind == "INDEX" {
      return CreateIndex(self).map { [($0.table, $0.tablePlace)] } ?? []
    }
    guard SQLStatement.kinds.contains(kind) else { return [] }
    cursor.skip(["CONCURRENTLY", "IF", "NOT", "EXISTS", "ONLY"])
    guard keyword == "DROP" else { return cursor.target() }
    return cursor.pieces().flatMap { piece in
      var cursor = SQLCursor(self, piece)
      return cursor.target()
    }
  }

  private func described(_ cursor: inout SQLCursor) -> [(name: SQLName, place: Int)] {
    guard cursor.take("COMMENT", "ON") else { return [] }
    cursor.take("MATERIALIZED")
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
    cursor.take(word)
    // A constraint of a domain.
    return cursor.word == "DOMAIN" ? [] : cursor.target()
  }
}

extension SQLCursor {
  /// Takes CREATE, ALTER or DROP with the kind of object behind it.
  fileprivate mutating func objectKind() -> String? {
    guard take("CREATE") || take("ALTER") || take("DROP") else { return nil }
    skip(["OR", "REPLACE", "UNLOGGED", "FOREIGN", "MATERIALIZED", "RECURSIVE", "UNIQUE", "CONSTRAINT"])
    defer { place += 1 }
    return word
  }

  fileprivate mutating func target() -> [(name: SQLName, place: Int)] {
    let start = place
    return qualifiedName().map { [($0, start)] } ?? []
  }
}
