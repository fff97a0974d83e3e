/// Finds one statement of a script after the other.
struct SQLSplitter {
  private var lexer: SQLLexer

  init(_ sql: String, firstLine: Int) { lexer = SQLLexer(sql, firstLine: firstLine) }

  /// The next statement that is not empty; nil at the end.
  mutating func next() throws(SQLScriptError) -> SQLStatement? {
    var tokens: [SQLToken] = []
    var words: [String] = []
    var nesting = Nesting()
    while let token = lexer.next() {
      try check(token)
      switch token.kind {
      case .comment, .blank: continue
      case .semicolon where nesting.isOpen: break
      case .semicolon:
        if tokens.isEmpty { continue }
        return try statement(tokens, words)
      case .word, .quote, .mark: break
      }
      let text = lexer.text(token.range)
      let word = token.kind == .word ? text.uppercased() : text
      nesting.take(word, isQuote: token.kind == .quote, first: words.first)
      tokens.append(token)
      words.append(word)
    }
    return tokens.isEmpty ? nil : try statement(tokens, words)
  }

  private mutating func statement(_ tokens: [SQLToken], _ words: [String]) throws(SQLScriptError)
    -> SQLStatement?
  {
    guard let first = tokens.first, let last = tokens.last else { return nil }
    let range = first.range.lowerBound..<last.range.upperBound
    var data: Range<Int>?
    if SQLSplitter.readsStandardInput(words) {
      guard let rows = lexer.skipRows() else {
        throw SQLScriptError(
          place: first.place, message: "the rows after COPY ... FROM stdin do not end",
          hint: "end them with a line that holds \\. and nothing else")
      }
      data = rows
    }
    return SQLStatement(
      text: lexer.text(range), range: range, place: first.place, tokens: tokens, words: words, copyData: data)
  }

  private static func readsStandardInput(_ words: [String]) -> Bool {
    guard words.first == "COPY" else { return false }
    return zip(words, words.dropFirst()).contains { $0 == "FROM" && $1 == "STDIN" }
  }

  private func check(_ token: SQLToken) throws(SQLScriptError) {
    guard token.isClosed else {
      let what = token.kind == .comment ? "comment" : "quote"
      throw SQLScriptError(
        place: token.place, message: "a \(what) begins here that does not end", hint: "close the \(what)")
    }
    // Outside quotes a backslash is no part of SQL.
    guard token.kind == .mark, lexer.text(token.range) == "\\" else { return }
    throw SQLScriptError(
      place: token.place, message: "this is a command for psql, not SQL",
      hint: "take the line out, or say the same in SQL: \\i as the text of the file, \\set as a placeholder")
  }

  /// What a semicolon must not end: parentheses, and a body between `BEGIN ATOMIC` and its `END`.
  private struct Nesting {
    private var parentheses = 0
    private var blocks = 0
    private var previous = ""

    var isOpen: Bool { parentheses > 0 || blocks > 0 }

    mutating func take(_ word: String, isQuote: Bool, first: String?) {
      defer { previous = isQuote ? "" : word }
      if isQuote { return }
      switch word {
      case "(": parentheses += 1
      case ")": parentheses = max(0, parentheses - 1)
      case "ATOMIC" where previous == "BEGIN" && first == "CREATE": blocks += 1
      // Inside a body, END also closes CASE.
      case "CASE" where blocks > 0: blocks += 1
      case "END" where blocks > 0: blocks -= 1
      default: break
      }
    }
  }
}
