import Foundation
import Glibc
import Host
import PostgreSQL
import Synchronization
import TestSupport
import Testing

/// SIGINT and SIGTERM, at moments of every kind. That a run is loading is seen to in `CrashTests`.
@Suite("A run that is asked to end")
struct InterruptTests {
  /// Sends a signal and waits for the end, which must come long before what is waited for is over.
  private func end(_ started: Program.Started, with signal: Int32 = SIGINT) throws -> Program.Outcome {
    let asked = Date.now
    started.signal(signal)
    let outcome = try started.wait()
    #expect(Date.now.timeIntervalSince(asked) < 40, "\(outcome.errors)")
    return outcome
  }

  @Test("while it connects to a server that says nothing ends with 130")
  func connecting() throws {
    let silent = try LoopbackListener()
    let program = Program(database: "postgresql://somebody@127.0.0.1:\(silent.port)/nothing")
    let started = try program.start(["run", "cms-rvu", Sample.path])
    usleep(1_000_000)
    #expect(try end(started).status == 130)
  }

  @Test("while it waits for another run ends with 130", arguments: [SIGINT, SIGTERM])
  func waiting(signal: Int32) throws {
    let (database, program) = try Loaded.migrated()
    let holder = try database.connect()
    #expect(try holder.acquireLock("rivulet run cms-rvu"))
    let started = try program.start(["run", "cms-rvu", Sample.path, "--lock-wait", "600"])
    try #require(
      try database.finds(
        "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock(%' AND pid <> \(holder.backendID) AND datname = current_database()"
      ))
    #expect(try end(started, with: signal).status == 130)
    #expect(try database.value("SELECT count(*) FROM rivulet.run") == "0")
  }

  @Test("while it checks ends with 130, and nothing is left")
  func checking() throws {
    let (database, program) = try Loaded.migrated()
    let stop = try Barrier(in: database)
    let started = try program.start(["run", "cms-rvu", Sample.path])
    try #require(try stop.isReached())
    // What a rule asks for is locked by somebody.
    let holder = try database.connect()
    try holder.execute("BEGIN; LOCK TABLE cms.gpci_2025d_1")
    try stop.letGo()
    try #require(try database.findsWaiter(forTable: "cms.gpci_2025d_1"))
    // The lock is in the way of the cleaning up too, which the next run does then.
    started.signal(SIGINT)
    usleep(300_000)
    try holder.execute("COMMIT")
    #expect(try started.wait().status == 130)
    #expect(try database.value(LostConnectionTests.outcome) == "interrupted 0 0")
  }

  @Test("while it waits to try again ends with 130 at once")
  func backingOff() throws {
    let (database, _) = try Loaded.migrated()
    let isRefusing = Atomic<Bool>(false)
    let proxy = try ServerProxy(to: database) { talk in
      if talk.text.contains("COPY \"cms\"") { isRefusing.store(true, ordering: .relaxed) }
      return isRefusing.load(ordering: .relaxed) ? .cut : .pass
    }
    let started = try Program(database: proxy.url).start(["run", "cms-rvu", Sample.path, "--retries", "8"])
    let deadline = Date.now.addingTimeInterval(60)
    while !isRefusing.load(ordering: .relaxed), Date.now < deadline { usleep(5_000) }
    // In the wait of about four seconds after those of one and two.
    try #require(try started.says("(3 of 8)"))
    let outcome = try end(started)
    #expect(outcome.status == 130 && outcome.errors.contains("(3 of 8)"), "\(outcome.errors)")
  }

  @Test(
    "when its release is published already says so, and ends with 0 unless there were views to refresh",
    arguments: [true, false])
  func tooLate(hasViews: Bool) throws {
    let (database, _) = try Loaded.migrated()
    // As where nothing is derived from the tables.
    if !hasViews {
      try database.connect().execute(
        "DELETE FROM rivulet.view_source; ALTER TABLE cms.code_list DISABLE TRIGGER ALL")
    }
    let process = Atomic<Int32>(0)
    let proxy = try ServerProxy(to: database) { talk in
      if talk.before.contains("INSERT INTO rivulet.publication"), talk.text.contains(";COMMIT") {
        kill(process.load(ordering: .relaxed), SIGINT)
        // The server is asked to cancel what is no statement, and gets the COMMIT then.
        usleep(2_000_000)
      }
      return .pass
    }
    let started = try Program(database: proxy.url).start(["run", "cms-rvu", Sample.path])
    process.store(started.identifier, ordering: .relaxed)
    let outcome = try started.wait()
    #expect(outcome.status == (hasViews ? 130 : 0), "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        hasViews ? "2025D is published, and stays so; but interrupted" : "the signal came when all was done"),
      "\(outcome.errors)")
    #expect(outcome.output.contains("is published"))
    #expect(try database.value(LostConnectionTests.outcome) == "published 1 0")
  }

  @Test("twice stops at once, and the same command makes it good without waiting")
  func twice() throws {
    let (database, program) = try Loaded.migrated()
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path])
    try #require(try held.isReached())
    started.signal(SIGINT)
    started.signal(SIGTERM)
    #expect(try started.wait().status == 130)
    held.letGo()
    try program.run("run", "cms-rvu", Sample.path).succeeded()
    #expect(try database.value(LostConnectionTests.outcome)?.hasSuffix("published 1 0") == true)
  }

  @Test(
    "while it publishes leaves nothing, and by kill -9 gives its lock up at once",
    arguments: [SIGINT, SIGKILL])
  func publishing(signal: Int32) throws {
    let (database, program) = try Loaded.sample()
    // It waits for a reader while it holds the pipeline's lock.
    let reader = try database.connect()
    try reader.execute("BEGIN; SELECT FROM cms.rvu LIMIT 1")
    let started = try program.start(["run", "cms-rvu", Sample.path, "--force", "--lock-wait", "600"])
    try #require(try database.findsWaiter(forTable: "cms.rvu"))
    #expect(try end(started, with: signal).status == (signal == SIGINT ? 130 : 128 + SIGKILL))
    try reader.execute("COMMIT")
    if signal == SIGINT {
      #expect(try database.value(LostConnectionTests.outcome) == "published,interrupted 1 0")
    }
    try program.run("run", "cms-rvu", Sample.path, "--force").succeeded()
    let state = signal == SIGINT ? "interrupted" : "failed"
    let isExact = try database.value(LostConnectionTests.outcome) == "published,\(state),published 2 0"
    #expect(isExact)
    Reliability.record(
      signal == SIGINT ? .signal : .kill, "`run` that publishes, and waits for a reader",
      lost: isExact ? 0 : 1)
  }
}
