/// An exact decimal number: whole units of a power of ten.
///
/// `-12.50` is -1250 units at scale 2.
///
/// Numbers of different scales compare by value: `1.5` equals `1.50`.
public struct ScaledDecimal: Sendable {
  /// The number without its point.
  public let units: Int128
  /// The digits after the point.
  public let scale: Int

  /// A number of `units` at `scale` digits after the point, from 0 to 38.
  init(units: Int128, scale: Int) {
    self.units = units
    self.scale = scale
  }

  /// The number a text writes in plain notation; nil if it is none or has more than 38 digits.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  /// The number that bytes write in plain notation, such as the canonical bytes of a `decimal` or an
  /// `integer`; nil if they are none or have more than 38 digits, leading and trailing zeros not counted.
  public init?(_ bytes: Span<UInt8>) {
    var index = 0
    var isNegative = false
    if let first = bytes.count > 0 ? bytes[0] : nil, first == ASCII.minus || first == ASCII.plus {
      isNegative = first == ASCII.minus
      index = 1
    }
    // Eighteen digits fit into 64 bits, and nearly every number has no more.
    if bytes.count &- index <= 19, let short = Self.short(bytes, from: index) {
      self.init(units: Int128(isNegative ? -short.units : short.units), scale: short.scale)
    } else if let long = Self.long(bytes, from: index) {
      self.init(units: isNegative ? -long.units : long.units, scale: long.scale)
    } else {
      return nil
    }
  }

  /// The number in at most 18 digits; nil if it has more or is none.
  @inline(__always)
  static func short(_ bytes: Span<UInt8>, from start: Int) -> (units: Int64, scale: Int)? {
    var units: Int64 = 0
    var pointAt = -1
    for index in start..<bytes.count {
      let byte = bytes[index]
      if ASCII.isDigit(byte) {
        units = units &* 10 &+ Int64(byte &- ASCII.zero)
      } else if byte == ASCII.point, pointAt < 0 {
        pointAt = index
      } else {
        return nil
      }
    }
    let digits = bytes.count &- start &- (pointAt < 0 ? 0 : 1)
    guard digits > 0, digits <= 18 else { return nil }
    return (units, pointAt < 0 ? 0 : bytes.count &- pointAt &- 1)
  }

  private static func long(_ bytes: Span<UInt8>, from start: Int) -> (units: Int128, scale: Int)? {
    var end = bytes.count
    var point: Int?
    for index in start..<bytes.count {
      if bytes[index] == ASCII.point, point == nil {
        point = index
      } else if !ASCII.isDigit(bytes[index]) {
        return nil
      }
    }
    guard bytes.count &- start &- (point == nil ? 0 : 1) > 0 else { return nil }
    if let point {
      while end > point &+ 1, bytes[end &- 1] == ASCII.zero { end &-= 1 }
    }
    var units: Int128 = 0
    var significant = 0
    for index in start..<end where index != point {
      significant += significant > 0 || bytes[index] != ASCII.zero ? 1 : 0
      guard significant <= ValueType.mostDigits else { return nil }
      units = units * 10 + Int128(bytes[index] &- ASCII.zero)
    }
    let scale = point.map { end &- $0 &- 1 } ?? 0
    return scale <= ValueType.mostDigits ? (units, scale) : nil
  }

  /// The units at a finer scale; nil if that many do not fit.
  private func units(atScale finer: Int) -> Int128? {
    var result = units
    for _ in scale..<finer {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      result = product
    }
    return result
  }
}

extension ScaledDecimal: Comparable {
  /// Whether both are the same number, whatever their scales.
  public static func == (left: Self, right: Self) -> Bool {
    !(left < right) && !(right < left)
  }

  /// Whether the left number is the smaller one, exactly.
  public static func < (left: Self, right: Self) -> Bool {
    if left.scale == right.scale { return left.units < right.units }
    if left.scale < right.scale {
      // A number that does not fit at the finer scale is farther from zero than any that is given at it.
      guard let units = left.units(atScale: right.scale) else { return left.units < 0 }
      return units < right.units
    }
    guard let units = right.units(atScale: left.scale) else { return right.units > 0 }
    return left.units < units
  }
}

extension ScaledDecimal: CustomStringConvertible {
  /// The number in plain notation with all digits of its scale.
  public var description: String {
    let digits = String(units.magnitude)
    let sign = units < 0 ? "-" : ""
    guard scale > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
    return sign + padded.dropLast(scale) + "." + padded.suffix(scale)
  }
}
