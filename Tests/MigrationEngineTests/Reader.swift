import Foundation
import PostgreSQL
import Synchronization
import TestSupport

/// Somebody who reads a table over and over, and would mind nobody but a migration.
final class Reader: Sendable {
  private let isOver = Atomic(false)
  private let longest = Mutex(0.0)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(of table: String, in database: TestDatabase) {
    // A thread of its own: the tests' pool may be taken by the tests.
    Thread.detachNewThread { [self] in
      while let connection = try? database.connect(), !isOver.load(ordering: .relaxed) {
        let started = Date.now
        guard (try? connection.execute("SELECT count(*) FROM \(table)")) != nil else { break }
        longest.withLock { $0 = max($0, Date.now.timeIntervalSince(started)) }
        usleep(2000)
      }
      hasEnded.signal()
    }
  }

  /// The longest that a read has taken, in seconds.
  func stop() -> Double {
    isOver.store(true, ordering: .relaxed)
    hasEnded.wait()
    return longest.withLock { $0 }
  }
}
