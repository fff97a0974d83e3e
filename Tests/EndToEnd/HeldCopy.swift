import Dispatch
import Foundation
import TestSupport

/// Keeps the rows of PPRRVU back between a run and its server, which is in the middle of their COPY until
/// they are let go.
final class HeldCopy: Sendable {
  /// A session that is in the middle of that COPY, of a table of `pg_stat_activity`.
  static let isCopying =
    "datname = current_database() AND state = 'active' AND query LIKE 'COPY \"cms\".\"rvu\\_%'"

  private let gate: DispatchSemaphore
  private let proxy: ServerProxy
  private let database: TestDatabase

  init(_ database: TestDatabase) throws {
    let gate = DispatchSemaphore(value: 0)
    self.gate = gate
    self.database = database
    proxy = try ServerProxy(to: database) { talk in
      if talk.before.contains("COPY \"cms\".\"rvu_") {
        gate.wait()
        gate.signal()
      }
      return .pass
    }
  }

  deinit { letGo() }

  /// The program, behind this.
  var program: Program { Program(database: proxy.url) }

  /// Lets all rows go, from now on.
  func letGo() { gate.signal() }

  /// Waits until a run is in the middle of the COPY.
  func isReached() throws -> Bool {
    try database.finds("SELECT FROM pg_stat_activity WHERE \(Self.isCopying)")
  }

  /// Ends a session of those that a condition is for, once the COPY is reached; false where there is none. It is
  /// over then: what is asked of a session that has yet to end fails, and is not tried again.
  func ends(_ condition: String = isCopying) throws -> Bool {
    try database.finds(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND \(condition)
        AND EXISTS (SELECT FROM pg_stat_activity WHERE \(Self.isCopying)) LIMIT 1
      """)
  }

  /// Waits until nothing is copied any more.
  func isOver() throws -> Bool {
    try database.finds("SELECT WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE \(Self.isCopying))")
  }
}
