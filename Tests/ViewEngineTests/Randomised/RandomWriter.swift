import PostgreSQL
import TestSupport

/// A ``RandomSession`` on a thread of its own.
final class RandomWriter: Sendable {
  let round: Round
  let tally: Shared<RandomSession.Tally>
  private let isWild: Shared<Bool>

  init(_ database: TestDatabase, seed: UInt64) {
    let (tally, isWild) = (Shared(RandomSession.Tally()), Shared(false))
    (self.tally, self.isWild) = (tally, isWild)
    round = Round {
      var session = try RandomSession(database.connect(), seed: seed, lockTimeout: "200ms")
      return {
        session.changes.isWild = isWild.value
        for _ in 0..<12 {
          try session.release()
          try session.run()
          // For the next transaction, or through the refresh at the end of the round.
          if session.changes.holds() { try session.hold() }
        }
        if session.changes.isWild { try session.release() }
        tally.change { $0 = session.tally }
      }
    }
  }

  /// Begins a round.
  func start(isWild wild: Bool) {
    isWild.change { $0 = wild }
    round.start()
  }
}
