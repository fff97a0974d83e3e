/// Finds one statement of a script after the other.
struct SQLSplitter {
  private let bytes: [UInt8]
  private var lexer: SQLLexer
  /// What the server is not to be given, in order.
  private(set) var unsent: [Range<Int>] = []

  init(_ bytes: [UInt8], firstLine: Int) {
    self.bytes = bytes
    lexer = SQLLexer(bytes, firstLine: firstLine)
    if bytes.starts(with: SQLLexer.byteOrderMark) { unsent.append(0..<SQLLexer.byteOrderMark.count) }
  }

  /// The next statement that is not empty; nil at the end.
  mutating func next() throws(SQLScriptError) -> SQLStatement? {
    var first: SQLToken?
    var end = 0
    var outline = SQLOutline()
    while let token = lexer.next() {
      guard token.isClosed else { throw .unclosed(token) }
      switch token.kind {
      case .comment, .blank: continue
      case .mark where lexer.isMark("\\", token):
        try skipCommand(token, isBetweenStatements: first == nil)
        continue
      case .semicolon where !outline.isOpen:
        guard let first else { continue }
        return try statement(first, end, outline)
      case .semicolon, .word, .quote, .mark: break
      }
      outline.take(token, lexer)
      first = first ?? token
      end = token.range.upperBound
    }
    return try first.map { first throws(SQLScriptError) in try statement(first, end, outline) }
  }

  private mutating func statement(_ first: SQLToken, _ end: Int, _ outline: SQLOutline) throws(SQLScriptError)
    -> SQLStatement
  {
    var statement = SQLStatement(
      bytes, range: first.range.lowerBound..<end, place: first.place, keyword: lexer.word(first))
    if statement.turnsEscapesOn { throw .escapesInPlainStrings(first.place) }
    if outline.readsStandardInput { statement.copyData = try skipRows(of: statement) }
    return statement
  }

  private mutating func skipRows(of statement: SQLStatement) throws(SQLScriptError) -> Range<Int> {
    let line = lexer
    let rest = lexer.skipLine()
    try refuseSQL(beside: line, to: rest.upperBound)
    guard let rows = lexer.skipRows() else { throw .rowsWithoutEnd(statement.place) }
    // The line that ends the rows goes too.
    unsent.append(rows.lowerBound..<lexer.offset)
    return rows
  }

  /// Behind the semicolon of a COPY psql allows more SQL, to be run after the rows: nobody reads it that way.
  private func refuseSQL(beside line: SQLLexer, to end: Int) throws(SQLScriptError) {
    var line = line
    while let token = line.next(), token.range.lowerBound < end {
      let isIgnored = token.kind == .blank || token.kind == .comment && token.range.upperBound <= end
      if !isIgnored { throw .besideRows(token.place) }
    }
  }

  /// Outside quotes a backslash is no part of SQL.
  private mutating func skipCommand(_ backslash: SQLToken, isBetweenStatements: Bool) throws(SQLScriptError) {
    var ahead = lexer
    let name = ahead.next().map { ahead.text($0.range) } ?? ""
    guard isBetweenStatements, name == "restrict" || name == "unrestrict" else {
      throw .psqlCommand(name, backslash.place)
    }
    unsent.append(backslash.range.lowerBound..<lexer.skipLine().upperBound)
  }
}

extension SQLLexer {
  /// The text of a token; an unquoted word in upper case, of which only ASCII knows one: to the server
  /// `\u{17f}elect` is not SELECT.
  func word(_ token: SQLToken) -> String {
    token.kind == .word ? String(decoding: upperCased(token.range), as: UTF8.self) : text(token.range)
  }
}

extension SQLStatement {
  /// Whether it makes the server take backslashes in plain strings for escapes, which moves the ends of
  /// strings.
  fileprivate var turnsEscapesOn: Bool {
    guard keyword == "SET", words.count < 6 else { return false }
    var rest = words.dropFirst()
    if rest.first == "SESSION" || rest.first == "LOCAL" { rest.removeFirst() }
    guard rest.popFirst() == "STANDARD_CONFORMING_STRINGS" else { return false }
    let value = rest.dropFirst().joined().lowercased().filter { $0 != "'" }
    return !["on", "true", "yes", "1", "default"].contains(value)
  }
}
