import Foundation
import PostgreSQL
import TestSupport
import Testing

/// `refresh --watch`: what is committed is in the views soon, and nobody refreshes them.
@Suite("Watched views")
struct WatchTests {
  @Test("show what is committed, those that read others too, and what came before")
  func visible() throws {
    let watched = try Watched()
    let program = try watched.watch("--pause", "0.1")
    try watched.expectExact()
    let connection = try watched.database.connect()
    for statement in [
      "INSERT INTO own.note VALUES (1000, 3, 500000)", "UPDATE own.note SET owner = 77 WHERE id = 4",
      "DELETE FROM own.note WHERE id = 1000", "UPDATE own.other SET divisor = 5", "TRUNCATE own.other",
      "SET session_replication_role = replica; INSERT INTO own.other VALUES (2, 9), (3, 1)",
    ] {
      try connection.execute(statement)
      try watched.expectExact()
      try watched.awaitSleep()
    }
    let outcome = try watched.end(program)
    #expect(outcome.errors.contains("watching 4 views"))
    #expect(outcome.output.contains("4 views refreshed"), "\(outcome.output)")
  }

  @Test("lose no change that comes while one of them is refreshed")
  func meanwhile() throws {
    let watched = try Watched()
    _ = try watched.watch()
    try watched.expectExact()
    let (holder, writer) = (try watched.database.connect(), try watched.database.connect())
    try holder.execute("SELECT pg_advisory_lock(4711)")
    try writer.execute("INSERT INTO own.note VALUES (1000, 7, 500000)")
    try #require(try watched.database.findsWaiter(forLock: 4711))
    try writer.execute("INSERT INTO own.note VALUES (1001, 7, 600000), (1002, 8, 1)")
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try watched.expectExact()
  }

