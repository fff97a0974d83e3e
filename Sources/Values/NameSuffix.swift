/// What is behind a name and distinguishes people of one name.
///
/// ```
/// JR. JR Junior     Jr.
/// SR                Sr.
/// iii  3RD          III
/// ESQ.              ESQ.: another text is kept as it is
/// ```
enum NameSuffix {
  /// The suffix in its usual spelling.
  static func suffix(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    guard let found = spelling(field, range) else {
      return TextNormalisation.line(field, range, encoding, &scratch)
    }
    scratch.replace(with: found)
    return .scratch
  }

  /// Whether a place holds a suffix that is known.
  static func isSuffix(_ field: Span<UInt8>, _ range: Range<Int>) -> Bool { spelling(field, range) != nil }

  private static func spelling(_ field: Span<UInt8>, _ range: Range<Int>) -> StaticString? {
    var word = range
    // The comma that parted it from the name, and the point at its end.
    while word.count > 1, field[word.lowerBound] == 0x2C || field[word.lowerBound] == 0x20 {
      word = (word.lowerBound + 1)..<word.upperBound
    }
    while word.count > 1, field[word.upperBound - 1] == ASCII.point || field[word.upperBound - 1] == 0x2C {
      word = word.lowerBound..<(word.upperBound - 1)
    }
    return spellings.first { field.isAmong($0.words, word) }?.suffix
  }

  private static let spellings: [(suffix: StaticString, words: [StaticString])] = [
    ("Jr.", ["JR", "JUNIOR"]), ("Sr.", ["SR", "SENIOR"]), ("I", ["I", "1ST"]), ("II", ["II", "2ND"]),
    ("III", ["III", "3RD"]), ("IV", ["IV", "4TH"]), ("V", ["V", "5TH"]), ("VI", ["VI", "6TH"]),
    ("VII", ["VII", "7TH"]), ("VIII", ["VIII", "8TH"]), ("IX", ["IX", "9TH"]), ("X", ["X", "10TH"]),
  ]
}
