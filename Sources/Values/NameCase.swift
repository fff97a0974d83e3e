/// How the letters of names are written where a source has only capitals, or only small letters.
///
/// ```
/// O'BRIEN           O'Brien
/// MCDONALD          McDonald
/// GALVEZ-PISCIONI   Galvez-Piscioni
/// VAN DER VOORT     Van der Voort: a particle is small, but not as the first word of a field
/// VERGO, JR.        Vergo, Jr.
/// SMITH III         Smith III
/// OWUSU - ABROKWA   Owusu-Abrokwa
/// MACDONALD         Macdonald: nobody can tell it from Macey
/// MacDonald         MacDonald, as it is written
/// N/A  --  .        blank: see ``Placeholder``
///
/// HOSPITAL OF SAINT RAPHAEL            Hospital of Saint Raphael
/// HARBOR HEALTH SERVICES, INC.         Harbor Health Services, Inc.
/// FOX VALLEY OPEN MRI, LLC             Fox Valley Open MRI, LLC
/// BINSON'S SUPPLIES                    Binson's Supplies
/// BCS THERAPY SERVICES P.A.            BCS Therapy Services P.A.: what has no vowel is an abbreviation
/// UAB HOSPITAL                         UAB Hospital: so are three letters that are no word and no name
/// ```
///
/// A text of both cases is kept as it is: its writer knew better.
enum NameCase {
  /// A last, first or middle name of people, every run of blanks one blank.
  static func person(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    guard !NameHyphen.isParted(field.extracting(range)) else {
      return TextNormalisation.onLine(field, range, encoding, &scratch) { text, scratch in
        let name = NameHyphen.joined(text)
        return copied(name, &scratch) { recasedPerson($0, name.indices, .utf8, &$1) }
      }
    }
    return recasedPerson(field, range, encoding, &scratch)
  }

  private static func recasedPerson(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    recased(field, range, encoding, &scratch, separator: isBetweenNames) { text, word, isFirst in
      let isLast = TextWords.next(in: text, from: word.upperBound, separator: isBetweenNames) == nil
      if !isFirst, isLast, text.span.isAmong(numerals, word) { return .capitals }
      return isFirst || isLast || !text.span.isAmong(particles, word) ? .name : .small
    }
  }

  /// The name of an organisation, every run of blanks one blank.
  static func organization(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    let ampersand = UInt8(ascii: "&")
    return recased(
      field, range, encoding, &scratch, separator: { $0 == ampersand || isBetweenNames($0) }
    ) { text, word, isFirst in
      if isAbbreviation(text.span, word) { return .capitals }
      return isFirst || !text.span.isAmong(smallWords, word) ? .name : .small
    }
  }

  /// What is made of a value, in the scratch array whatever it is.
  static func copied(
    _ value: [UInt8], _ scratch: inout [UInt8], by normalise: (Span<UInt8>, inout [UInt8]) -> Normalised
  ) -> Normalised {
    let found = normalise(value.span, &scratch)
    guard case .slice(let range) = found else { return found }
    scratch = Array(value[range])
    return .scratch
  }

  /// How a word is written.
  private enum Style {
    case capitals, name, small
  }

  /// A name on one line whose letter case is set where it says nothing: all capitals, or all small letters;
  /// blank where it says by its form that there is none.
  private static func recased(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8],
    separator: (UInt8) -> Bool, style: (_ text: [UInt8], _ word: Range<Int>, _ isFirst: Bool) -> Style
  ) -> Normalised {
    let line = TextNormalisation.line(field, range, encoding, &scratch)
    switch line {
    case .slice(let range):
      let name = field.extracting(range)
      if Placeholder.isMark(name) { return .blank }
      guard LetterCase.isUniform(name) else { return line }
      scratch.replace(with: field, range)
    case .scratch:
      if Placeholder.isMark(scratch.span) { return .blank }
      guard LetterCase.isUniform(scratch.span) else { return line }
    default: return line
    }
    LetterCase.lower(&scratch, 0..<scratch.count)
    var place = 0
    var isFirst = true
    while let word = TextWords.next(in: scratch, from: place, separator: separator) {
      place = word.upperBound
      switch style(scratch, word, isFirst) {
      case .capitals: LetterCase.upper(&scratch, word)
      case .name: capitalise(&scratch, word)
      case .small: break
      }
      isFirst = false
    }
    return .scratch
  }

  /// Sets the capitals of one name: the first letter, that after `O'`, after `Mc`, and after the point of an
  /// initial.
  private static func capitalise(_ text: inout [UInt8], _ word: Range<Int>) {
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

  static let vowels = Array("AEIOUY".utf8)

  /// Words between names that begin with a small letter.
  static let particles: [StaticString] = [
    "AF", "AV", "BIN", "DA", "DAS", "DE", "DEL", "DELLA", "DEN", "DER", "DES", "DI", "DO", "DOS", "DU", "IBN",
    "LA", "LAS", "LOS", "TEN", "TER", "VAN", "VOM", "VON", "Y", "ZU", "ZUM", "ZUR",
  ]

  /// Which of a name it is; `I` and `V` are initials.
  private static let numerals: [StaticString] = ["II", "III", "IV", "VI", "VII", "VIII", "IX"]

  /// Words that begin with a small letter within the name of an organisation.
  private static let smallWords: [StaticString] = ["OF", "AND", "THE", "FOR", "AT", "IN", "ON", "TO", "BY"]
}
