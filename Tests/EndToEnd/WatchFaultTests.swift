import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What may go wrong while views are watched.
@Suite("A program that watches views")
struct WatchFaultTests {
  @Test("ends with 0 when it is asked to, and says what it did", arguments: [SIGTERM, SIGINT])
  func ended(signal: Int32) throws {
    let watched = try Watched()
    let program = try watched.watch("--format", "json")
    try watched.expectExact()
    try watched.awaitSleep()
    program.signal(signal)
    let outcome = try program.wait().succeeded()
    #expect(try outcome.at("refreshes", "connections_lost", "views/0") == "4 0 own.by_owner")
  }

  @Test("speaks as other commands do: each refresh with --verbose, the log as JSON, metrics in their file")
  func speech() throws {
    let watched = try Watched()
    let scratch = try Scratch()
    let metrics = scratch.path + "/watch.prom"
    let program = try watched.watch("--log-format", "json", "--verbose", "--metrics", metrics)
    try watched.expectExact()
    try #require(try program.says("own.total: "))
    let log = try watched.end(program).errors.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    let isAllSaid = log.allSatisfy { $0?["level"] != nil && $0?["message"] != nil }
    #expect(isAllSaid && log.contains { $0?["message"] as? String == "watching 4 views" })
    let text = try String(contentsOfFile: metrics, encoding: .utf8)
    #expect(text.contains("rivulet_view_outcome{view=\"own.total\",outcome=\"refreshed\"} 1"), "\(text)")
  }

  @Test("says what is defined and not made, and refreshes it once it is")
  func unmade() throws {
    let watched = try Watched()
    try watched.define("own.new", OwnProject.view(by: "", "SELECT min(amount) AS least FROM own.note"))
    let program = try watched.watch()
    try #require(try program.says("own.new: failed"))
    try watched.expectExact()
    try watched.make()
    try watched.database.connect().execute("INSERT INTO own.note VALUES (1000, 3, -9)")
    try watched.finds("SELECT FROM own.new WHERE least = -9")
  }

  @Test("goes on where another one has ended that it waited for")
  func standby() throws {
    let watched = try Watched()
    let first = try watched.watch()
    try watched.expectExact()
    let second = try watched.program.start(["refresh", "--watch", "--lock-wait", "60"] + watched.project)
    defer { second.signal(SIGKILL) }
    try watched.finds(
      "SELECT FROM pg_stat_activity WHERE application_name LIKE '%process \(second.identifier) on %'")
    first.signal(SIGKILL)
    _ = try first.wait()
    try #require(try second.says("watching 4 views"))
    try watched.database.connect().execute("INSERT INTO own.note VALUES (1000, 3, 500000)")
    try watched.expectExact()
    second.signal(SIGTERM)
    try second.wait().succeeded()
  }

