/// What can be known of SQL without a server.
public enum SQLStatements {
  /// The SQL without comments, every run of blanks one blank, and the rows of COPY as they are: what decides
  /// whether a text has changed.
  public static func normalised(_ sql: String) -> String {
    var lexer = SQLLexer(sql)
    var output = ""
    var pendingBlank = false
    var outline = SQLOutline()
    while let token = lexer.next() {
      if token.kind == .comment || token.kind == .blank {
        pendingBlank = true
        continue
      }
      if pendingBlank && !output.isEmpty { output += " " }
      pendingBlank = false
      output += lexer.text(token.range)
      guard token.kind == .semicolon && !outline.isOpen else {
        outline.take(token, lexer)
        continue
      }
      if outline.readsStandardInput { output += rows(&lexer) }
      outline = SQLOutline()
    }
    return output
  }

  /// The rows behind a COPY, which is the last on its line; their line ends are one and the same.
  private static func rows(_ lexer: inout SQLLexer) -> String {
    var ahead = lexer
    _ = ahead.skipLine()
    guard let rows = ahead.skipRows() else { return "" }
    lexer = ahead
    return "\n" + lexer.text(rows).replacing("\r\n", with: "\n")
  }
}
