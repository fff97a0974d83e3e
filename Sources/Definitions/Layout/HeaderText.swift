/// What a header calls a column, with places for what changes every year.
///
/// `{year}` means four digits, `{number}` a decimal number. Letter case and the number of blanks do
/// not count. A name that a file spreads over several rows is given as its words, top to bottom.
public struct HeaderText: Sendable, Hashable {
  /// The words of the rows that the name is merged from; one word, blanks and all, in most files.
  public let words: [String]
  private let pieces: [Piece]
  /// The only text that matches, where there are no placeholders.
  let literal: String?

  private enum Piece: Hashable {
    case text([UInt8])
    case year
    case number
  }

  /// A header text of the words of one or more rows.
  public init(_ words: [String]) {
    self.words = words
    var pieces: [Piece] = []
    var rest = Self.normalised(words.joined(separator: " "))[...]
    while let brace = rest.firstIndex(of: "{") {
      let tail = rest[brace...]
      let found = [("{YEAR}", Piece.year), ("{NUMBER}", .number)].first { tail.hasPrefix($0.0) }
      let end = rest.index(brace, offsetBy: found?.0.count ?? 1)
      pieces.append(.text(Array(rest[..<(found == nil ? end : brace)].utf8)))
      if let found { pieces.append(found.1) }
      rest = rest[end...]
    }
    pieces.append(.text(Array(rest.utf8)))
    self.pieces = pieces
    literal = if pieces.count == 1 { Self.normalised(words.joined(separator: " ")) } else { nil }
  }

  /// The text as it is compared, placeholders included.
  public var text: String { Self.normalised(words.joined(separator: " ")) }

  /// Upper case, every run of blanks one blank, none at the ends.
  public static func normalised(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return normalisedASCII(text) }
    return text.split(whereSeparator: { $0.isWhitespace || $0 == "\u{FEFF}" }).joined(separator: " ")
      .uppercased()
  }

  /// The same for ASCII, which headers are made of, and some ten times as fast.
  private static func normalisedASCII(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte == 0x20 || (0x09...0x0d).contains(byte) {
        if let last = bytes.last, last != 0x20 { bytes.append(0x20) }
      } else {
        bytes.append((0x61...0x7a).contains(byte) ? byte - 0x20 : byte)
      }
    }
    if bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a header's text, normalised, is this one.
  func matches(_ normalised: String) -> Bool {
    var text = normalised
    return text.withUTF8 { Self.match($0[...], pieces[...]) }
  }

  private static func match(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ pieces: ArraySlice<Piece>
  ) -> Bool {
    guard let piece = pieces.first else { return bytes.isEmpty }
    let rest = pieces.dropFirst()
    switch piece {
    case .text(let text):
      return bytes.starts(with: text) && match(bytes.dropFirst(text.count), rest)
    case .year:
      return bytes.count >= 4 && bytes.prefix(4).allSatisfy(isDigit) && match(bytes.dropFirst(4), rest)
    case .number:
      let length = bytes.prefix { isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }.count
      guard bytes.first.map(isDigit) == true else { return false }
      return (1...length).reversed().contains { match(bytes.dropFirst($0), rest) }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
