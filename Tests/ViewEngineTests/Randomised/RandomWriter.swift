import Host
import TestSupport

/// A ``RandomSession`` that does its part of every round on a thread of its own.
///
/// Unchecked: between its start and the end of that thread nobody else uses it.
final class RandomWriter: @unchecked Sendable {
  private(set) var session: RandomSession

  init(_ database: TestDatabase, seed: UInt64, of family: RandomChanges.Family? = nil) throws {
    session = try RandomSession(database.connect(), seed: seed, of: family, lockTimeout: "200ms")
  }

  /// Goes on until a moment of `Machine.seconds`, at so many transactions a second where the machine can; one of
  /// so many is wild.
  func start(until end: Double, perSecond pace: Int, wildEvery wild: Int = 200) -> Background {
    Background { [self] in
      let beginning = Machine.seconds
      var number = 0
      while Machine.seconds < end {
        session.changes.isWild = number % wild == wild - 1
        try session.release()
        try session.run()
        if number % 10 == 9 { try session.hold() }
        number += 1
        Machine.sleep(seconds: max(0, beginning + Double(number) / Double(pace) - Machine.seconds))
      }
      try session.release()
    }
  }

  /// Begins a round.
  func start(isWild: Bool) -> Background {
    Background { [self] in
      session.changes.isWild = isWild
      for _ in 0..<12 {
        try session.release()
        try session.run()
        // For the next transaction, or through the refresh at the end of the round.
        if session.changes.holds() { try session.hold() }
      }
      if isWild { try session.release() }
    }
  }
}
