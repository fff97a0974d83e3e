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
  public static func leadingWords(_ sql: String) -> [String] {
    var lexer = SQLLexer(sql)
    var words: [String] = []
    var atStart = true
    while let token = lexer.next() {
      switch token.kind {
      case .comment, .blank: continue
      case .semicolon: atStart = true
      case .word:
        if atStart { words.append(lexer.text(token.range).uppercased()) }
        atStart = false
      case .quote, .mark: atStart = false
      }
    }
    return words
  }
}
