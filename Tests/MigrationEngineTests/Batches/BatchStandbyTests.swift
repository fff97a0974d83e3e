import Glibc
import PostgreSQL
import Synchronization
import TestSupport
import Testing

@testable import MigrationEngine

/// Batches on a server that a standby follows.
@Suite("A batch before standbys")
struct BatchStandbyTests {
  private let standby: Standby

  init() throws { standby = try Standby() }

  @Test("waits until the standby is not late any more")
  func late() throws {
    let database = try standby.primary.makeDatabase()
    try database.connect().execute(
      "CREATE TABLE visit (id int PRIMARY KEY, norm int); INSERT INTO visit (id) SELECT generate_series(1, 100)"
    )
    let folder = try Scratch()
    try folder.write(
      "1_norm.sql",
      "-- rivulet:up\n-- rivulet:batch visit id 2 max_lag=500ms pause=100ms\nUPDATE visit SET norm = id WHERE {batch};"
    )
    let replica = try standby.connect()
    try replica.execute("SELECT pg_wal_replay_pause()")
    let done = "SELECT count(norm) FROM visit"
    let counts = Mutex<[String?]>([])
    let other = Mutex<Background?>(nil)
    nonisolated(unsafe) let held = replica
    var said: [String] = []
    var engine = MigrationEngine(connection: try database.connect(), folder: try MigrationFolder(folder.path))
    engine.tell = { sentence in
      said.append(sentence)
      guard said.count == 1 else { return }
      other.withLock {
        $0 = Background {
          // Nothing is done meanwhile.
          for pause: UInt32 in [0, 1_500_000] {
            usleep(pause)
            let count = try database.value(done)
            counts.withLock { $0.append(count) }
          }
          try held.execute("SELECT pg_wal_replay_resume()")
        }
      }
    }
    try engine.up(.natural) { _, _ in }
    try #require(other.withLock { $0 }).wait()
    #expect(said.first?.hasPrefix("a standby replays ") == true, "\(said)")
    let (before, after) = counts.withLock { ($0.first ?? nil, $0.last ?? nil) }
    #expect(before == after && before != "100", "\(before ?? "") \(after ?? "")")
    #expect(try database.value(done) == "100")
  }

  @Test("says once that it cannot know how late they are where the role may not")
  func unseen() throws {
    let connection = try standby.primary.makeDatabase().connect()
    try connection.execute("CREATE ROLE blind; SET ROLE blind")
    var said: [String] = []
    var lag = StandbyLag(connection, limit: TimeSpan(seconds: 1)) { said.append($0) }
    for _ in 1...3 { try lag.wait() }
    #expect(said.count == 1 && said[0].contains("GRANT pg_read_all_stats"), "\(said)")
  }
}
