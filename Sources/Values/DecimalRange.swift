/// The numbers from `low` to `high`, both included: a layout's `range`.
public struct DecimalRange: Sendable {
  /// The smallest number of the range.
  public let low: ScaledDecimal
  /// The largest number of the range.
  public let high: ScaledDecimal

  /// The range in whole units of each scale from 0 on: what a number of that scale and of at most 18 digits
  /// is held against.
  private let lowUnits: [Int64]
  private let highUnits: [Int64]

  /// The range between two numbers; nil if the first is the larger one.
  public init?(low: ScaledDecimal, high: ScaledDecimal) {
    guard low <= high else { return nil }
    self.low = low
    self.high = high
    lowUnits = (0...18).map { Self.units(low, scale: $0, up: true) }
    highUnits = (0...18).map { Self.units(high, scale: $0, up: false) }
  }

  /// Whether a number is in the range.
  public func contains(_ number: ScaledDecimal) -> Bool {
    low <= number && number <= high
  }

  /// Whether the number that canonical bytes of a `decimal` or an `integer` write is in the range; false for
  /// bytes that write none.
  public func contains(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    let isSigned = bytes[0] == ASCII.minus || bytes[0] == ASCII.plus
    // Eighteen digits fit into 64 bits, and nearly every number has no more.
    if bytes.count <= 19, let short = ScaledDecimal.short(bytes, from: isSigned ? 1 : 0) {
      let units = bytes[0] == ASCII.minus ? 0 &- short.units : short.units
      return units >= lowUnits[short.scale] && units <= highUnits[short.scale]
    }
    guard let number = ScaledDecimal(bytes) else { return false }
    return contains(number)
  }

  /// The least and the most that a number of the range may be, in whole units of a scale from 0 to 18.
  func units(atScale scale: Int) -> (low: Int64, high: Int64) { (lowUnits[scale], highUnits[scale]) }

  /// A bound in units of a scale, rounded into the range, held within what 64 bits and 18 digits can have.
  private static func units(_ bound: ScaledDecimal, scale: Int, up: Bool) -> Int64 {
    var units = bound.units
    if bound.scale > scale {
      var divisor: Int128 = 1
      for _ in scale..<bound.scale { divisor *= 10 }
      let (quotient, remainder) = units.quotientAndRemainder(dividingBy: divisor)
      units = quotient
      if up, remainder > 0 { units += 1 }
      if !up, remainder < 0 { units -= 1 }
    } else {
      for _ in bound.scale..<scale {
        let (product, overflow) = units.multipliedReportingOverflow(by: 10)
        guard !overflow else { return bound.units < 0 ? .min : .max }
        units = product
      }
    }
    return Int64(clamping: units)
  }
}

extension DecimalRange: CustomStringConvertible {
  /// The range in words, to follow "must be": `from 0 to 9999`.
  public var description: String { "from \(low) to \(high)" }
}
