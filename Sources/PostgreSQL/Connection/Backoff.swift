/// How long to wait before something that failed is tried again: about 1, 2, 4 seconds, and so on.
///
/// Each wait is taken from between four fifths and six fifths of that, so that many programs that lost the
/// same server do not come back to it at the same moment.
///
/// ```swift
/// var backoff = Backoff(retries: 3)
/// while let seconds = backoff.next(chance: .random(in: 0..<1)) { ... }
/// ```
public struct Backoff: Sendable {
  /// How often something is tried again.
  public let retries: Int
  /// How often it has been tried again.
  public private(set) var used = 0

  /// The longest wait, in seconds, before chance has its part in it.
  static let longest = 60.0

  /// - Parameter retries: how often something is tried again; with 0 it is not.
  public init(retries: Int) { self.retries = retries }

  /// The wait before the next try, in seconds; nil where there have been enough. `chance` is from 0 to 1.
  public mutating func next(chance: Double) -> Double? {
    guard used < retries else { return nil }
    var pause = 1.0
    for _ in 0..<used where pause < Backoff.longest { pause *= 2 }
    used += 1
    return min(pause, Backoff.longest) * (0.8 + 0.4 * chance)
  }
}
