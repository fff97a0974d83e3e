/// What can be known of SQL without a server.
public enum SQLStatements {
  /// The SQL without comments, every run of blanks one blank, and the rows of COPY as they are: what decides
  /// whether a text has changed.
  public static func normalised(_ sql: String) -> String {
    var output: [UInt8] = []
    appendNormalised(sql, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// The same as bytes, behind others.
  public static func appendNormalised(_ sql: String, to output: inout [UInt8]) {
    output.reserveCapacity(output.count + sql.utf8.count)
    let start = output.count
    var lexer = SQLLexer(sql)
    var pendingBlank = false
    var outline = SQLOutline()
    while let token = lexer.next() {
      if token.kind == .comment || token.kind == .blank {
        pendingBlank = true
        continue
      }
      if pendingBlank && output.count > start { output.append(0x20) }
      pendingBlank = false
      output += lexer.bytes(token.range)
      guard token.kind == .semicolon && !outline.isOpen else {
        outline.take(token, lexer)
        continue
      }
      if outline.readsStandardInput { appendRows(&lexer, to: &output) }
      outline = SQLOutline()
    }
  }

  /// The rows behind a COPY, which is the last on its line; their line ends are one and the same.
  private static func appendRows(_ lexer: inout SQLLexer, to output: inout [UInt8]) {
    var ahead = lexer
    _ = ahead.skipLine()
    guard let rows = ahead.skipRows() else { return }
    lexer = ahead
    output.append(0x0a)
    var isReturn = false
    for byte in lexer.bytes(rows) {
      if isReturn && byte == 0x0a { output.removeLast() }
      output.append(byte)
      isReturn = byte == 0x0d
    }
  }
}
