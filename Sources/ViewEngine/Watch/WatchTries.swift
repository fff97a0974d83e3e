/// Which views could not be refreshed while changes are watched for, and when each is tried again.
///
/// Times are seconds of a clock that never goes back.
struct WatchTries {
  /// What came of the last try.
  private struct Failure {
    /// The error, as text.
    let reason: String
    /// What waited to be computed.
    let waiting: [ViewBacklog.Reason]
    let time: Double
    /// How long nothing is tried again, where nothing else waits by then, in seconds.
    let pause: Double
  }

  private var failures: [String: Failure] = [:]
  private var refreshes: [String: Double] = [:]

  /// So long a view is left alone at least after it has failed, in seconds.
  static let leastPause = 1.0
  /// So long at most.
  static let longestPause = 60.0
  /// So often a view is computed of whose sources nobody can say whether they have changed, and which says
  /// itself how far it may lag behind, in seconds.
  static let untrackedPause = 60.0

  /// Whether any view has failed at its last try.
  var hasFailures: Bool { !failures.isEmpty }

  /// How long a view is still to be left alone, in seconds; 0 where it may be tried.
  ///
  /// `waiting`: what waits to be computed now. Where that is something else it may go better.
  func pause(of view: String, waiting: [ViewBacklog.Reason], at now: Double) -> Double {
    guard let failure = failures[view] else { return 0 }
    let pause = failure.waiting == waiting ? failure.pause : Self.leastPause
    return max(0, failure.time + pause - now)
  }

  /// How long a view is still to be left alone for whose changes nobody can speak, in seconds.
  func untrackedPause(of view: String, at now: Double) -> Double {
    refreshes[view].map { max(0, $0 + Self.untrackedPause - now) } ?? 0
  }

  /// A view has failed. False where it has for the same reason before.
  mutating func fail(
    _ view: String, _ reason: String, waiting: [ViewBacklog.Reason], at now: Double
  ) -> Bool {
    let last = failures[view]
    let pause = last.map { min(2 * $0.pause, Self.longestPause) } ?? Self.leastPause
    failures[view] = Failure(reason: reason, waiting: waiting, time: now, pause: pause)
    return last?.reason != reason
  }

  /// A view is as it should be. True where it had failed before.
  mutating func succeed(_ view: String, at now: Double) -> Bool {
    refreshes[view] = now
    return failures.removeValue(forKey: view) != nil
  }

  /// Forgets views that are there no more.
  mutating func keep(_ isThere: (String) -> Bool) {
    failures = failures.filter { isThere($0.key) }
    refreshes = refreshes.filter { isThere($0.key) }
  }
}
