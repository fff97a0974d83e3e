/// The words and braces of a Swift file, without its comments and the text of its strings.
///
/// An interpolation is code, and is kept.
struct SwiftTokens {
  /// A word, or one character that is not part of a word.
  struct Token: Equatable {
    /// The word, or the character.
    let text: String
    /// Whether a word: an identifier or a keyword.
    let isWord: Bool
    /// Whether a point comes directly before it.
    let followsPoint: Bool
  }

  /// What was found, in order.
  private(set) var tokens: [Token] = []

  private let bytes: [UInt8]
  private var at = 0

  /// Reads a whole file.
  init(_ text: String) {
    bytes = Array(text.utf8)
    readCode(untilParenthesis: false)
  }

  private func byte(_ ahead: Int = 0) -> UInt8? { at + ahead < bytes.count ? bytes[at + ahead] : nil }

  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while let byte = byte() {
      switch byte {
      case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"):
        while let next = self.byte(), next != UInt8(ascii: "\n") { at += 1 }
      case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"):
        skipComment()
      case UInt8(ascii: "\""):
        readString(hashes: 0)
      case UInt8(ascii: "#"):
        readHashes()
      case _ where SwiftTokens.isPartOfWord(byte):
        readWord()
      default:
        if untilParenthesis {
          if byte == UInt8(ascii: "(") { depth += 1 }
          if byte == UInt8(ascii: ")") { depth -= 1 }
          if depth < 0 { return }
        }
        if byte > 32 { add(String(UnicodeScalar(byte)), isWord: false, start: at) }
        at += 1
      }
    }
  }

  /// Comments can hold comments.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        at += 2
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        at += 2
      } else {
        at += 1
      }
    } while depth > 0 && at < bytes.count
  }

  /// A raw string, or a word such as `#if`.
  private mutating func readHashes() {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if byte(hashes) == UInt8(ascii: "\"") {
      at += hashes
      readString(hashes: hashes)
    } else {
      at += hashes
    }
  }

  /// Reads from the quote on, to behind the one that closes it.
  private mutating func readString(hashes: Int) {
    let isMultiline = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
    let quotes = isMultiline ? 3 : 1
    at += quotes
    while let byte = byte() {
      if byte == UInt8(ascii: "\\"), follows(UInt8(ascii: "#"), times: hashes, after: 1) {
        at += 1 + hashes
        if self.byte() == UInt8(ascii: "(") {
          at += 1
          readCode(untilParenthesis: true)
        }
        at += 1
      } else if follows(UInt8(ascii: "\""), times: quotes, after: 0),
        follows(UInt8(ascii: "#"), times: hashes, after: quotes)
      {
        at += quotes + hashes
        return
      } else {
        at += 1
      }
    }
  }

  private func follows(_ wanted: UInt8, times: Int, after: Int) -> Bool {
    (0..<times).allSatisfy { byte(after + $0) == wanted }
  }

  private mutating func readWord() {
    let start = at
    while let byte = byte(), SwiftTokens.isPartOfWord(byte) { at += 1 }
    add(String(decoding: bytes[start..<at], as: UTF8.self), isWord: true, start: start)
  }

  private mutating func add(_ text: String, isWord: Bool, start: Int) {
    let followsPoint = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
    tokens.append(Token(text: text, isWord: isWord, followsPoint: followsPoint))
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
