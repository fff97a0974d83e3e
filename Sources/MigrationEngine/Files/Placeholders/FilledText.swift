import PostgreSQL
import SQLText

/// A section's text with values in the place of its placeholders, and the way from a place in it back to the
/// text as the file has it.
struct FilledText: Sendable {
  /// A placeholder, by its bytes in both texts.
  private struct Filling: Sendable {
    let kept: Range<Int>
    let filled: Range<Int>
    /// As it is written: `${name}`.
    let name: String
    let value: String
  }

  /// As the file and the history have it.
  let kept: String
  /// As the server is given it.
  let text: String
  private let fillings: [Filling]

  /// A text without placeholders.
  init(_ text: String) {
    kept = text
    self.text = text
    fillings = []
  }

  /// Puts a value in the place of each placeholder.
  ///
  /// `value` gives that of a name; it is given the place of the name too, to throw where there is none.
  init(
    _ text: String, _ syntax: PlaceholderSyntax, value: (String, SQLPlace) throws(MigrationError) -> String?
  ) throws(MigrationError) {
    kept = text
    let bytes = Array(text.utf8)
    var filled: [UInt8] = []
    var fillings: [Filling] = []
    var end = 0
    for found in syntax.placeholders(in: text) {
      guard let value = try value(found.name, found.place) else { continue }
      filled += bytes[end..<found.range.lowerBound]
      let written = found.quote.map { $0(value) } ?? value
      let start = filled.count
      filled += Array(written.utf8)
      fillings.append(
        Filling(
          kept: found.range, filled: start..<filled.count,
          name: String(decoding: bytes[found.range], as: UTF8.self), value: value))
      end = found.range.upperBound
    }
    self.fillings = fillings
    self.text = fillings.isEmpty ? text : String(decoding: filled + bytes[end...], as: UTF8.self)
  }

  /// Puts texts in the place of some ranges of bytes, each with the name that it is called by.
  init(_ text: String, replacing places: [(range: Range<Int>, name: String, text: String)]) {
    kept = text
    let bytes = Array(text.utf8)
    var filled: [UInt8] = []
    var end = 0
    fillings = places.map { range, name, value in
      filled += bytes[end..<range.lowerBound]
      end = range.upperBound
      let start = filled.count
      filled += Array(value.utf8)
      return Filling(kept: range, filled: start..<filled.count, name: name, value: value)
    }
    self.text = String(decoding: filled + bytes[end...], as: UTF8.self)
  }

  /// What the file has in the place of some bytes of ``text``.
  func kept(_ range: Range<Int>) -> String {
    let utf8 = kept.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: keptOffset(of: range.lowerBound))
    let end = utf8.index(utf8.startIndex, offsetBy: keptOffset(of: range.upperBound, isEnd: true))
    return String(kept[start..<end])
  }

  /// The character of ``kept``, from 1, that a character of ``text``, from 1, is or comes from.
  func keptPosition(_ position: Int) -> Int {
    if fillings.isEmpty { return position }
    let offset = text.unicodeScalars.prefix(position - 1).reduce(0) { $0 + UTF8.width($1) }
    return String(decoding: kept.utf8.prefix(keptOffset(of: offset)), as: UTF8.self).unicodeScalars.count + 1
  }

  /// A sentence of the server's without the values that it repeats.
  func discreet(_ sentence: String) -> String {
    fillings.sorted { $0.value.count > $1.value.count }.reduce(sentence) { sentence, filling in
      HiddenValue(value: filling.value, name: filling.name).hidden(in: sentence)
    }
  }

  /// An offset in ``kept`` for one in ``text``; within a value the beginning of its placeholder, or its end.
  private func keptOffset(of offset: Int, isEnd: Bool = false) -> Int {
    var shift = 0
    for filling in fillings {
      if offset <= filling.filled.lowerBound { break }
      if offset < filling.filled.upperBound {
        return isEnd ? filling.kept.upperBound : filling.kept.lowerBound
      }
      shift = filling.kept.upperBound - filling.filled.upperBound
    }
    return offset + shift
  }
}

extension PlaceholderSyntax {
  /// A placeholder in a text.
  struct Found {
    let name: String
    let range: Range<Int>
    let place: SQLPlace
    /// How its value is quoted; nil for as it is.
    var quote: ((String) -> String)?
  }

  /// All placeholders of a text, in order.
  func placeholders(in text: String) -> [Found] {
    switch self {
    case .braces: PlaceholderSyntax.braced(text)
    case .psql: PlaceholderSyntax.variables(text)
    }
  }

  private static func braced(_ text: String) -> [Found] {
    var found: [Found] = []
    let bytes = text.utf8
    var rest = text[...]
    var place = SQLPlace(line: 1, column: 1)
    while let mark = rest.utf8.firstRange(of: "${".utf8),
      let end = rest[mark.upperBound...].firstIndex(of: "}")
    {
      place.move(over: rest[..<mark.lowerBound])
      let next = rest.index(after: end)
      let start = bytes.distance(from: bytes.startIndex, to: mark.lowerBound)
      let length = bytes.distance(from: mark.lowerBound, to: next)
      found.append(
        Found(name: String(rest[mark.upperBound..<end]), range: start..<start + length, place: place))
      place.move(over: rest[mark.lowerBound..<next])
      rest = rest[next...]
    }
    return found
  }

  private static func variables(_ text: String) -> [Found] {
    var found: [Found] = []
    if !text.utf8.contains(UInt8(ascii: ":")) { return [] }
    // Rows behind a COPY are no part of a statement. What cannot be taken apart is refused before it is run.
    for statement in (try? SQLScript(text))?.statements ?? [] {
      var colon: SQLToken?
      for (token, word) in zip(statement.tokens, statement.words) {
        let isBehindColon = colon?.range.upperBound == token.range.lowerBound
        if let colon, isBehindColon, let one = variable(colon, token, word, text) { found.append(one) }
        // Two of them are a cast.
        colon = word == ":" && !isBehindColon ? token : nil
      }
    }
    return found
  }

  private static func variable(_ colon: SQLToken, _ token: SQLToken, _ word: String, _ text: String) -> Found?
  {
    let range = colon.range.lowerBound..<token.range.upperBound
    switch (token.kind, word.first) {
    case (.word, _):
      // Words are in capitals, and variables are what they are.
      let written = String(
        decoding: text.utf8.dropFirst(token.range.lowerBound).prefix(token.range.count), as: UTF8.self)
      return Found(name: written, range: range, place: colon.place)
    case (.quote, "'"?):
      return Found(name: unquoted(word), range: range, place: colon.place, quote: Quote.literal)
    case (.quote, "\""?):
      return Found(name: unquoted(word), range: range, place: colon.place, quote: Quote.identifier)
    default: return nil
    }
  }

  private static func unquoted(_ word: String) -> String { String(word.dropFirst().dropLast()) }
}

extension SQLPlace {
  /// Moves over a piece of text.
  fileprivate mutating func move(over text: Substring) {
    for character in text.unicodeScalars {
      if character == "\n" {
        self = SQLPlace(line: line + 1, column: 1)
      } else {
        column += 1
      }
    }
  }
}
