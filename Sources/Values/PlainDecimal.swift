/// The numbers of a type and a range as nearly all files write them, recognised in one pass over their bytes:
/// digits with at most one point among them.
///
/// What it does not know may be right all the same: a number with a sign or with blanks around it, or one of
/// more than 18 characters.
public struct PlainDecimal: Sendable {
  /// The least and the most that a number may be, in whole units of each scale from 0 to the type's.
  private let limits: [(low: Int64, high: Int64)]
  /// An integer has none, not even at its end.
  private let mayHavePoint: Bool

  /// The numbers of a type, and of a range where one is given; nil where the type is none of numbers.
  public init?(_ type: ValueType, in range: DecimalRange?) {
    let (whole, scale): (Int, Int)
    switch type {
    case .decimal(let precision, let decimals): (whole, scale) = (precision - decimals, decimals)
    case .integer: (whole, scale) = (ValueType.mostDigits, 0)
    default: return nil
    }
    mayHavePoint = type != .integer
    let most = mayHavePoint ? .max : Int64(Int32.max)
    limits = (0...min(scale, Self.mostDigits)).map { scale in
      let (low, high) = range?.units(atScale: scale) ?? (0, .max)
      return (low, min(high, most, Self.largest(digits: whole + scale)))
    }
  }

  /// So many digits fit into 64 bits.
  private static let mostDigits = 18

  /// The largest number of so many digits, as far as it fits.
  private static func largest(digits: Int) -> Int64 {
    (0..<min(digits, mostDigits)).reduce(0) { number, _ in number * 10 + 9 }
  }

  /// Whether a field is such a number, with nothing around it.
  public func holds(_ field: Span<UInt8>) -> Bool {
    guard field.count <= Self.mostDigits else { return false }
    var units: Int64 = 0
    var point = -1
    for place in field.indices {
      let digit = field[place] &- ASCII.zero
      if digit < 10 {
        units = units &* 10 &+ Int64(digit)
      } else if field[place] == ASCII.point, point < 0, mayHavePoint {
        point = place
      } else {
        return false
      }
    }
    let scale = point < 0 ? 0 : field.count &- point &- 1
    let digits = field.count &- (point < 0 ? 0 : 1)
    guard digits > 0, scale < limits.count else { return false }
    return units >= limits[scale].low && units <= limits[scale].high
  }
}
