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
}
