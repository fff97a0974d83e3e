import Host

/// When something that failed is tried again: after which failures, after which pauses, how often or how
/// long.
///
/// For what can be done twice only. Chance has its part in each pause, so that many programs that lost the
/// same server, or two that wait for each other's locks, do not come back at the same moment.
///
/// ```swift
/// try RetryPolicy.locks(seconds: 60).run { _ in try connection.transaction { ... } }
/// ```
public struct RetryPolicy: Sendable {
  /// The failures after which a new try may succeed.
  public let causes: Set<TransientCause>
  /// The pause before the first new try, in seconds, without chance.
  let firstPause: Double
  /// How many times as long each pause is as the one before.
  let growth: Double
  /// By how much of itself chance makes a pause shorter or longer.
  let spread: Double
  /// How often something is tried again at most.
  let retries: Int
  /// How long all tries and pauses may take together, in seconds.
  let seconds: Double
  /// The longest pause, in seconds, without chance.
  var longestPause = 60.0

  /// With less than this left, in seconds, another try is not worth while.
  private static let leastLeft = 0.05

  /// For connections that were lost or cannot be made, and transactions that others have undone: about 1, 2,
  /// 4 seconds of pause, and so on.
  public static func connections(retries: Int) -> RetryPolicy {
    RetryPolicy(
      causes: [.connection, .unreachable, .serialization, .deadlock], firstPause: 1, growth: 2, spread: 0.2,
      retries: retries, seconds: .infinity)
  }

  /// For what lasts until it is ended, and comes again whatever has kept it: about 0.2, 0.4, 0.8 seconds of
  /// pause and so on, up to 30.
  public static let lasting = RetryPolicy(
    causes: [.connection, .unreachable, .serialization, .deadlock, .lockTimeout], firstPause: 0.2, growth: 2,
    spread: 0.2, retries: .max, seconds: .infinity, longestPause: 30)

  /// For locks that others hold, with nothing held during a pause: who waits for a lock holds up all who come
  /// later.
  ///
  /// - Parameters:
  ///   - seconds: how long all tries and pauses may take together.
  ///   - pause: the pause before each new try, in seconds; chance takes or adds up to half.
  ///   - others: the failures beside a lock that was not released in time.
  /// - Returns: the policy.
  public static func locks(
    seconds: Double, pause: Double = 0.3, and others: Set<TransientCause> = [.deadlock]
  ) -> RetryPolicy {
    RetryPolicy(
      causes: others.union([.lockTimeout]), firstPause: pause, growth: 1, spread: 0.5, retries: .max,
      seconds: seconds)
  }

  /// A new try that is to come.
  public struct NextTry {
    /// What made the last one fail.
    public let error: any TransientError
    /// From 1.
    public let number: Int
    /// The pause before it, in seconds.
    public let pause: Double
    /// What is left for the pause and all tries, in seconds.
    public let secondsLeft: Double
  }

  /// Does something, again after a pause where it fails for one of the ``causes``.
  ///
  /// - Parameters:
  ///   - isStopped: whether nothing is to be tried again any more.
  ///   - report: called before each pause.
  ///   - body: takes how long all tries may still take, in seconds.
  /// - Returns: what `body` returned.
  /// - Throws: what the last try threw, and `Interrupted` as soon as the program is asked to end during a
  ///   pause.
  @discardableResult
  public func run<Value>(
    isStopped: () -> Bool = { false }, report: (NextTry) -> Void = { _ in }, _ body: (Double) throws -> Value
  ) throws -> Value {
    var pauses = pauses()
    while true {
      do {
        return try body(pauses.secondsLeft)
      } catch {
        guard let error = error as? any TransientError, let cause = error.transientCause,
          causes.contains(cause), !Interruption.shared.isRaised, !isStopped()
        else { throw error }
        let left = pauses.secondsLeft
        guard let pause = pauses.next() else { throw error }
        report(NextTry(error: error, number: pauses.count, pause: pause, secondsLeft: left))
        try Interruption.shared.sleep(seconds: pause)
      }
    }
  }

  /// The pauses, for what finds out by itself whether it is to try again; their time begins now.
  public func pauses() -> Pauses { Pauses(policy: self) }

  /// The pauses before new tries, one after the other.
  public struct Pauses {
    private let policy: RetryPolicy
    private let deadline: Double
    /// How many there were.
    public private(set) var count = 0

    fileprivate init(policy: RetryPolicy) {
      self.policy = policy
      deadline = Machine.seconds + policy.seconds
    }

    /// How long all tries may still take, in seconds.
    public var secondsLeft: Double { deadline - Machine.seconds }

    /// The next one, in seconds; nil where there is to be no new try. `chance` is from 0 to 1.
    public mutating func next(chance: Double = .random(in: 0..<1)) -> Double? {
      guard count < policy.retries else { return nil }
      var pause = policy.firstPause
      for _ in 0..<count where policy.growth > 1 && pause < policy.longestPause {
        pause *= policy.growth
      }
      pause = min(pause, policy.longestPause) * (1 - policy.spread + 2 * policy.spread * chance)
      // Half of what is left is for the try.
      let left = secondsLeft
      pause = min(pause, left / 2)
      guard left - pause > RetryPolicy.leastLeft else { return nil }
      count += 1
      return pause
    }
  }
}
