import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Migrations beside traffic.
@Suite("A migration that waits for a table's lock")
struct TableLockTests {
  private let own: OwnMigrations

  init() throws {
    own = try OwnMigrations()
    try own.execute("CREATE TABLE busy (n int)")
    try own.write("1_before.sql", up: "CREATE TABLE before (n int);")
    try own.write("2_busy.sql", up: "CREATE TABLE half (n int);\nALTER TABLE busy ADD m int;")
  }

  @Test(
    "tries again and then stops within the given time, with nothing kept, and nobody waits behind it for long"
  )
  func timesOut() async throws { try await aside { try stops() } }

  private func stops() throws {
    let holder = try own.database.connect()
    try holder.execute("BEGIN; LOCK TABLE busy IN ACCESS SHARE MODE")
    let reader = Reader(of: "busy", in: own.database)
    var reports: [String] = []
    let started = Date.now
    let found = complaint {
      try own.up {
        ($0.lockTimeout, $0.lockWait) = ("1s", 40)
        $0.tell = { reports.append($0) }
      }
    }
    #expect(found.hasPrefix("2_busy.sql:3:") && found.contains("55P03"))
    let taken = Date.now.timeIntervalSince(started)
    let waited = reader.stop()
    #expect(taken >= 35 && taken < 180, "took \(taken) s")
    #expect(reports.count >= 2, "it tries several times: \(reports)")
    // Without the time-out it would have waited for all of the forty seconds.
    #expect(waited > 0.5 && waited < 20, "a reader waited \(waited) s")
    #expect(try own.tables() == "beforebusy")
    try holder.execute("COMMIT")
    #expect(try own.up() == ["2"])
  }

  @Test("is applied once the lock is released")
  func succeeds() throws {
    let holder = try own.database.connect()
    try holder.execute("BEGIN; LOCK TABLE busy IN ACCESS SHARE MODE")
    nonisolated(unsafe) let held = holder
    // A thread of its own: the tests' pool may be taken by the tests.
    Thread.detachNewThread {
      usleep(400_000)
      _ = try? held.execute("COMMIT")
    }
    try own.up { ($0.lockTimeout, $0.lockWait) = ("50ms", 120) }
    #expect(try own.states() == "1:applied 2:applied")
  }

  @Test("waits as long as its section says")
  func option() throws {
    try own.scratch.write("2_busy.sql", "-- rivulet:up lock_timeout=1ms\nALTER TABLE busy ADD m int;")
    let holder = try own.database.connect()
    try holder.execute("BEGIN; LOCK TABLE busy IN ACCESS SHARE MODE")
    let started = Date.now
    #expect(throws: MigrationError.self) { try own.up { ($0.lockTimeout, $0.lockWait) = ("1h", 0.3) } }
    #expect(Date.now.timeIntervalSince(started) < 60)
  }

  @Test("is ended by its own time-out for statements")
  func statementTimeout() throws {
    try own.scratch.write("2_busy.sql", "-- rivulet:up statement_timeout=50ms\nSELECT pg_sleep(10);")
    #expect(complaint { try own.up() }.contains("57014"))
  }

  @Test("outside a transaction waits as long as all tries together, and leaves no invalid index for good")
  func concurrently() throws {
    try own.write("2_busy.sql", up: "CREATE INDEX CONCURRENTLY busy_idx ON busy (n);")
    let holder = try own.database.connect()
    try holder.execute("BEGIN; LOCK TABLE busy IN ROW EXCLUSIVE MODE")
    let started = Date.now
    #expect(complaint { try own.up { ($0.lockTimeout, $0.lockWait) = ("50ms", 1) } }.contains("55P03"))
    #expect(Date.now.timeIntervalSince(started) > 0.9)
    try holder.execute("COMMIT")
    #expect(try own.up() == ["2"])
    #expect(try own.database.value("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == "0")
  }
}
