/// A stream of random numbers that a seed and a place decide (SplitMix64).
///
/// Every row has a stream of its own, so that a row can be made again without those before it.
struct RandomStream {
  private var state: UInt64
  /// What distinguishes the row from all others, whatever has been drawn.
  private let row: UInt64

  /// The stream of one row of one table.
  init(seed: UInt64, table: Int, row: Int) {
    var mixed = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    mixed = Self.mix(mixed ^ (UInt64(truncatingIfNeeded: table) &+ 0xD1B5_4A32_D192_ED03))
    self.row = Self.mix(mixed ^ (UInt64(truncatingIfNeeded: row) &* 0x8CB9_2BA7_2F3D_8DD7))
    state = self.row
  }

  /// A number from 0 up to, not including, a bound, the same for the same key however often the row asks for
  /// it.
  func number(_ key: Int64, below bound: UInt64) -> UInt64 {
    let place = UInt64(bitPattern: key) &* 0xA24B_AED4_963E_E407 &+ 0x9FB2_1C65_1E98_DF25
    return Self.mix(row ^ Self.mix(place)).multipliedFullWidth(by: bound).high
  }

  /// A number from 0 up to, not including, a bound; 0 for a bound of 0.
  mutating func next(below bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state).multipliedFullWidth(by: bound).high
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
