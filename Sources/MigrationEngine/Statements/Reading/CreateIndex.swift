import SQLText

/// CREATE INDEX.
struct CreateIndex: Sendable {
  /// Its name, where it is given one.
  let name: String?
  /// The table.
  let table: SQLName
  /// The token of the table's name.
  let tablePlace: Int
  /// It refuses two rows with the same values.
  let isUnique: Bool
  /// The columns it holds; what it holds of expressions is not among them.
  let columns: [String]
  /// Writers go on while it is built.
  let isConcurrent: Bool
  /// Of a partitioned table, nothing but the parent is touched.
  let isOnly: Bool

  /// Reads a statement; nil where it is another.
  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE") else { return nil }
    isUnique = cursor.take("UNIQUE")
    guard cursor.take("INDEX") else { return nil }
    isConcurrent = cursor.take("CONCURRENTLY")
    _ = cursor.take("IF", "NOT", "EXISTS")
    name = cursor.word == "ON" ? nil : cursor.name()
    guard cursor.take("ON") else { return nil }
    isOnly = cursor.take("ONLY")
    tablePlace = cursor.place
    guard let table = cursor.qualifiedName() else { return nil }
    self.table = table
    if cursor.take("USING") { cursor.place += 1 }
    columns = cursor.nameList()
  }
}
