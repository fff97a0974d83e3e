/// Telephone numbers as E.164, with what is dialled after them apart.
///
/// ```
/// 8607144820             +18607144820
/// (860) 549-2020 x12     +18605492020, extension 12
/// (+1) 734-677-7777      +17346777777
/// tel:+1-734-677-7777    +17346777777
/// +44 20 7946 0958       +442079460958
/// 9999999999             blank: all digits are the same, which means none
/// ```
///
/// A number without a country's code is of the North American plan. Of an address elsewhere only a number
/// that says its country is understood, `+49 6371 9464` or `00 49 6371 9464`: what its digits mean otherwise
/// is the matter of that country, and `3145907269` in Germany is no number of Missouri.
enum PhoneNumber {
  /// A number with its country's code; without one it is of the North American plan.
  static func number(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    number(field, range, isAbroad: false, &scratch)
  }

  /// A number of an address in a country that is not of the North American plan.
  static func numberAbroad(
    _ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]
  ) -> Normalised {
    number(field, range, isAbroad: true, &scratch)
  }

  private static func number(
    _ field: Span<UInt8>, _ range: Range<Int>, isAbroad: Bool, _ scratch: inout [UInt8]
  ) -> Normalised {
    let range = withoutScheme(field, range)
    let areTenDigits = range.count == 10 && field.areDigits(range)
    if areTenDigits, !isAbroad { return areaCodeAndNumber(field, range, &scratch) }
    guard let end = areTenDigits ? range.upperBound : endOfNumber(field, range) else {
      return .invalid(.notPhone)
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(ASCII.plus)
    var hasPlus = false
    for place in range.lowerBound..<end {
      if ASCII.isDigit(field[place]) { scratch.append(field[place]) }
      hasPlus = hasPlus || field[place] == ASCII.plus
    }
    if isFiller(scratch) { return .blank }
    if hasPlus || takePrefix(isAbroad: isAbroad, &scratch) {
      // An area code and seven digits are behind North America's 1, and no country's code begins with 0.
      let isRight =
        scratch.count > 1 && scratch[1] == ASCII.zero &+ 1
        ? isNorthAmerican(scratch) : (9...16).contains(scratch.count) && scratch[1] != ASCII.zero
      return isRight ? .scratch : .invalid(.notPhone)
    }
    if isAbroad { return .invalid(.notPhone) }
    if scratch.count == 11 { scratch.insert(ASCII.zero &+ 1, at: 1) }
    return isNorthAmerican(scratch) ? .scratch : .invalid(.notPhone)
  }

  /// A number of ten digits, which is how nearly all are written: an area code and seven digits.
  private static func areaCodeAndNumber(
    _ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]
  ) -> Normalised {
    let first = field[range.lowerBound]
    guard range.contains(where: { field[$0] != first }) else { return .blank }
    guard isAreaCode(first) else { return .invalid(.notPhone) }
    scratch.replace(with: "+1")
    scratch.append(field, range)
    return .scratch
  }

  /// Takes what is dialled before the code of another country: 011 in North America, 00 in most of the others.
  private static func takePrefix(isAbroad: Bool, _ scratch: inout [UInt8]) -> Bool {
    guard scratch.count > 12 || isAbroad && scratch.count > 10 else { return false }
    let zero = ASCII.zero
    guard scratch[1] == zero else { return false }
    if scratch[2] == zero &+ 1, scratch[3] == zero &+ 1, scratch.count > 12 {
      scratch.removeSubrange(1...3)
    } else if isAbroad, scratch[2] == zero {
      scratch.removeSubrange(1...2)
    } else {
      return false
    }
    return true
  }

  /// Whether a number is 1, an area code and seven digits.
  private static func isNorthAmerican(_ number: [UInt8]) -> Bool {
    number.count == 12 && number[1] == ASCII.zero &+ 1 && isAreaCode(number[2])
  }

  /// Whether an area code begins with a digit: with neither 0 nor 1.
  private static func isAreaCode(_ first: UInt8) -> Bool { first >= ASCII.zero &+ 2 }

  /// The place of a number without the scheme before it, `tel:` or another of RFC 3966 and its kind.
  @inline(__always)
  private static func withoutScheme(_ field: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    // Most begin with a digit.
    guard !range.isEmpty, ASCII.isUpper(ASCII.upper(field[range.lowerBound])) else { return range }
    return behindScheme(field, range)
  }

  private static func behindScheme(_ field: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    for scheme in schemes where range.count > scheme.utf8CodeUnitCount {
      let end = range.lowerBound &+ scheme.utf8CodeUnitCount
      guard field.isWord(scheme, at: range.lowerBound..<end) else { continue }
      var start = end
      while start < range.upperBound, field[start] == 0x20 || field[start] == ASCII.slash { start &+= 1 }
      return start..<range.upperBound
    }
    return range
  }

  private static let schemes: [StaticString] = ["TEL:", "TEL.", "FAX:", "SMS:", "CALLTO:", "PHONE:"]

  /// The digits that follow a number after `x`, `ext`, `extension` or `#`.
  static func `extension`(
    _ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]
  ) -> Normalised {
    let range = withoutScheme(field, range)
    if field.areDigits(range) { return .blank }
    guard let end = endOfNumber(field, range) else { return .invalid(.notPhone) }
    scratch.removeAll(keepingCapacity: true)
    for place in end..<range.upperBound where ASCII.isDigit(field[place]) { scratch.append(field[place]) }
    return scratch.isEmpty ? .blank : .scratch
  }

  /// A number, and behind `;ext=` what is dialled after it.
  static func numberAndExtension(
    _ field: Span<UInt8>, _ range: Range<Int>, isAbroad: Bool = false, _ scratch: inout [UInt8]
  ) -> Normalised {
    let number = self.number(field, range, isAbroad: isAbroad, &scratch)
    let range = withoutScheme(field, range)
    guard case .scratch = number, !field.areDigits(range), let end = endOfNumber(field, range) else {
      return number
    }
    var hasExtension = false
    for place in end..<range.upperBound where ASCII.isDigit(field[place]) {
      if !hasExtension { scratch.append(contentsOf: ";ext=".utf8) }
      hasExtension = true
      scratch.append(field[place])
    }
    return number
  }

  /// Where the number ends and its extension begins; nil where something is there that neither has.
  private static func endOfNumber(_ field: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var place = range.lowerBound
    var isFirst = true
    while place < range.upperBound, isOfNumber(field[place], isFirst: isFirst) {
      // A plus sign may be in parentheses with its code.
      if ASCII.isDigit(field[place]) || field[place] == ASCII.plus { isFirst = false }
      place &+= 1
    }
    let end = place
    guard place < range.upperBound else { return end }
    // A semicolon or a comma may be before the word.
    while place < range.upperBound, isSeparator(field[place]) { place &+= 1 }
    let word = place
    while place < range.upperBound, ASCII.isUpper(ASCII.upper(field[place])) { place &+= 1 }
    let isMarked = word..<place
    guard
      field.isAmong(marks, isMarked) || isMarked.isEmpty && place < range.upperBound && field[place] == 0x23
    else {
      return nil
    }
    if isMarked.isEmpty { place &+= 1 }
    let digits = place
    while place < range.upperBound, ASCII.isDigit(field[place]) || isSeparator(field[place]) { place &+= 1 }
    return place == range.upperBound && place > digits ? end : nil
  }

  private static func isOfNumber(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case 0x20, 0x28, 0x29, 0x2D, 0x2E, 0x2F: true  // blank ( ) - . /
    case ASCII.plus: isFirst
    default: ASCII.isDigit(byte)
    }
  }

  /// Blank, comma, point, colon, semicolon, equals sign.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x2C, 0x2E, 0x3A, 0x3B, 0x3D: true
    default: false
    }
  }

  private static let marks: [StaticString] = ["X", "EXT", "EXTN", "EXTENSION"]

  /// Whether all digits are the same, which is how "none" is written where a number must be.
  private static func isFiller(_ number: [UInt8]) -> Bool {
    guard number.count > 7 else { return false }
    for place in 2..<number.count where number[place] != number[1] { return false }
    return true
  }
}
