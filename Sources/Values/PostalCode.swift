/// ZIP codes, taken apart, and postal codes of other countries.
///
/// ```
/// 061051208     06105 and 1208
/// 04102-3134    04102 and 3134
/// 41023134      04102 and 3134: a ZIP+4 of eight digits has lost its leading zero
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
    // No ZIP code begins with three zeros.
    guard range.count == 3 || range.count == 4, field.areDigits(range) else {
      return code(field, range, encoding, &scratch)
    }
    return CodeNormalisation.digits(field, range, 5, &scratch)
  }

  /// The four digits that a ZIP+4 has more; blank where there are none, and where they are zeros.
  static func addOn(_ field: Span<UInt8>, _ range: Range<Int>) -> Normalised {
    guard range.count >= 8, digitsOfZIP(field, range) != nil else { return .blank }
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
