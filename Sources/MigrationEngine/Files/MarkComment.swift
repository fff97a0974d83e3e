import SQLText

/// A comment that says something of the statement below it, as `-- rivulet:batch` does.
struct MarkComment {
  /// What follows the word that makes it one.
  let text: String
  /// Where it is in the file.
  let place: SQLPlace
  /// Nothing but blanks is before it in its line.
  let isAlone: Bool
}

extension Migration.Section {
  /// The one comment between two statements that begins with a word; nil where there is none.
  ///
  /// - Throws: `MigrationError.malformed` where there are two, or it is not on a line of its own.
  func mark(_ word: String, in range: Range<Int>, of bytes: [UInt8], _ hint: String) throws(MigrationError)
    -> MarkComment?
  {
    let found = marks(word, in: range, of: bytes)
    if found.count > 1 { throw unfit(found[1].place, "a second mark for one statement", hint) }
    if let mark = found.first, !mark.isAlone {
      throw unfit(mark.place, "the mark is not on a line of its own", hint)
    }
    return found.first
  }

  /// The comments in bytes of the section that begin with a word.
  func marks(_ word: String, in range: Range<Int>, of bytes: [UInt8]) -> [MarkComment] {
    let line = line + bytes[..<range.lowerBound].count { $0 == 0x0a }
    let text = String(decoding: bytes[range], as: UTF8.self)
    var lexer = SQLLexer(text, firstLine: line)
    var found: [MarkComment] = []
    while let token = lexer.next() {
      guard token.kind == .comment else { continue }
      let words = lexer.text(token.range).drop { $0 == "-" }.drop(while: \.isWhitespace)
      guard words.hasPrefix(word), words.dropFirst(word.count).first?.isWhitespace != false else { continue }
      let before = bytes[..<(range.lowerBound + token.range.lowerBound)].reversed().prefix { $0 != 0x0a }
      found.append(
        MarkComment(
          text: String(words.dropFirst(word.count)),
          place: SQLPlace(line: token.place.line, column: 1 + before.count { $0 & 0xc0 != 0x80 }),
          isAlone: before.allSatisfy { $0 == 0x20 || $0 == 0x09 }))
    }
    return found
  }
}
