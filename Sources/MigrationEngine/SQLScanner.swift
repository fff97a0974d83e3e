/// Walks over SQL as PostgreSQL's lexer would: strings, quoted names, dollar quotes and nested comments are
/// each one piece, so that nobody takes a `;` or a word inside them for more than it is.
struct SQLScanner {
  /// A piece of SQL.
  enum Piece: Equatable {
    /// A comment, of either kind.
    case comment
    /// Blanks and line ends.
    case blank
    /// A keyword or unquoted name, as written.
    case word(String)
    /// A string, quoted name, dollar quote, number or a single mark, as written.
    case other(String)
    /// The end of a statement.
    case semicolon
  }

  private let text: [UInt8]
  private var index = 0

  init(_ sql: String) { text = Array(sql.utf8) }

  /// The next piece; nil at the end.
  mutating func next() -> Piece? {
    guard index < text.count else { return nil }
    let start = index
    let byte = text[index]
    switch byte {
    case UInt8(ascii: " "), 0x09, 0x0a, 0x0d, 0x0c:
      skip { $0 == 0x20 || (0x09...0x0d).contains($0) }
      return .blank
    case UInt8(ascii: ";"):
      index += 1
      return .semicolon
    case UInt8(ascii: "-") where peek(1) == byte:
      skip { $0 != 0x0a }
      return .comment
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
      skipBlockComment()
      return .comment
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      skipQuoted(byte, escapes: false)
      return .other(slice(from: start))
    case UInt8(ascii: "$") where skipDollarQuote():
      return .other(slice(from: start))
    case _ where SQLScanner.startsName(byte):
      skip { SQLScanner.continuesName($0) }
      let word = slice(from: start)
      if (word == "E" || word == "e") && index < text.count && text[index] == UInt8(ascii: "'") {
        skipQuoted(UInt8(ascii: "'"), escapes: true)
        return .other(slice(from: start))
      }
      return .word(word)
    default:
      index += 1
      return .other(slice(from: start))
    }
  }

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < text.count ? text[index + distance] : nil
  }

  private func slice(from start: Int) -> String { String(decoding: text[start..<index], as: UTF8.self) }

  private mutating func skip(while matches: (UInt8) -> Bool) {
    while index < text.count && matches(text[index]) { index += 1 }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "/") && peek(1) == UInt8(ascii: "*") {
        depth += 1
        index += 2
      } else if text[index] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/") {
        depth -= 1
        index += 2
        if depth == 0 { return }
      } else {
        index += 1
      }
    }
  }

  private mutating func skipQuoted(_ mark: UInt8, escapes: Bool) {
    index += 1
    while index < text.count {
      if escapes && text[index] == UInt8(ascii: "\\") {
        index = min(index + 2, text.count)
      } else if text[index] == mark {
        index += 1
        if peek(0) != mark { return }
        index += 1
      } else {
        index += 1
      }
    }
  }

  /// Skips `$tag$ ... $tag$` when one begins here; an unclosed one runs to the end.
  private mutating func skipDollarQuote() -> Bool {
    var end = index + 1
    while end < text.count && text[end] != UInt8(ascii: "$") {
      guard SQLScanner.continuesName(text[end]) else { return false }
      end += 1
    }
    guard end < text.count else { return false }
    let tag = text[index...end]
    index = end + 1
    while index < text.count {
      if text[index] == UInt8(ascii: "$") && text[index...].starts(with: tag) {
        index += tag.count
        return true
      }
      index += 1
    }
    return true
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f || byte >= 0x80
  }

  private static func continuesName(_ byte: UInt8) -> Bool {
    startsName(byte) || (0x30...0x39).contains(byte)
  }
}

extension SQLScanner {
  /// The SQL without comments, every run of blanks one blank: what decides whether a text has changed.
  static func normalised(_ sql: String) -> String {
    var scanner = SQLScanner(sql)
    var output = ""
    var pendingBlank = false
    while let piece = scanner.next() {
      let text: String
      switch piece {
      case .comment, .blank:
        pendingBlank = true
        continue
      case .semicolon: text = ";"
      case .word(let written), .other(let written): text = written
      }
      if pendingBlank && !output.isEmpty { output += " " }
      pendingBlank = false
      output += text
    }
    return output
  }

  /// The first word of each statement, in upper case.
  static func leadingWords(_ sql: String) -> [String] {
    var scanner = SQLScanner(sql)
    var words: [String] = []
    var atStart = true
    while let piece = scanner.next() {
      switch piece {
      case .comment, .blank: continue
      case .semicolon: atStart = true
      case .word(let word):
        if atStart { words.append(word.uppercased()) }
        atStart = false
      case .other: atStart = false
      }
    }
    return words
  }
}
