import PostgreSQL
import SQLText

/// Where in a file the code of a DO block, or of a function that the same section makes, has failed: the server
/// says the line in the body.
extension SectionWork {
  /// The place in what was run, in characters from 1, of an error that has none in the statement (from 0) that
  /// has failed; nil where its code is not in the section.
  func positionInBody(_ error: ServerError, statement index: Int) -> Int? {
    for (depth, place) in error.codePlaces.enumerated() {
      guard let found = place.wholeMatch(of: /function (.+) line (\d+)/), let line = Int(found.2),
        let body = body(of: String(found.1), statement: index)
      else { continue }
      let bytes = Array(text.utf8)
      let start = SectionWork.start(ofLine: line, in: bytes, body)
      // The innermost is the one that ran the statement which the server blames.
      if depth == 0, let place = SectionWork.place(of: error, in: bytes, start..<body.upperBound) {
        return place
      }
      return SectionWork.characters(bytes[..<start]) + 1
    }
    return nil
  }

  /// The place, in characters from 1, of what the server blames in a statement within a part of some bytes; nil
  /// where it blames none, or has put it together itself.
  private static func place(of error: ServerError, in bytes: [UInt8], _ body: Range<Int>) -> Int? {
    guard var query = error.internalQuery.map({ Array($0.utf8) }), let position = error.internalPosition
    else {
      return nil
    }
    if let found = bytes[body].firstPlace(of: query) { return characters(bytes[..<found]) + position }
    // PERFORM is SELECT to the server.
    let select = Array("SELECT".utf8)
    guard query.starts(with: select) else { return nil }
    query.removeFirst(select.count)
    return bytes[body].firstPlace(of: query).map { characters(bytes[..<$0]) + position - select.count }
  }

  /// The bytes between the quotes of a body.
  private func body(of function: String, statement index: Int) -> Range<Int>? {
    let statement =
      function == "inline_code_block"
      ? script.statements[index] : script.statements[...index].last { $0.makes(function) }
    guard let statement else { return nil }
    let bytes = Array(text.utf8)
    let quote = statement.tokens.filter {
      $0.kind == .quote && bytes[$0.range.lowerBound] != UInt8(ascii: "\"")
    }
    .max { $0.range.count < $1.range.count }
    guard let quote else { return nil }
    let isDollar = bytes[quote.range.lowerBound] == UInt8(ascii: "$")
    let mark = isDollar ? bytes[quote.range].dropFirst().prefix { $0 != UInt8(ascii: "$") }.count + 2 : 1
    guard quote.range.count >= 2 * mark else { return nil }
    return quote.range.lowerBound + mark..<quote.range.upperBound - mark
  }

  /// The first byte of a line of a body that is no blank; the first line is what follows the quote.
  private static func start(ofLine line: Int, in bytes: [UInt8], _ body: Range<Int>) -> Int {
    var start = body.lowerBound
    for _ in 1..<max(line, 1) {
      guard let end = bytes[start..<body.upperBound].firstIndex(of: 0x0a) else { break }
      start = end + 1
    }
    return bytes[start..<body.upperBound].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? start
  }

  private static func characters(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.count { $0 & 0xc0 != 0x80 }
  }
}

extension SQLStatement {
  /// Whether it makes a function or procedure that the server calls `app.fill(integer)`, or `fill(integer)`.
  fileprivate func makes(_ function: String) -> Bool {
    guard keyword == "CREATE", let kind = words.firstIndex(where: { $0 == "FUNCTION" || $0 == "PROCEDURE" })
    else {
      return false
    }
    let name = function.prefix { $0 != "(" }.split(separator: ".").last ?? ""
    let own = words[(kind + 1)...].prefix { $0 != "(" }.last ?? ""
    return own.hasPrefix("\"") ? own == name : own.lowercased() == name
  }
}

extension ArraySlice<UInt8> {
  /// Where some bytes begin in it.
  fileprivate func firstPlace(of wanted: [UInt8]) -> Int? {
    guard let first = wanted.first, count >= wanted.count else { return nil }
    return (startIndex...(endIndex - wanted.count)).first { start in
      self[start] == first && self[start..<start + wanted.count].elementsEqual(wanted)
    }
  }
}
