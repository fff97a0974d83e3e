/// A part of a name that stands in one field.
public enum NamePart: String, CaseIterable, Sendable {
  case last, first, middle, suffix, credential
}

/// Names of people that stand in one field, taken apart.
///
/// ```
/// Dr. Anna B. Smith, MD       first Anna, middle B., last Smith, credential MD
/// SMITH JR, ANNA B            first Anna, middle B, last Smith, suffix Jr.
/// Jan van der Voort III       first Jan, last van der Voort, suffix III
/// Smith                       last Smith
/// ```
///
/// What stands before a comma is the last name, unless nothing but suffixes and credentials follow; without a comma it is
/// the last word, with the particles before it. Nobody can tell `Anna Maria Garcia Lopez` from that: her middle name is
/// Maria Garcia.
struct FullName {
  private var last: [Range<Int>] = []
  private var given: [Range<Int>] = []
  private var suffix: Range<Int>?
  private var credentials: [Range<Int>] = []
  private let text: [UInt8]

  /// A part of a name in its usual spelling; blank where the name has none.
  static func part(
    _ part: NamePart, _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding,
    _ scratch: inout [UInt8]
  ) -> Normalised {
    let line = TextNormalisation.line(field, range, encoding, &scratch)
    switch line {
    case .slice(let range):
      let name = FullName(field.extracting(range).withUnsafeBufferPointer { Array($0) })
      return name.write(part, &scratch)
    case .scratch:
      let name = FullName(scratch)
      return name.write(part, &scratch)
    default: return line
    }
  }

  private init(_ text: [UInt8]) {
    self.text = text
    var parts = Self.runs(of: text, in: 0..<text.count) { $0 == 0x2C }.map { Self.words(of: text, in: $0) }
    parts.removeAll(where: \.isEmpty)
    guard var first = parts.first else { return }
    var rest = Array(parts.dropFirst())
    let isLastFirst = rest.first.map { part in !part.allSatisfy(isTitle) } ?? false
    if isLastFirst {
      takeTitles(&first, leaving: 1)
      last = first
      var names = rest.removeFirst()
      takeTitles(&names, leaving: 1)
      takePrefix(&names, leaving: 1)
      given = names
    } else {
      takePrefix(&first, leaving: 1)
      takeTitles(&first, leaving: 2)
      var start = max(first.count - 1, 0)
      while start > 1, text.span.isAmong(PersonName.particles, first[start - 1]) { start -= 1 }
      (given, last) = (Array(first[..<start]), Array(first[start...]))
    }
    // Behind a comma stands what is behind a name, known or not.
    for word in rest.joined() { take(title: word) }
  }

  /// Takes suffixes and credentials from the end of some words.
  private mutating func takeTitles(_ words: inout [Range<Int>], leaving count: Int) {
    var titles: [Range<Int>] = []
    while words.count > count, let word = words.last, isTitle(word) {
      titles.insert(word, at: 0)
      words.removeLast()
    }
    for word in titles { take(title: word) }
  }

  private func takePrefix(_ words: inout [Range<Int>], leaving count: Int) {
    while words.count > count, let word = words.first, text.span.isAmong(Self.prefixes, word) {
      words.removeFirst()
    }
  }

  private mutating func take(title word: Range<Int>) {
    if suffix == nil, NameSuffix.isSuffix(text.span, word) { suffix = word } else { credentials.append(word) }
  }

  private func isTitle(_ word: Range<Int>) -> Bool {
    NameSuffix.isSuffix(text.span, word) || Credential.isKnown(text, word)
  }

  private func write(_ part: NamePart, _ scratch: inout [UInt8]) -> Normalised {
    let words =
      switch part {
      case .last: last
      case .first: Array(given.prefix(1))
      case .middle: Array(given.dropFirst())
      case .suffix: suffix.map { [$0] } ?? []
      case .credential: credentials
      }
    guard let start = words.first else { return .blank }
    var value = Array(text[start])
    for word in words.dropFirst() { value += (part == .credential ? [0x2C, 0x20] : [0x20]) + text[word] }
    let whole = 0..<value.count
    switch part {
    case .suffix: return Self.copied(value, &scratch) { NameSuffix.suffix($0, whole, .utf8, &$1) }
    case .credential: return Self.copied(value, &scratch) { Credential.list($0, whole, .utf8, &$1) }
    case .last, .first, .middle:
      // JP Smith: two capitals of a name that has small letters too are initials.
      let isPlain = value.count > 3 || LetterCase.isUniform(text.span) || LetterCase.hasSmall(value.span)
      return Self.copied(value, &scratch) {
        (isPlain ? PersonName.name : TextNormalisation.line)($0, whole, .utf8, &$1)
      }
    }
  }

  /// What is made of a value, in the scratch array whatever it is.
  private static func copied(
    _ value: [UInt8], _ scratch: inout [UInt8], by normalise: (Span<UInt8>, inout [UInt8]) -> Normalised
  ) -> Normalised {
    let found = normalise(value.span, &scratch)
    guard case .slice(let range) = found else { return found }
    scratch = Array(value[range])
    return .scratch
  }

  private static func words(of text: [UInt8], in range: Range<Int>) -> [Range<Int>] {
    runs(of: text, in: range) { $0 == 0x20 }
  }

  private static func runs(
    of text: [UInt8], in range: Range<Int>, separator: (UInt8) -> Bool
  ) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var place = range.lowerBound
    while let run = TextWords.next(in: text, from: place, to: range.upperBound, separator: separator) {
      runs.append(run)
      place = run.upperBound
    }
    return runs
  }

  /// What people are called before their names.
  private static let prefixes: [StaticString] = [
    "DR", "DR.", "MR", "MR.", "MRS", "MRS.", "MS", "MS.", "MISS", "PROF", "PROF.", "DOCTOR", "PROFESSOR",
  ]
}
