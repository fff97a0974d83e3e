/// Numbers in the plain notation: a sign, digits, one point.
///
/// No exponent, separator, currency or parentheses.
enum NumberNormalisation {
  /// At most `whole` digits before the point, not counting leading zeros, and `scale` after it, not counting
  /// trailing zeros, so that PostgreSQL neither refuses nor rounds.
  ///
  /// `.5` and `1.` are numbers to PostgreSQL too.
  static func decimal(_ field: Span<UInt8>, _ range: Range<Int>, whole: Int, scale: Int) -> Normalised {
    var index = afterSign(field, range)
    let wholeStart = index
    while index < range.upperBound, field[index] == ASCII.zero { index &+= 1 }
    let significant = index
    while index < range.upperBound, ASCII.isDigit(field[index]) { index &+= 1 }
    let wholeDigits = index &- significant
    var digits = index &- wholeStart
    var decimals = 0
    if index < range.upperBound, field[index] == ASCII.point {
      index &+= 1
      let start = index
      while index < range.upperBound, ASCII.isDigit(field[index]) {
        if field[index] != ASCII.zero { decimals = index &- start &+ 1 }
        index &+= 1
      }
      digits &+= index &- start
    }
    guard index == range.upperBound, digits > 0 else { return .invalid(.notDecimal) }
    guard wholeDigits <= whole else { return .invalid(.decimalTooLarge) }
    guard decimals <= scale else { return .invalid(.tooManyDecimals) }
    return .slice(range)
  }

  static func integer(_ field: Span<UInt8>, _ range: Range<Int>) -> Normalised {
    let start = afterSign(field, range)
    guard start < range.upperBound else { return .invalid(.notInteger) }
    var magnitude: Int64 = 0
    var isTooLarge = false
    for index in start..<range.upperBound {
      guard ASCII.isDigit(field[index]) else { return .invalid(.notInteger) }
      magnitude = magnitude &* 10 &+ Int64(field[index] &- ASCII.zero)
      // Held down so that no number of digits can overflow.
      if magnitude > 1 << 31 { (isTooLarge, magnitude) = (true, 0) }
    }
    let isNegative = field[range.lowerBound] == ASCII.minus
    guard !isTooLarge, magnitude <= Int64(Int32.max) + (isNegative ? 1 : 0) else {
      return .invalid(.integerTooLarge)
    }
    return .slice(range)
  }

  @inline(__always)
  private static func afterSign(_ field: Span<UInt8>, _ range: Range<Int>) -> Int {
    let first = field[range.lowerBound]
    return first == ASCII.minus || first == ASCII.plus ? range.lowerBound &+ 1 : range.lowerBound
  }
}
