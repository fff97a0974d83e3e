import Definitions
import Host
import TestSupport
import Testing
import ViewEngine

/// One who holds the views beside their SELECT while others write and refresh: with what waits for them, they
/// equal it in any snapshot.
enum RandomComparer {
  /// What it saw.
  struct Tally: Sendable {
    var exact = 0
    /// Not compared: everything is to be computed.
    var behind = 0
    /// Not compared, since another session stood in the way.
    var conflicts = 0
    /// Views that were not what they should be.
    var different: [String] = []
  }

  /// Compares all views again and again until a moment of `Machine.seconds`, with a pause in seconds between.
  static func start(
    _ database: TestDatabase, _ definitions: [ViewDefinition], pause: Double = 3, until end: Double,
    counting tally: Shared<Tally>
  ) -> Background {
    Background {
      let connection = try database.connect()
      while Machine.seconds < end {
        for found in try ViewEngine(definitions).compare(lockWait: 600, on: connection) {
          try tally.change { try $0.count(found) }
        }
        Machine.sleep(seconds: max(0, min(pause, end - Machine.seconds)))
      }
    }
  }
}

extension RandomComparer.Tally {
  fileprivate mutating func count(_ found: ViewComparison) throws {
    switch found.outcome {
    case .exact: exact += 1
    case .behind: behind += 1
    case .different: different.append("\(found.view): \(found.rows), \(String(describing: found.groups))")
    case .failed:
      let state = RandomRefresher.sqlState(found.error)
      try #require(RandomSession.isConflict(state), "\(found.view): \(String(describing: found.error))")
      conflicts += 1
    }
  }
}
