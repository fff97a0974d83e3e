/// Random numbers that a seed repeats.
public struct RandomNumbers: Sendable {
  private var state: UInt64

  /// Numbers of a seed.
  public init(seed: UInt64) { state = seed }

  /// One from 0, less than a bound.
  public mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ mixed >> 31) % UInt64(bound))
  }

  /// True once in so many times.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of the choices.
  public mutating func pick<Value>(_ choices: [Value]) -> Value { choices[below(choices.count)] }
}
