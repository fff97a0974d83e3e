import SQLText

/// Cuts SQL at its placeholders, `{name}`, and reports what is wrong with it.
struct SQLPieces {
  private(set) var pieces: [SQLTemplate.Piece] = []
  /// The first word outside comments, in lower case; empty when the text begins with something else.
  private(set) var firstWord = ""

  private var lexer: SQLLexer
  private let file: DefinitionFile
  private var plainStart = 0
  private var plainEnd = 0

  /// A semicolon at the end is left out, unless several statements may be there.
  init(_ sql: String, firstLine: Int, isScript: Bool, in file: DefinitionFile) {
    lexer = SQLLexer(sql, firstLine: firstLine)
    self.file = file
    var end: SQLToken?
    var hasBegun = false
    while let token = lexer.next() {
      reportUnclosed(token)
      if token.kind == .comment || token.kind == .blank {
        if end == nil { plainEnd = token.range.upperBound }
        continue
      }
      if let ended = end {
        report("a second statement follows the ';'", at: ended.place, hint: "the file holds one SELECT")
        return
      }
      if !hasBegun && token.kind == .word { firstWord = lexer.text(token.range).lowercased() }
      hasBegun = true
      if token.kind == .semicolon && !isScript {
        end = token
      } else if token.kind == .mark && lexer.text(token.range) == "{" {
        takePlaceholder(token)
      } else {
        plainEnd = token.range.upperBound
      }
    }
    flush(to: plainEnd)
  }

  /// Reads the words and dots up to the closing brace.
  private mutating func takePlaceholder(_ brace: SQLToken) {
    var ahead = lexer
    var name = ""
    while let token = ahead.next() {
      let text = ahead.text(token.range)
      if text == "}" && !name.isEmpty {
        flush(to: brace.range.lowerBound)
        pieces.append(.name(name, Mark(line: brace.place.line, column: brace.place.column)))
        plainStart = token.range.upperBound
        plainEnd = plainStart
        lexer = ahead
        return
      }
      guard token.kind == .word || token.kind == .mark && text.allSatisfy({ $0 == "." || $0.isNumber }) else {
        break
      }
      name += text
    }
    report(
      "'{' begins no placeholder such as {name}", at: brace.place, hint: "in SQL braces are in quotes only")
    plainEnd = brace.range.upperBound
  }

  private func reportUnclosed(_ token: SQLToken) {
    guard !token.isClosed else { return }
    let what =
      token.kind == .comment ? "comment" : lexer.text(token.range).hasPrefix("$") ? "dollar quote" : "quote"
    report("the \(what) that begins here does not end", at: token.place)
  }

  private func report(_ message: String, at place: SQLPlace, hint: String? = nil) {
    file.report(message, at: Mark(line: place.line, column: place.column), hint: hint)
  }

  private mutating func flush(to end: Int) {
    if plainStart < end { pieces.append(.text(lexer.text(plainStart..<end))) }
    plainStart = end
  }
}
