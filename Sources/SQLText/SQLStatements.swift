/// What can be told of SQL without a server.
public enum SQLStatements {
  /// The SQL without comments, every run of blanks one blank: what decides whether a text has changed.
  public static func normalised(_ sql: String) -> String {
    var lexer = SQLLexer(sql)
    var output = ""
    var pendingBlank = false
    while let token = lexer.next() {
      if token.kind == .comment || token.kind == .blank {
        pendingBlank = true
        continue
      }
      if pendingBlank && !output.isEmpty { output += " " }
      pendingBlank = false
      output += lexer.text(token.range)
    }
    return output
  }

  /// The first word of each statement, in upper case; statements that begin with something else are left out.
  ///
  /// The body of a function between `BEGIN ATOMIC` and its `END` belongs to the statement that makes it.
  public static func leadingWords(_ sql: String) -> [String] {
    var lexer = SQLLexer(sql)
    var words: [String] = []
    var atStart = true
    var previous = ""
    var depth = 0
    while let token = lexer.next() {
      switch token.kind {
      case .comment, .blank: continue
      case .semicolon: atStart = depth == 0
      case .word:
        let word = lexer.text(token.range).uppercased()
        if atStart { words.append(word) }
        atStart = false
        // Inside a body, END also closes CASE.
        if word == "ATOMIC" && previous == "BEGIN" || depth > 0 && word == "CASE" { depth += 1 }
        if depth > 0 && word == "END" { depth -= 1 }
        previous = word
        continue
      case .quote, .mark: atStart = false
      }
      previous = ""
    }
    return words
  }
}
