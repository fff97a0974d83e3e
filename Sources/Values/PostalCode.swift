/// ZIP codes, taken apart, and postal codes of other countries.
///
/// ```
/// 061051208     06105 and 1208
/// 04102-3134    04102 and 3134
/// 41023134      04102 and 3134: a ZIP+4 of eight digits has lost its leading zero
/// 9261234       00926 and 1234, where the address is in the United States: Puerto Rico's begin with two zeros
/// K1A 0B1       K1A 0B1
/// ```
enum PostalCode {
  /// The five digits of a ZIP code; a text that is none as it is written.
  static func code(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    let start = range.lowerBound
    switch digitsOfZIP(field, range) {
    case 5: return .slice(start..<(start &+ 5))
    case 4: return CodeNormalisation.digits(field, start..<(start &+ 4), 5, &scratch)
    default: return TextNormalisation.line(field, range, encoding, &scratch)
    }
  }

  /// The same of an address in the United States: `6001` is 06001, of which a spreadsheet has made a number.
  ///
  /// Elsewhere four digits are a postal code as they are written, which is why a layout has to say so.
  static func zip(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    let code = zipDigits(field, range)
    guard !code.isEmpty else { return self.code(field, range, encoding, &scratch) }
    return CodeNormalisation.digits(field, code, 5, &scratch)
  }

  /// The place of a ZIP code that has lost zeros, alone or before the four digits of a ZIP+4; empty where there
  /// is none.
  private static func zipDigits(_ field: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    let start = range.lowerBound
    let count =
      switch range.count {
      case 3, 4: field.areDigits(range) ? range.count : 0
      case 7: field.areDigits(range) ? 3 : 0
      case 8: isDashed(field, range, after: 3) ? 3 : 0
      default: 0
      }
    // Two zeros are lost of 00501 to 00988: none is lower.
    return count == 3 && field[start] < ASCII.zero &+ 5 ? start..<start : start..<(start &+ count)
  }

  /// The four digits that a ZIP+4 has more; blank where there are none, and where they are zeros.
  static func addOn(_ field: Span<UInt8>, _ range: Range<Int>) -> Normalised {
    guard range.count >= 7, digitsOfZIP(field, range) != nil || zipDigits(field, range).count == 3 else {
      return .blank
    }
    let last = (range.upperBound &- 4)..<range.upperBound
    for place in last where field[place] != ASCII.zero { return .slice(last) }
    return .blank
  }

  /// How many digits mean the ZIP code itself, 5, or 4 where the leading zero is lost; nil where there is
  /// none.
  private static func digitsOfZIP(_ field: Span<UInt8>, _ range: Range<Int>) -> Int? {
    switch range.count {
    case 5, 9: field.areDigits(range) ? 5 : isDashed(field, range, after: 4) ? 4 : nil
    case 8: field.areDigits(range) ? 4 : nil
    case 10: isDashed(field, range, after: 5) ? 5 : nil
    default: nil
    }
  }

  /// Whether so many digits, a dash or a blank, and four digits are there.
  private static func isDashed(_ field: Span<UInt8>, _ range: Range<Int>, after count: Int) -> Bool {
    let dash = range.lowerBound &+ count
    guard range.count == count &+ 5, field[dash] == ASCII.minus || field[dash] == 0x20 else { return false }
    return field.areDigits(range.lowerBound..<dash) && field.areDigits((dash &+ 1)..<range.upperBound)
  }
}