  @Test(
    "show what a transaction writes that began before the program fell asleep, and savepoints that it rolls back do not hide it",
    arguments: ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
  func olderTransaction(level: String) throws {
    let watched = try Watched()
    _ = try watched.watch()
    try watched.expectExact()
    let writer = try watched.database.connect()
    try writer.execute("BEGIN ISOLATION LEVEL \(level); SELECT count(*) FROM own.note")
    try writer.execute("SAVEPOINT a; INSERT INTO own.note VALUES (1000, 1, 1); ROLLBACK TO a")
    try watched.awaitSleep()
    try writer.execute("SAVEPOINT b; INSERT INTO own.note VALUES (1001, 1, 700000)")
    try writer.execute("SAVEPOINT c; INSERT INTO own.note VALUES (1002, 2, 1); ROLLBACK TO c; COMMIT")
    try watched.expectExact()
    #expect(try watched.database.value("SELECT amount >= 700000 FROM own.top") == "t")
  }

  @Test("keep the program awake while a transaction is at work that has sent no notification")
  func unfinished() throws {
    let watched = try Watched()
    _ = try watched.watch("--pause", "1")
    let (writer, other) = (try watched.database.connect(), try watched.database.connect())
    try watched.awaitSleep()
    try other.execute("INSERT INTO own.note VALUES (1000, 1, 1)")
    // It is woken, and has seen that; five seconds later it would sleep.
    try watched.finds("SELECT FROM own.total WHERE owner = 1 AND amount = 1381")
    try writer.execute("BEGIN; INSERT INTO own.note VALUES (1001, 1, 800000)")
    usleep(8_000_000)
    #expect(try other.execute("SELECT \(Watched.session(with: "rivulet watch asleep"))").count == 0)
    try writer.execute("COMMIT")
    try watched.expectExact()
    try watched.awaitSleep()
  }

  @Test("show what is written at any moment: awake, falling asleep and asleep")
  func anyMoment() throws {
    let watched = try Watched()
    _ = try watched.watch("--pause", "0.05")
    var random = RandomNumbers(seed: Seed.announced("moments at which rows are written"))
    let writer = try watched.database.connect()
    for id in 1000..<1040 {
      // It falls asleep a quarter of a second after the last change.
      usleep(UInt32(200_000 + random.below(150_000)))
      let level = random.pick(["READ COMMITTED", "REPEATABLE READ"])
      try writer.execute("BEGIN ISOLATION LEVEL \(level); INSERT INTO own.note VALUES (\(id), 3, 1)")
      if random.oneIn(2) { usleep(UInt32(random.below(100_000))) }
      try writer.execute("UPDATE own.note SET amount = \(id) WHERE id = \(id); COMMIT")
      try watched.expectExact()
    }
  }

  @Test("show a release that is published, rolled back and dropped")
  func releases() throws {
    let views = try OwnViews()
    try views.bundle("items25a", "a001 first", "a002 second")
    let own = views.own
    let program = try own.program.start(["refresh", "--watch", "--project", own.scratch.path])
    defer { program.signal(SIGKILL) }
    try #require(try program.says("watching 4 views"))
    for (words, count) in [
      (["run", "items", own.path("items25a"), "--no-refresh"], 1),
      (["releases", "rollback", "items", "--no-refresh", "--yes"], 0),
    ] {
      try Watched.awaitSleep(in: views.database)
      try own.program.run(words + ["--project", own.scratch.path]).succeeded()
      try Watched.find("SELECT FROM own.by_release HAVING count(*) = \(count)", in: views.database)
    }
  }

  @Test("cost nothing while nothing changes: the program is asleep, and the server is asked nothing")
  func asleep() throws {
    let watched = try Watched()
    let program = try watched.watch()
    try watched.expectExact()
    try watched.awaitSleep()
    let state =
      "SELECT concat_ws(' ', a.pid, a.query_start, a.state_change) \(Watched.session(with: "rivulet watch"))"
    // What it has looked at with the lock held is behind it by then, or somewhat later on a busy machine.
    usleep(1_000_000)
    var isAtRest = false
    for _ in 1...3 where !isAtRest {
      let before = try watched.database.value(state)
      let ticks = try program.processorTicks()
      usleep(10_000_000)
      isAtRest = try watched.database.value(state) == before && program.processorTicks() - ticks <= 1
    }
    #expect(isAtRest)
    try watched.database.connect().execute("INSERT INTO own.note VALUES (1000, 3, 500000)")
    try watched.expectExact()
  }

  @Test("have queues whose space is given back, also where each refresh takes little off them")
  func space() throws {
    let watched = try Watched()
    _ = try watched.watch()
    try watched.expectExact()
    let writer = try watched.database.connect()
    for start in [10_000, 20_000, 30_000, 40_000] {
      try writer.execute(
        """
        DO $$ BEGIN FOR id IN \(start)..\(start + 2_999) LOOP INSERT INTO own.note VALUES (id, 3, id); END LOOP; END $$
        """)
      try watched.expectExact()
    }
    try watched.finds(
      "SELECT FROM pg_stat_user_tables WHERE relname ~ '^queue_' AND vacuum_count > 0 HAVING count(*) >= 2")
  }

  @Test("follow definitions that change, views that are dropped and new ones")
  func migration() throws {
    let watched = try Watched()
    let program = try watched.watch()
    try watched.expectExact()
    try watched.define(
      "own.total",
      OwnProject.view(
        by: "owner", of: "own.note",
        "SELECT owner, sum(2 * amount) AS amount FROM {keys} k JOIN own.note n USING (owner) GROUP BY owner"))
    try watched.define("own.new", OwnProject.view(by: "", "SELECT min(amount) AS least FROM own.note"))
    try watched.forget("own.share")
    // Only the files are others by now.
    try watched.database.connect().execute("INSERT INTO own.note VALUES (1000, 3, 500000)")
    try watched.expectExact()
    try watched.make()
    try watched.database.connect().execute("INSERT INTO own.note VALUES (1001, 3, -9), (1002, 5, 900000)")
    try watched.expectExact()
    #expect(try watched.database.value("SELECT least FROM own.new") == "-9")
    try watched.end(program).withholding("failed")
  }

  @Test("that are named are kept up to date with what they read, and others are left alone")
  func named() throws {
    let watched = try Watched()
    let program = try watched.watch("own.top")
    #expect(try program.says("watching 2 views"))
    try watched.database.connect().execute("INSERT INTO own.note VALUES (1000, 3, 500000)")
    try watched.finds("SELECT FROM own.top WHERE amount >= 500000")
    try watched.awaitSleep()
    #expect(try watched.database.value("SELECT count(*) FROM own.by_owner") == "0")
    try watched.end(program)
  }
}

extension Program.Started {
  /// How much time of processors it has used, in the system's units.
  fileprivate func processorTicks() throws -> Int {
    let fields =
      try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
      .split(separator: ")").last?.split(separator: " ") ?? []
    return try #require(Int(fields[11])) + #require(Int(fields[12]))
  }
}
