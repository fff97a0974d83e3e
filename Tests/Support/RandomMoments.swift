/// Random moments at which to kill a command that is run again and again: they follow how long it takes just
/// then, on this machine and beside whatever else that does.
public struct RandomMoments: Sendable {
  /// The moments lie within this many seconds of the start.
  public private(set) var window: Double
  /// How often the command was still running.
  public private(set) var hits = 0

  /// - Parameter seconds: how long the command took undisturbed.
  public init(within seconds: Double) { window = seconds }

  /// Seconds after the start.
  public func next() -> Double { .random(in: 0...window) }

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
