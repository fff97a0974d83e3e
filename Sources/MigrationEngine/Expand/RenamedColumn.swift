import SQLText

/// SQL in which one column is named otherwise.
struct RenamedColumn {
  /// As it is in the text, quoted where it has to be.
  let column: String
  let replacement: String

  /// The text with the column's name replaced where it is one: not as a function, a type, a keyword, or a part
  /// of another name.
  func replaced(in sql: String) -> String {
    var lexer = SQLLexer(sql)
    var tokens: [(kind: SQLToken.Kind, text: String)] = []
    while let token = lexer.next() { tokens.append((token.kind, lexer.text(token.range))) }
    let solid = tokens.indices.filter { tokens[$0].kind != .blank && tokens[$0].kind != .comment }
    let words = solid.map { tokens[$0].text.uppercased() }
    for (place, index) in solid.enumerated() where isColumn(tokens[index]) {
      let before = words[..<place].suffix(2)
      let after = place + 1 < words.count ? words[place + 1] : ""
      if [".", ":", "NULLS", "AS", "COLLATE"].contains(before.last) || [".", "("].contains(after) {
        continue
      }
      // EXTRACT(year FROM ...)
      if after == "FROM", before.elementsEqual(["EXTRACT", "("]) { continue }
      tokens[index].text = replacement
    }
    return tokens.map(\.text).joined()
  }

  private func isColumn(_ token: (kind: SQLToken.Kind, text: String)) -> Bool {
    switch token.kind {
    case .word: token.text.lowercased() == column
    case .quote: token.text == column || token.text == "\"\(column)\""
    default: false
    }
  }
}
