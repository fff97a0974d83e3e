import TestSupport

/// A ``RandomSession`` that does its part of every round on a thread of its own.
///
/// Unchecked: between its start and the end of that thread nobody else uses it.
final class RandomWriter: @unchecked Sendable {
  private(set) var session: RandomSession

  init(_ database: TestDatabase, seed: UInt64) throws {
    session = try RandomSession(database.connect(), seed: seed, lockTimeout: "200ms")
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