  @Test("asked to end in the middle of a view ends at once, and leaves the view as it was")
  func endedAtWork() throws {
    let watched = try Watched()
    let program = try watched.watch()
    try watched.expectExact()
    let before = try watched.database.rows("TABLE own.by_owner")
    let holder = try watched.database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711); INSERT INTO own.note VALUES (1000, 7, 500000)")
    try #require(try watched.database.findsWaiter(forLock: 4711))
    try watched.end(program)
    #expect(try watched.database.rows("TABLE own.by_owner") == before)
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try watched.program.run(["refresh"] + watched.project).succeeded()
    try watched.expectExact()
  }

  @Test("is named by 'views list' until it ends, however it ends, and no other can be started")
  func known() throws {
    let watched = try Watched()
    let (program, project) = (watched.program, watched.project)
    func list() throws -> Program.Outcome {
      try program.run(["views", "list", "--format", "json"] + project).succeeded()
    }
    #expect(try list().at("watched_by") == "null")
    let first = try watched.watch()
    let session = try #require(
      try watched.database.value("SELECT a.pid \(Watched.session(with: "rivulet watch"))"))
    let listed = try list()
    #expect(try listed.at("watched_by/process") == session)
    #expect(try listed.at("watched_by/program").contains("process \(first.identifier) on "))
    #expect(try listed.at("watched_by/since").hasSuffix("Z"))
    try program.run(["views", "list"] + project).succeeded(showing: "watched: session \(session), ")
    try program.run(["doctor", "locks"] + project).succeeded(
      showing: "session \(session) ", "'rivulet watch'")
    try program.run(["refresh", "--watch"] + project).failed(
      4, saying: "session \(session)", "process \(first.identifier)")
    first.signal(SIGKILL)
    _ = try first.wait()
    // Nothing of it is in its way.
    let second = try watched.watch()
    try watched.end(second)
    try watched.finds("SELECT WHERE NOT EXISTS (SELECT \(Watched.session(with: "rivulet watch")))")
    #expect(try list().at("watched_by") == "null")
  }

  @Test("comes back after its session was ended, asleep or at work, and has lost nothing")
  func terminated() throws {
    let watched = try Watched()
    let program = try watched.watch()
    try watched.expectExact()
    let connection = try watched.database.connect()
    let terminate = "SELECT pg_terminate_backend(a.pid, 5000) \(Watched.session(with: "rivulet watch"))"
    try watched.awaitSleep()
    try connection.execute("\(terminate); INSERT INTO own.note VALUES (1000, 3, 500000)")
    try watched.expectExact()
    try connection.execute("SELECT pg_advisory_lock(4711); INSERT INTO own.note VALUES (1001, 7, 600000)")
    try #require(try watched.database.findsWaiter(forLock: 4711))
    try connection.execute("\(terminate); SELECT pg_advisory_unlock(4711)")
    try watched.expectExact()
    let outcome = try watched.end(program)
    #expect(outcome.errors.split(separator: "\n").filter { $0.contains("connected again") }.count == 2)
  }

  @Test("comes back after its server was gone, and says so once")
  func restarted() throws {
    let server = try CrashingServer()
    let watched = try Watched(in: server.makeDatabase())
    let program = try watched.watch()
    try watched.expectExact()
    try watched.awaitSleep()
    try server.crash()
    try #require(try program.says("trying again until it is ended"))
    try server.start()
    try #require(try program.says("connected again: watching 4 views"))
    try watched.database.connect().execute("INSERT INTO own.note VALUES (1000, 3, 500000)")
    try watched.expectExact()
    try watched.end(program)
  }

  @Test("does not wait for a server that is not there at the start")
  func notThere() throws {
    let watched = try Watched()
    let nowhere = Program(database: "postgresql://127.0.0.1:1/nowhere")
    try nowhere.run(["refresh", "--watch"] + watched.project).failed(1, saying: "127.0.0.1:1")
  }

  @Test("lets sessions prepare transactions, and shows what these have written")
  func preparedTransactions() throws {
    let server = try CrashingServer()
    let database = try server.makeDatabase()
    try database.connect().execute("ALTER SYSTEM SET max_prepared_transactions = 4")
    try server.crash()
    try server.start()
    let watched = try Watched(in: database)
    _ = try watched.watch()
    try watched.expectExact()
    // Longer than it takes to fall asleep.
    usleep(4_000_000)
    let writer = try database.connect()
    try writer.execute(
      "BEGIN; INSERT INTO own.note VALUES (1000, 3, 500000); UPDATE own.other SET divisor = 3")
    try writer.execute("PREPARE TRANSACTION 'later'")
    try writer.execute("COMMIT PREPARED 'later'")
    try watched.expectExact()
  }

  @Test("reports a view that fails once, keeps the others up to date, and refreshes it when it can be")
  func failing() throws {
    let watched = try Watched()
    let program = try watched.watch()
    try watched.expectExact()
    let connection = try watched.database.connect()
    try connection.execute("INSERT INTO own.other VALUES (2, 0)")
    try #require(try program.says("own.share: failed"))
    for amount in [500_000, 600_000, 700_000] {
      try connection.execute("INSERT INTO own.note VALUES (\(amount), 3, \(amount))")
      try watched.finds("SELECT FROM own.top WHERE amount >= \(amount)")
    }
    try connection.execute("UPDATE own.other SET divisor = 2 WHERE divisor = 0")
    try #require(try program.says("own.share: refreshed again"))
    try watched.expectExact()
    let outcome = try watched.end(program)
    #expect(outcome.errors.split(separator: "\n").filter { $0.contains("own.share: failed") }.count == 1)
  }

  @Test("leaves a view alone that somebody else refreshes, and is no failure then")
  func busy() throws {
    let watched = try Watched()
    let program = try watched.watch()
    try watched.expectExact()
    let other = try watched.database.connect()
    try other.execute("SELECT pg_advisory_lock(hashtextextended('rivulet view own.by_owner', 7711))")
    try other.execute("INSERT INTO own.note VALUES (1000, 3, 500000)")
    try watched.finds("SELECT FROM own.top WHERE amount >= 500000")
    try other.execute("SELECT pg_advisory_unlock_all()")
    try watched.expectExact()
    try watched.end(program).withholding("failed")
  }

  @Test("is refused with options that make no sense for it, and behind a transaction pooler")
  func refused() throws {
    let watched = try Watched()
    for other in [["--full"], ["--stale"], ["--check"], ["--on", "2025-01-01"]] {
      try watched.program.run(["refresh", "--watch"] + other + watched.project)
        .failed(2, saying: "--watch and \(other[0]) exclude each other")
    }
    try watched.program.run(["refresh", "--pause", "1"] + watched.project).failed(2, saying: "--watch")
    try watched.program.run(["refresh", "--watch", "--pause", "no"] + watched.project)
      .failed(2, saying: "--pause takes seconds")
    let pooler = try PgBouncer(mode: "transaction", poolSize: 2, roundRobin: true, to: watched.database)
    try Program(database: pooler.target.specification).run(["refresh", "--watch"] + watched.project)
      .failed(1, saying: "transaction pooler")
  }

  @Test("keeps writers from nothing: sixteen of them never wait for each other")
  func writers() throws {
    let watched = try Watched()
    _ = try watched.watch()
    try watched.expectExact()
    let database = watched.database
    // Awake from here on.
    try database.connect().execute("INSERT INTO own.note VALUES (100000, 3, 1)")
    try #require(
      try database.finds("SELECT WHERE NOT EXISTS (SELECT \(Watched.session(with: "rivulet watch asleep")))"))
    let writers = (1...16).map { writer in
      Background {
        let connection = try database.connect()
        for number in 1...150 {
          let id = writer * 1000 + number
          try connection.execute("INSERT INTO own.note VALUES (\(id), \(number % 10), \(id))")
          try connection.execute("UPDATE own.note SET amount = amount + 1 WHERE id = \(id)")
        }
      }
    }
    let observer = try database.connect()
    var waits: [String] = []
    while try observer.execute("SELECT FROM own.note WHERE id % 1000 = 150 AND amount = id + 1").count < 16 {
      waits += try observer.lines(
        """
        SELECT l.locktype, l.mode, l.classid, a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE NOT granted AND locktype <> 'extend' AND a.datname = current_database()
        """)
    }
    for writer in writers { try writer.wait() }
    #expect(waits == [])
    try watched.expectExact()
  }
}
