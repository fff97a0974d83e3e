/// Takes SQL apart as PostgreSQL's own scanner does: strings, quoted names, dollar quotes and nested comments
/// are each one token, so that nobody takes a `;`, a brace or a word inside them for more than it is.
public struct SQLLexer {
  private let bytes: [UInt8]
  private let end: Int
  private var index: Int
  private var place: SQLPlace

  /// A lexer at the start of a text that begins on some line of its file; a byte order mark is no part of it.
  public init(_ sql: String, firstLine: Int = 1) {
    self.init(Array(sql.utf8), firstLine: firstLine)
  }

  init(_ bytes: [UInt8], firstLine: Int) {
    let start = bytes.starts(with: SQLLexer.byteOrderMark) ? SQLLexer.byteOrderMark.count : 0
    self.init(bytes, range: start..<bytes.count, place: SQLPlace(line: firstLine, column: 1))
  }

  init(_ bytes: [UInt8], range: Range<Int>, place: SQLPlace) {
    self.bytes = bytes
    self.place = place
    index = range.lowerBound
    end = range.upperBound
  }

  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Some of the bytes of the text.
  func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  /// The text of a range of bytes.
  public func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The text of a range with the letters of ASCII in upper case.
  func upperCasedText(_ range: Range<Int>) -> String {
    String(unsafeUninitializedCapacity: range.count) { buffer in
      for (place, index) in range.enumerated() {
        let byte = bytes[index]
        buffer[place] = (0x61...0x7a).contains(byte) ? byte - 0x20 : byte
      }
      return range.count
    }
  }

  /// The next token; nil at the end.
  public mutating func next() -> SQLToken? {
    guard index < end else { return nil }
    let start = index
    let from = place
    let (kind, isClosed) = scan()
    while index < end && bytes[index] & 0xc0 == 0x80 { index += 1 }
    move(over: start..<index)
    return SQLToken(kind: kind, range: start..<index, place: from, isClosed: isClosed)
  }

  var offset: Int { index }

  func isMark(_ mark: Character, _ token: SQLToken) -> Bool {
    token.kind == .mark && bytes[token.range.lowerBound] == mark.asciiValue
  }

  /// Skips what is left of the line, its end not included, and gives its bytes.
  mutating func skipLine() -> Range<Int> {
    let start = index
    skip { $0 != 0x0a }
    move(over: start..<index)
    return start..<index
  }

  /// Skips lines up to one that holds `\\.` alone, that one too, and gives the bytes of the lines before it;
  /// nil where no such line comes.
  mutating func skipRows() -> Range<Int>? {
    skipLineEnd()
    let start = index
    while index < end {
      let line = skipLine()
      let length = line.count - (line.isEmpty || bytes[line.upperBound - 1] != 0x0d ? 0 : 1)
      if bytes[line.lowerBound..<line.lowerBound + length].elementsEqual([0x5c, 0x2e]) {
        return start..<line.lowerBound
      }
      skipLineEnd()
    }
    return nil
  }

  private mutating func skipLineEnd() {
    guard index < end else { return }
    index += 1
    move(over: index - 1..<index)
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
    var isClosed = false
    repeat { isClosed = skipQuote(UInt8(ascii: "'"), escapes: true) } while isClosed && skipToContinuation()
    return (.quote, isClosed)
  }

  /// Skips to the quote on a later line that goes on with a string, which then has escapes as its beginning
  /// has.
  ///
  /// Between them may be blanks, comments to the end of the line and at least one line end.
  private mutating func skipToContinuation() -> Bool {
    let start = index
    var hasLineEnd = false
    while let byte = peek(0) {
      switch byte {
      case 0x0a, 0x0d: hasLineEnd = true
      case 0x20, 0x09, 0x0b, 0x0c: break
      case UInt8(ascii: "-") where peek(1) == byte:
        skip { $0 != 0x0a && $0 != 0x0d }
        continue
      case UInt8(ascii: "'") where hasLineEnd: return true
      default:
        index = start
        return false
      }
      index += 1
    }
    index = start
    return false
  }

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < end ? bytes[index + distance] : nil
  }

  private mutating func skip(while matches: (UInt8) -> Bool) {
    while index < end && matches(bytes[index]) { index += 1 }
  }

  private mutating func skipComment() -> Bool {
    var depth = 0
    while index < end {
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
    while index < end {
      if escapes && bytes[index] == UInt8(ascii: "\\") {
        index = min(index + 2, end)
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
    var tagEnd = index + 1
    while tagEnd < end && bytes[tagEnd] != UInt8(ascii: "$") {
      let isDigit = (0x30...0x39).contains(bytes[tagEnd])
      guard SQLLexer.startsName(bytes[tagEnd]) || isDigit && tagEnd > index + 1 else { return nil }
      tagEnd += 1
    }
    guard tagEnd < end else { return nil }
    let tag = bytes[index...tagEnd]
    index = tagEnd + 1
    while index < end {
      if bytes[index] == UInt8(ascii: "$") && bytes[index..<end].starts(with: tag) {
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
