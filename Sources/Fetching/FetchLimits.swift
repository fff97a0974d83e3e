/// How long a server is waited for, and how often it is asked.
public struct FetchLimits: Sendable {
  /// How often something is tried again after a failure that may pass. A try that brought ``worthwhile``
  /// bytes does not count.
  public var retries = 4
  /// Seconds before the first new try; each later pause is twice as long.
  public var pause = 1.0
  /// The longest pause, in seconds.
  public var longestPause = 30.0
  /// The longest wait that a server may ask for (Retry-After), in seconds.
  public var longestWait = 120
  /// Seconds within which a connection must be made, and after which a transfer slower than ``leastSpeed`` is
  /// cut.
  public var timeout = 30
  /// Bytes in a second.
  public var leastSpeed = 1_000
  /// Bytes that make a failed try a success of its own.
  public var worthwhile = 1 << 20
  /// How often an answer may send on to another address.
  public var redirects = 10

  /// What suits publishers' servers.
  public init() {}

  /// The pause before a new try, in seconds.
  func pause(before retry: Int) -> Double {
    var pause = self.pause
    for _ in 1..<max(1, retry) where pause < longestPause { pause *= 2 }
    return min(pause, longestPause)
  }
}
