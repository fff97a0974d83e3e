import SQLText

/// CREATE VIEW and CREATE MATERIALIZED VIEW.
struct CreateView: Sendable {
  /// The view.
  let name: SQLName
  /// It holds rows of its own.
  let isMaterialised: Bool
  /// It lives no longer than the session.
  let isTemporary: Bool
  /// The tokens of its query.
  let query: Range<Int>

  /// Reads a statement; nil where it is another.
  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    guard cursor.take("CREATE") else { return nil }
    let kinds = cursor.place
    _ = cursor.take("OR", "REPLACE")
    cursor.skip(["TEMP", "TEMPORARY", "RECURSIVE", "MATERIALIZED"])
    let words = statement.words[kinds..<cursor.place]
    guard cursor.take("VIEW") else { return nil }
    _ = cursor.take("IF", "NOT", "EXISTS")
    guard let name = cursor.qualifiedName() else { return nil }
    self.name = name
    isMaterialised = words.contains("MATERIALIZED")
    isTemporary = words.contains { $0.hasPrefix("TEMP") }
    while let word = cursor.word, word != "AS" { cursor.skipItem() }
    query = min(cursor.place + 1, cursor.end)..<cursor.end
  }
}
