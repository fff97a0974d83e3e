/// Random moments at which to kill a command that is run again and again: they follow how long it takes just
/// then, on this machine and beside whatever else that does.
public struct RandomMoments: Sendable {
  /// The moments lie within this many seconds of the start.
  public private(set) var window: Double
  /// How often the command was still running.
  public private(set) var hits = 0
  private var numbers: RandomNumbers

  /// - Parameter seconds: how long the command took undisturbed.
  public init(within seconds: Double) {
    window = seconds
    numbers = RandomNumbers(seed: Seed.announced("random moments within \(seconds) s"))
  }

  /// Seconds after the start.
  public mutating func next() -> Double { window * Double(numbers.below(1 << 30)) / Double(1 << 30) }

  /// Up to 0.3 s, in microseconds: for whatever else takes a moment now and then.
  public mutating func delay() -> UInt32 { UInt32(numbers.below(300_000)) }

  /// Records whether the command was still running at a moment.
  public mutating func note(isHit: Bool, at moment: Double) {
    if isHit {
      hits += 1
      window *= 1.03
    } else {
      window = max(moment, window * 0.7)
    }
  }
}
