/// A place in a text; the first line and the first column are 1, a column is a character.
public struct SQLPlace: Sendable, Hashable {
  /// The line.
  public var line: Int
  /// The column.
  public var column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A piece of SQL: a comment, a quote, a word, or a single mark.
public struct SQLToken: Sendable {
  /// What a token is.
  public enum Kind: Sendable, Equatable {
    /// A comment of either form.
    case comment
    /// Blanks and line ends.
    case blank
    /// A keyword or unquoted name.
    case word
    /// A string, a quoted name or a dollar quote.
    case quote
    /// The end of a statement.
    case semicolon
    /// Anything else, one byte of it.
    case mark
  }

  /// What it is.
  public let kind: Kind
  /// Its bytes in the text.
  public let range: Range<Int>
  /// Where it begins.
  public let place: SQLPlace
  /// A comment or quote that ends; false where the text ends first.
  public let isClosed: Bool
}

/// Takes SQL apart as PostgreSQL's own scanner does: strings, quoted names, dollar quotes and nested comments are
/// each one token, so that nobody takes a `;`, a brace or a word inside them for more than it is.
public struct SQLLexer {
  private let bytes: [UInt8]
  private var index = 0
  private var place: SQLPlace

  /// A lexer at the start of a text that begins on some line of its file.
  public init(_ sql: String, firstLine: Int = 1) {
    bytes = Array(sql.utf8)
    place = SQLPlace(line: firstLine, column: 1)
  }

  /// The text of a range of bytes.
  public func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The next token; nil at the end.
  public mutating func next() -> SQLToken? {
    guard index < bytes.count else { return nil }
    let start = index
    let from = place
    let (kind, isClosed) = scan()
    while index < bytes.count && bytes[index] & 0xc0 == 0x80 { index += 1 }
    move(over: start..<index)
    return SQLToken(kind: kind, range: start..<index, place: from, isClosed: isClosed)
  }

  /// Skips the rest of the line and the lines after it up to one that holds `\\.` alone, and gives the bytes of the
  /// lines between; nil where no such line comes.
  mutating func skipRows() -> Range<Int>? {
    let from = index
    skip { $0 != 0x0a }
    index = min(index + 1, bytes.count)
    let start = index
    while index < bytes.count {
      let lineStart = index
      skip { $0 != 0x0a }
      let line = bytes[lineStart..<index]
      index = min(index + 1, bytes.count)
      guard line.elementsEqual([0x5c, 0x2e]) || line.elementsEqual([0x5c, 0x2e, 0x0d]) else { continue }
      move(over: from..<index)
      return start..<lineStart
    }
    return nil
  }

  private mutating func scan() -> (SQLToken.Kind, isClosed: Bool) {
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: " "), 0x09...0x0d:
      skip { $0 == 0x20 || (0x09...0x0d).contains($0) }
      return (.blank, true)
    case UInt8(ascii: ";"):
      index += 1
      return (.semicolon, true)
    case UInt8(ascii: "-") where peek(1) == byte:
      skip { $0 != 0x0a && $0 != 0x0d }
      return (.comment, true)
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
      return (.comment, skipComment())
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return (.quote, skipQuote(byte, escapes: false))
    case UInt8(ascii: "$"):
      if let isClosed = skipDollarQuote() { return (.quote, isClosed) }
    case _ where SQLLexer.startsName(byte):
      return scanWord()
    default: break
    }
    index += 1
    return (.mark, true)
  }

  /// A name, or a string whose prefix looks like one: `E'...'` has escapes.
  private mutating func scanWord() -> (SQLToken.Kind, isClosed: Bool) {
    let start = index
    skip { SQLLexer.startsName($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "$") }
    let isPrefix = index - start == 1 && bytes[start] | 0x20 == UInt8(ascii: "e")
    guard isPrefix, peek(0) == UInt8(ascii: "'") else { return (.word, true) }
    return (.quote, skipQuote(UInt8(ascii: "'"), escapes: true))
  }

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private mutating func skip(while matches: (UInt8) -> Bool) {
    while index < bytes.count && matches(bytes[index]) { index += 1 }
  }

  private mutating func skipComment() -> Bool {
    var depth = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/") && peek(1) == UInt8(ascii: "*") {
        depth += 1
        index += 2
      } else if bytes[index] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/") {
        depth -= 1
        index += 2
        if depth == 0 { return true }
      } else {
        index += 1
      }
    }
    return false
  }

  private mutating func skipQuote(_ mark: UInt8, escapes: Bool) -> Bool {
    index += 1
    while index < bytes.count {
      if escapes && bytes[index] == UInt8(ascii: "\\") {
        index = min(index + 2, bytes.count)
      } else if bytes[index] == mark {
        index += 1
        if peek(0) != mark { return true }
        index += 1
      } else {
        index += 1
      }
    }
    return false
  }

  /// Skips `$$...$$` or `$tag$...$tag$` where one begins, and says whether it ends; nil where none begins.
  private mutating func skipDollarQuote() -> Bool? {
    var end = index + 1
    while end < bytes.count && bytes[end] != UInt8(ascii: "$") {
      let isDigit = (0x30...0x39).contains(bytes[end])
      guard SQLLexer.startsName(bytes[end]) || isDigit && end > index + 1 else { return nil }
      end += 1
    }
    guard end < bytes.count else { return nil }
    let tag = bytes[index...end]
    index = end + 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "$") && bytes[index...].starts(with: tag) {
        index += tag.count
        return true
      }
      index += 1
    }
    return false
  }

  private mutating func move(over range: Range<Int>) {
    for byte in bytes[range] {
      if byte == 0x0a {
        place = SQLPlace(line: place.line + 1, column: 1)
      } else if byte & 0xc0 != 0x80 {
        place.column += 1
      }
    }
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f || byte >= 0x80
  }
}
