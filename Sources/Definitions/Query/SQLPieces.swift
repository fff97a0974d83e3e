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
  private let hasSections: Bool
  /// Where the sections began that have not ended.
  private var open: [SQLPlace] = []

  /// A semicolon at the end is left out, unless several statements may be there.
  init(_ sql: String, firstLine: Int, isScript: Bool, hasSections: Bool, in file: DefinitionFile) {
    lexer = SQLLexer(sql, firstLine: firstLine)
    self.file = file
    self.hasSections = hasSections
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
    for place in open { report("the section that begins here does not end", at: place, hint: "write {end}") }
  }

  /// Reads the words and dots up to the closing brace.
  private mutating func takePlaceholder(_ brace: SQLToken) {
    var ahead = lexer
    var name = ""
    while let token = ahead.next() {
      let text = ahead.text(token.range)
      if text == "}" && !name.isEmpty {
        flush(to: brace.range.lowerBound)
        pieces.append(piece(name.split(separator: " ").map(String.init), at: brace.place))
        plainStart = token.range.upperBound
        plainEnd = plainStart
        lexer = ahead
        return
      }
      if hasSections, token.kind == .blank, !name.isEmpty {
        name += " "
        continue
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

  /// A placeholder, or where a section begins or ends.
  private mutating func piece(_ words: [String], at place: SQLPlace) -> SQLTemplate.Piece {
    let mark = Mark(line: place.line, column: place.column)
    if hasSections, words == ["end"], open.popLast() != nil { return .end }
    if words.count == 1 { return .name(words[0], mark) }
    let isGiven = words != ["if", "not", words[words.count - 1]]
    if isGiven, words.count != 2 || words[0] != "if" {
      report("a section begins with {if name} or {if not name}", at: place)
    }
    open.append(place)
    return .section(words[words.count - 1], isGiven: isGiven, mark)
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
