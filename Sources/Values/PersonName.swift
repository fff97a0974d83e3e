/// The names of people: how their letters are written where a source has only capitals, or only small
/// letters.
///
/// ```
/// O'BRIEN           O'Brien
/// MCDONALD          McDonald
/// GALVEZ-PISCIONI   Galvez-Piscioni
/// VAN DER VOORT     Van der Voort: a particle is small, but not as the first word of a field
/// VERGO, JR.        Vergo, Jr.
/// SMITH III         Smith III
/// MACDONALD         Macdonald: nobody can tell it from Macey
/// MacDonald         MacDonald, as it is written
/// N/A  --  .        blank: see ``Placeholder``
/// ```
///
/// A text of both cases is kept as it is: its writer knew better.
enum PersonName {
  /// A last, first or middle name, every run of blanks one blank.
  static func name(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    TextNormalisation.recased(field, range, encoding, &scratch) { recase(&$0) }
  }

  private static func recase(_ text: inout [UInt8]) {
    LetterCase.lower(&text, 0..<text.count)
    var place = 0
    var isFirst = true
    while let word = TextWords.next(in: text, from: place, separator: isBetweenNames) {
      place = word.upperBound
      let isLast =
        TextWords.next(in: text, from: word.upperBound, separator: isBetweenNames) == nil
      if !isFirst, isLast, text.span.isAmong(numerals, word) {
        LetterCase.upper(&text, word)
      } else if isFirst || isLast || !text.span.isAmong(particles, word) {
        capitalise(&text, word)
      }
      isFirst = false
    }
  }

  /// Sets the capitals of one name: the first letter, that after `O'`, after `Mc`, and after the point of an
  /// initial.
  static func capitalise(_ text: inout [UInt8], _ word: Range<Int>) {
    LetterCase.capitalise(&text, at: word.lowerBound)
    let isOfMc =
      word.count > 3 && text[word.lowerBound] == UInt8(ascii: "M")
      && text[word.lowerBound + 1] == UInt8(ascii: "c")
    if isOfMc { LetterCase.capitalise(&text, at: word.lowerBound + 2) }
    for place in word.dropFirst() {
      let count = TextWords.apostrophe(in: text, at: place)
      // That of a genitive has one letter behind it.
      if count > 0, place + count + 1 < word.upperBound, LetterCase.isLetter(text[place + count + 1]) {
        LetterCase.capitalise(&text, at: place + count)
      }
      if text[place] == ASCII.point { LetterCase.capitalise(&text, at: place + 1) }
    }
  }

  /// Blank, comma, hyphen, slash and parentheses.
  private static func isBetweenNames(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x2C, 0x2D, 0x2F, 0x28, 0x29: true
    default: false
    }
  }

  /// Words between names that begin with a small letter.
  static let particles: [StaticString] = [
    "AF", "AV", "BIN", "DA", "DAS", "DE", "DEL", "DELLA", "DEN", "DER", "DES", "DI", "DO", "DOS", "DU", "IBN",
    "LA",
    "LAS", "LOS", "TEN", "TER", "VAN", "VOM", "VON", "Y", "ZU", "ZUM", "ZUR",
  ]

  /// Which of a name it is; `I` and `V` are initials.
  private static let numerals: [StaticString] = ["II", "III", "IV", "VI", "VII", "VIII", "IX"]
}

extension Span<UInt8> {
  /// Whether a place holds one of some words of capitals, in whatever letter case.
  func isAmong(_ words: [StaticString], _ range: Range<Int>) -> Bool {
    words.contains { isWord($0, at: range) }
  }
}

extension TextNormalisation {
  /// A name on one line whose letter case is set where it says nothing: all capitals, or all small letters;
  /// blank where it says by its form that there is none.
  static func recased(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8],
    by recase: (inout [UInt8]) -> Void
  ) -> Normalised {
    switch line(field, range, encoding, &scratch) {
    case .slice(let range):
      let name = field.extracting(range)
      if Placeholder.isMark(name) { return .blank }
      guard LetterCase.isUniform(name) else { return .slice(range) }
      scratch.removeAll(keepingCapacity: true)
      for place in range { scratch.append(field[place]) }
    case .scratch:
      if Placeholder.isMark(scratch.span) { return .blank }
      guard LetterCase.isUniform(scratch.span) else { return .scratch }
    case let other: return other
    }
    recase(&scratch)
    return .scratch
  }
}
