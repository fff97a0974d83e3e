/// Social security numbers of the United States, which are never stored: records that are kept as they came have
/// asterisks in the place of their digits.
///
/// Source: 20 CFR 422.103; the systems' names by HL7, us-ssn and its OID 2.16.840.1.113883.4.1, the type's code
/// SS by HL7 table 0203.
public enum SocialSecurityNumber {
  /// Puts asterisks in the place of the digits of each number, so that nothing changes its place.
  ///
  /// `123-45-6789` is one wherever it is; `123 45 6789` and `123456789` are where such numbers are said to
  /// be, by the bytes themselves or, where `areNamed` says so, by what is above them. What is none and looks
  /// like one there goes with them.
  public static func withhold(in bytes: inout [UInt8], areNamed: Bool) {
    let areNamed = areNamed || isNamed(in: bytes)
    var place = 0
    while let start = bytes[place...].firstIndex(where: ASCII.isDigit) {
      let end = endOfDigits(bytes, start)
      place = end
      if let whole = number(bytes, start, end, areNamed), !isWithin(bytes, start, whole) {
        for digit in start..<whole where ASCII.isDigit(bytes[digit]) { bytes[digit] = mark }
        place = whole
      }
    }
  }

  /// Whether a value is, or has, what ``withhold(in:areNamed:)`` leaves of a number.
  public static func isWithheld(in bytes: Span<UInt8>) -> Bool {
    var marks = 0
    for place in 0..<bytes.count {
      // The separators stay.
      if bytes[place] == mark { marks += 1 } else if !(marks > 0 && isSeparator(bytes[place])) { marks = 0 }
      if marks == digits { return true }
    }
    return false
  }

  /// Whether something says that such a number is there: the name of a column or a property, or what FHIR calls
  /// the system and the type of one, in any letter case.
  ///
  /// A record may be large: it is looked at where it is.
  public static func isNamed(in bytes: [UInt8]) -> Bool {
    let bytes = bytes.span
    for place in bytes.indices {
      switch ASCII.upper(bytes[place]) {
      case UInt8(ascii: "S"):
        if isWord(bytes, place) || starts(names, bytes, place) { return true }
      case UInt8(ascii: "2"), UInt8(ascii: "\""), UInt8(ascii: "'"):
        if starts(names, bytes, place) { return true }
      default: break
      }
    }
    return false
  }

  private static let names = [
    "2.16.840.1.113883.4.1\"", "2.16.840.1.113883.4.1'", "\"SS\"", "'SS'", "SOCIAL SECURITY",
    "SOCIALSECURITY", "SOCIAL_SECURITY", "SOCIAL-SECURITY",
  ].map { Array($0.utf8) }

  private static let word = Array("SSN".utf8)

  private static func starts(_ names: [[UInt8]], _ bytes: Span<UInt8>, _ place: Int) -> Bool {
    names.contains { end(of: $0, bytes, place) != nil }
  }

  /// Whether `SSN` is there, and is no part of a longer word.
  private static func isWord(_ bytes: Span<UInt8>, _ place: Int) -> Bool {
    guard var end = end(of: word, bytes, place) else { return false }
    var before = place - 1
    while before >= 0, bytes[before] == backslash { before -= 1 }
    while end < bytes.count, bytes[end] == backslash { end += 1 }
    func isLetter(_ byte: UInt8) -> Bool { ASCII.isUpper(ASCII.upper(byte)) }
    return !(before >= 0 && isLetter(bytes[before])) && !(end < bytes.count && isLetter(bytes[end]))
  }

  /// Where a name ends that begins at a place, in any letter case; nil where it does not. A slash in JSON may have
  /// a backslash before it.
  private static func end(of name: [UInt8], _ bytes: Span<UInt8>, _ start: Int) -> Int? {
    var place = start
    for letter in name {
      while place < bytes.count, bytes[place] == backslash { place += 1 }
      guard place < bytes.count, ASCII.upper(bytes[place]) == letter else { return nil }
      place += 1
    }
    return place
  }

  private static let backslash = UInt8(ascii: "\\")
  private static let mark = UInt8(ascii: "*")
  private static let digits = 9

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
  }

  private static func endOfDigits(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes[start...].firstIndex { !ASCII.isDigit($0) } ?? bytes.count
  }

  /// The end of a number that begins with the digits between two places; nil where they begin none.
  private static func number(_ bytes: [UInt8], _ start: Int, _ end: Int, _ areNamed: Bool) -> Int? {
    if end - start == digits { return areNamed ? end : nil }
    guard end - start == 3, end < bytes.count, isSeparator(bytes[end]), areNamed || bytes[end] != 0x20 else {
      return nil
    }
    let middle = endOfDigits(bytes, end + 1)
    guard middle - end == 3, middle < bytes.count, bytes[middle] == bytes[end] else { return nil }
    let last = endOfDigits(bytes, middle + 1)
    return last - middle == 5 ? last : nil
  }

  /// Whether it is a part of something longer, as of a date, a decimal or another number with hyphens.
  private static func isWithin(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
    let before = start >= 2 ? bytes[(start - 2)..<start] : []
    let after = bytes[end..<min(end + 2, bytes.count)]
    func joins(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") }
    return joins(before.last) && ASCII.isDigit(before.first ?? 0)
      || joins(after.first) && after.count == 2 && ASCII.isDigit(after.last ?? 0)
  }
}
