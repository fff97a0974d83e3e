import SQLText

/// INSERT, UPDATE, DELETE or TRUNCATE at the head of a statement.
struct DataChange: Sendable {
  /// The command in upper case.
  let verb: String
  /// The table.
  let table: SQLName
  /// The token of its name.
  let place: Int
  /// Whether it has a WHERE of its own.
  let hasWhere: Bool
  /// Whether its rows come from other tables.
  let readsTables: Bool

  /// Reads a statement; nil where it is another.
  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    verb = cursor.word ?? ""
    switch verb {
    case "INSERT": guard cursor.take("INSERT", "INTO") else { return nil }
    case "UPDATE": cursor.place += 1
    case "DELETE": guard cursor.take("DELETE", "FROM") else { return nil }
    case "TRUNCATE":
      cursor.place += 1
      _ = cursor.take("TABLE")
    default: return nil
    }
    _ = cursor.take("ONLY")
    place = cursor.place
    guard let table = cursor.qualifiedName() else { return nil }
    self.table = table
    var outside: Set<String> = []
    while let word = cursor.word {
      outside.insert(word)
      cursor.skipItem()
    }
    hasWhere = outside.contains("WHERE")
    readsTables = outside.contains("FROM") || outside.contains("TABLE")
  }
}
