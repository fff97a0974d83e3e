/// Walks over SQL, telling its text from its quotes and comments, as PostgreSQL's own scanner does.
struct SQLScanner {
  private let bytes: [UInt8]
  private var index = 0
  private var mark: Mark
  private var pieces: [SQLTemplate.Piece] = []
  private var plainStart = 0
  private var firstCode: Int?

  init(_ text: String, firstLine: Int) {
    bytes = Array(text.utf8)
    mark = Mark(line: firstLine, column: 1)
  }

  /// The text cut at its placeholders; a semicolon at the end is left out.
  mutating func pieces(in file: DefinitionFile) -> [SQLTemplate.Piece] {
    var end: (index: Int, mark: Mark)?
    while index < bytes.count {
      let start = mark
      let first = index
      let isCode = step(in: file)
      if isCode, firstCode == nil, !Self.isBlank(bytes[first]) { firstCode = first }
      if isCode, bytes[first] == UInt8(ascii: ";"), end == nil {
        end = (first, start)
      } else if isCode, let ended = end, !Self.isBlank(bytes[first]) {
        file.report(
          "a second statement follows the ';'", at: ended.mark, hint: "the file holds one SELECT")
        end = nil
      }
    }
    flush(to: end?.index ?? bytes.count)
    return pieces
  }

  /// The first word outside comments, in lower case, once the text has been cut.
  var firstWord: String {
    guard let firstCode else { return "" }
    let word = bytes[firstCode...].prefix { Self.isTagByte($0, first: false) }
    return String(decoding: word, as: UTF8.self).lowercased()
  }

  /// Passes one byte of code (true), or one whole comment (false), quote or placeholder (true).
  private mutating func step(in file: DefinitionFile) -> Bool {
    switch (bytes[index], peek(1)) {
    case (UInt8(ascii: "-"), UInt8(ascii: "-")):
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { advance() }
      return false
    case (UInt8(ascii: "/"), UInt8(ascii: "*")):
      passComment(in: file)
      return false
    case (UInt8(ascii: "'"), _): passQuote(UInt8(ascii: "'"), escapes: isEscapeString, in: file)
    case (UInt8(ascii: "\""), _): passQuote(UInt8(ascii: "\""), escapes: false, in: file)
    case (UInt8(ascii: "$"), _): passDollarQuote(in: file)
    case (UInt8(ascii: "{"), _): passPlaceholder(in: file)
    default: advance()
    }
    return true
  }

  private mutating func passPlaceholder(in file: DefinitionFile) {
    let start = mark
    let first = index
    var end = index + 1
    while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
    let name = String(decoding: bytes[(first + 1)..<end], as: UTF8.self)
    guard end < bytes.count, bytes[end] == UInt8(ascii: "}"), !name.isEmpty else {
      file.report(
        "'{' begins no placeholder such as {name}", at: start, hint: "in SQL braces stand in quotes only")
      advance()
      return
    }
    flush(to: first)
    pieces.append(.name(name, start))
    while index <= end { advance() }
    plainStart = index
  }

  private mutating func passQuote(_ quote: UInt8, escapes: Bool, in file: DefinitionFile) {
    let start = mark
    advance()
    while index < bytes.count {
      if escapes, bytes[index] == UInt8(ascii: "\\") {
        advance()
      } else if bytes[index] == quote {
        if peek(1) != quote {
          advance()
          return
        }
        advance()
      }
      advance()
    }
    file.report("the quote that begins here does not end", at: start)
  }

  private mutating func passDollarQuote(in file: DefinitionFile) {
    // `a$b` is a name and `$1` a parameter; `$$` and `$tag$` begin a quote.
    let start = mark
    var end = index + 1
    while end < bytes.count, Self.isTagByte(bytes[end], first: end == index + 1) { end += 1 }
    let isInName = index > 0 && Self.isTagByte(bytes[index - 1], first: false)
    guard !isInName, end < bytes.count, bytes[end] == UInt8(ascii: "$") else {
      advance()
      return
    }
    let tag = bytes[index...end]
    while index <= end { advance() }
    while index < bytes.count {
      if bytes[index...].starts(with: tag) {
        for _ in tag { advance() }
        return
      }
      advance()
    }
    file.report("the dollar quote that begins here does not end", at: start)
  }

  private mutating func passComment(in file: DefinitionFile) {
    let start = mark
    var depth = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        advance()
      } else if bytes[index] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        advance()
      }
      advance()
      if depth == 0 { return }
    }
    file.report("the comment that begins here does not end", at: start)
  }

  /// Whether the quote at hand is that of `E'...'`, in which a backslash takes the next letter with it.
  private var isEscapeString: Bool {
    guard index > 0, bytes[index - 1] | 0x20 == UInt8(ascii: "e") else { return false }
    return index == 1 || !Self.isTagByte(bytes[index - 2], first: false)
  }

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private mutating func advance() {
    guard index < bytes.count else { return }
    let byte = bytes[index]
    index += 1
    if byte == UInt8(ascii: "\n") {
      mark = Mark(line: mark.line + 1, column: 1)
    } else if index == bytes.count || bytes[index] & 0xC0 != 0x80 {
      // A column is a character, not one of its bytes.
      mark.column += 1
    }
  }

  private mutating func flush(to end: Int) {
    guard plainStart < end else { return }
    pieces.append(.text(String(decoding: bytes[plainStart..<end], as: UTF8.self)))
    plainStart = end
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isTagByte(byte, first: false) || byte == UInt8(ascii: ".")
  }

  private static func isTagByte(_ byte: UInt8, first: Bool) -> Bool {
    let letter = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || byte == UInt8(ascii: "_")
      || byte >= 0x80 || (!first && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte))
  }
}
