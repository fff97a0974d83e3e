/// The names of organisations: how their letters are written where a source has only capitals, or only small
/// letters.
///
/// ```
/// HOSPITAL OF SAINT RAPHAEL            Hospital of Saint Raphael
/// HARBOR HEALTH SERVICES, INC.         Harbor Health Services, Inc.
/// FOX VALLEY OPEN MRI, LLC             Fox Valley Open MRI, LLC
/// BINSON'S SUPPLIES                    Binson's Supplies
/// BCS THERAPY SERVICES P.A.            BCS Therapy Services P.A.: what has no vowel is an abbreviation
/// ```
///
/// A text of both cases is kept as it is.
enum OrganizationName {
  /// The name, every run of blanks one blank.
  static func name(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    TextNormalisation.recased(field, range, encoding, &scratch) { recase(&$0) }
  }

  private static func recase(_ text: inout [UInt8]) {
    LetterCase.lower(&text, 0..<text.count)
    var place = 0
    var isFirst = true
    while let word = TextWords.next(in: text, from: place, separator: isBetweenWords) {
      place = word.upperBound
      if isAbbreviation(text.span, word) {
        LetterCase.upper(&text, word)
      } else if isFirst || !text.span.isAmong(smallWords, word) {
        PersonName.capitalise(&text, word)
      }
      isFirst = false
    }
  }

  /// Known as one, letters with points between them, or letters of which none is a vowel.
  private static func isAbbreviation(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
    if text.isAmong(abbreviations, word) { return true }
    if text.isAmong(shortened, word) { return false }
    if isPointed(text, word) { return true }
    var letters = 0
    for place in word {
      let byte = ASCII.upper(text[place])
      guard ASCII.isUpper(byte) else { return false }
      if isVowel(byte) { return false }
      letters += 1
    }
    return letters > 1
  }

  /// Whether each letter but the last has a point behind it: P.A. and L.L.C, but not CORP. or 1ST.
  private static func isPointed(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
    guard word.count > 2 else { return false }
    for (number, place) in word.enumerated() {
      let fits =
        number % 2 == 0 ? ASCII.isUpper(ASCII.upper(text[place])) : text[place] == ASCII.point
      guard fits else { return false }
    }
    return true
  }

  private static func isVowel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A"), UInt8(ascii: "E"), UInt8(ascii: "I"), UInt8(ascii: "O"), UInt8(ascii: "U"),
      UInt8(ascii: "Y"):
      true
    default: false
    }
  }

  /// Blank, comma, hyphen, slash, ampersand and parentheses.
  private static func isBetweenWords(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x2C, 0x2D, 0x2F, 0x26, 0x28, 0x29: true
    default: false
    }
  }

  /// Words that begin with a small letter within a name.
  private static let smallWords: [StaticString] = ["OF", "AND", "THE", "FOR", "AT", "IN", "ON", "TO", "BY"]

  /// Words without a vowel that are no abbreviations of letters.
  private static let shortened: [StaticString] = [
    "LTD", "LTD.", "ST", "ST.", "MT", "MT.", "FT", "FT.", "DR", "DR.", "MR", "MRS", "MS",
  ]

  private static let abbreviations: [StaticString] = [
    "LLC", "PLLC", "LLP", "LP", "PC", "PA", "PLC", "PSC", "LC", "PS", "USA", "US", "MRI", "CT", "PET", "EMS",
    "ER",
    "ICU", "MD", "DO", "DDS", "DMD", "DPM", "OD", "PT", "OT", "ENT", "DME", "HMO", "PPO", "IPA", "ACO", "VA",
    "YMCA",
    "YWCA", "UPMC", "HCA", "USC", "UCLA", "UCSF", "NYU", "DBA", "II", "III", "IV", "NY",
  ]
}
