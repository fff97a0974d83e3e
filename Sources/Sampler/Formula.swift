import Values

/// What a value in a row is.
enum ValueKind: Equatable {
  /// A whole number of units of ten to the power of minus `scale`: 125 at scale 2 is 1.25.
  case number(scale: Int)
  /// The number of a text in the ``TextPool``.
  case text
  /// 1 for true, 0 for false.
  case flag
  /// A calendar date as days since the first of January 1970, and how it is written.
  case date(ValueType.DateOrder)
  /// A code of one of the table's ranges: range and ordinal, as ``CodeRange/value(range:ordinal:)`` packs
  /// them.
  case code(table: String)

  var name: String {
    switch self {
    case .number: "a number"
    case .text: "a text"
    case .flag: "a condition"
    case .code: "a code"
    case .date: "a date"
    }
  }
}

/// What formulas read and write: the values of a row, and the row's random numbers.
struct Frame {
  /// The values, each at the place that the table gave its column.
  var values: [Int64]
  /// The random numbers of the row.
  var random: RandomStream
  /// The numbers of the names of the quirks that the sample has, in the ``TextPool``.
  var quirks: Set<Int64> = []
  /// Whether a number has left what 64 bits hold.
  var hasOverflowed = false
}

/// A formula ready to be used: its kind, and how to work it out.
struct Formula {
  /// How many digits after the point a number may have before it must be rounded.
  static let mostScale = 12

  let kind: ValueKind
  let value: (inout Frame) -> Int64

  /// The same value for every row.
  static func constant(_ value: Int64, _ kind: ValueKind) -> Formula {
    Formula(kind: kind) { _ in value }
  }

  /// The value of a column.
  static func column(_ place: Int, _ kind: ValueKind) -> Formula {
    Formula(kind: kind) { $0.values[place] }
  }

  /// Ten to a power from 0 to 18.
  static func power(_ exponent: Int) -> Int64 {
    (0..<min(max(exponent, 0), 18)).reduce(1) { power, _ in power * 10 }
  }

  /// The same number at a scale that is not smaller.
  func scaled(from scale: Int, to wanted: Int) -> Formula {
    guard wanted > scale else { return self }
    let factor = Self.power(wanted - scale)
    return Formula(kind: .number(scale: wanted)) { [value] in
      Self.checked(value(&$0).multipliedReportingOverflow(by: factor), &$0)
    }
  }

  /// The number rounded once, half away from zero, or with zeros put on.
  func rounded(from scale: Int, to wanted: Int) -> Formula {
    guard wanted < scale else { return scaled(from: scale, to: wanted) }
    let divisor = Self.power(scale - wanted)
    return Formula(kind: .number(scale: wanted)) { [value] in
      let (quotient, rest) = value(&$0).quotientAndRemainder(dividingBy: divisor)
      if rest.magnitude &* 2 < divisor.magnitude { return quotient }
      return rest < 0 ? quotient &- 1 : quotient &+ 1
    }
  }

  /// What an operation of two values makes.
  static func pair(
    _ one: Formula, _ other: Formula, _ kind: ValueKind,
    _ operation: @escaping (Int64, Int64, inout Frame) -> Int64
  ) -> Formula {
    Formula(kind: kind) { [one = one.value, other = other.value] in
      let first = one(&$0)
      return operation(first, other(&$0), &$0)
    }
  }

  /// The result of an operation, or 0 with a mark in the frame where it does not fit.
  static func checked(_ result: (partialValue: Int64, overflow: Bool), _ frame: inout Frame) -> Int64 {
    if result.overflow {
      frame.hasOverflowed = true
      return 0
    }
    return result.partialValue
  }
}
