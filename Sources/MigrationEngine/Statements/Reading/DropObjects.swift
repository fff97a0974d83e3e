import SQLText

/// DROP of tables, views and what else has a name.
struct DropObjects: Sendable {
  /// The kind in upper case: `TABLE`, `MATERIALIZED VIEW`.
  let kind: String
  /// What is dropped.
  let names: [SQLName]
  /// Nobody is kept waiting for it.
  let isConcurrent: Bool
  /// What depends on them goes too.
  let isCascade: Bool

  /// Reads a statement; nil where it is another.
  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("DROP"), let first = cursor.word else { return nil }
    cursor.place += 1
    kind = first == "MATERIALIZED" || first == "FOREIGN" ? first + " " + (cursor.word ?? "") : first
    if kind != first { cursor.place += 1 }
    isConcurrent = cursor.take("CONCURRENTLY")
    _ = cursor.take("IF", "EXISTS")
    isCascade = statement.words.last == "CASCADE"
    names = cursor.pieces().compactMap { piece in
      var cursor = SQLCursor(statement, piece)
      return cursor.qualifiedName()
    }
  }
}
