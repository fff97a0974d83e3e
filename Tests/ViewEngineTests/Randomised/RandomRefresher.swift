import Definitions
import Host
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// One who refreshes while others write and refresh.
enum RandomRefresher {
  /// What became of the views that it refreshed.
  struct Tally: Sendable {
    var incremental = 0
    var full = 0
    var unchanged = 0
    /// Left as they were, since another session stood in the way.
    var conflicts = 0
    /// Left as they were, since one that they read was.
    var skipped = 0
  }

  /// Refreshes once, or again and again until a moment of `Machine.seconds`, and counts.
  static func start(
    _ database: TestDatabase, _ definitions: [ViewDefinition], until end: Double = 0,
    counting tally: Shared<Tally>
  ) -> Background {
    Background {
      let (engine, connection) = (ViewEngine(definitions), try database.connect())
      repeat {
        for view in try engine.refresh(RefreshRequest(lockWait: 600), on: connection) {
          try tally.change { try $0.count(view) }
        }
      } while Machine.seconds < end
    }
  }
}

extension RandomRefresher {
  /// What the server calls an error; empty where it is not the server's.
  static func sqlState(_ error: (any Error)?) -> String {
    (error as? PostgreSQLError)?.sqlState ?? (error as? ViewProblem)?.sqlState ?? ""
  }
}

extension RandomRefresher.Tally {
  mutating func count(_ view: ViewRefresh) throws {
    switch view.outcome {
    case .refreshed where view.kind == .incremental: incremental += 1
    case .refreshed: full += 1
    case .unchanged: unchanged += 1
    case .skipped: skipped += 1
    case .failed:
      let state = RandomRefresher.sqlState(view.error)
      try #require(RandomSession.isConflict(state), "\(view.view): \(String(describing: view.error))")
      conflicts += 1
    }
  }
}
