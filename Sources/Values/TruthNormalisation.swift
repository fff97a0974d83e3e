/// Yes and no, as exports write them.
enum TruthNormalisation {
  private static let words: [(StaticString, Bool)] = [
    ("true", true), ("t", true), ("yes", true), ("y", true), ("1", true),
    ("false", false), ("f", false), ("no", false), ("n", false), ("0", false),
  ]

  static func boolean(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    for (word, value) in words where matches(word, field, range) {
      scratch.replace(with: UInt8(ascii: value ? "t" : "f"))
      return .scratch
    }
    return .invalid(.notBoolean)
  }

  private static func matches(_ word: StaticString, _ field: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard word.utf8CodeUnitCount == range.count else { return false }
    return word.withUTF8Buffer { letters in
      letters.indices.allSatisfy { ASCII.upper(letters[$0]) == ASCII.upper(field[range.lowerBound &+ $0]) }
    }
  }
}
