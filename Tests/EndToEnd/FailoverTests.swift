import PostgreSQL
import TestSupport
import Testing

/// A standby that takes the place of its server while a run is at work: nothing of a release is lost or half
/// there, whatever the standby had by then.
@Suite("A fail-over in the middle of a run", .serialized)
struct FailoverTests {
  private static let zip = Result { try Samples.make(rows: 10_000) }
  private static let reference = Result { try Loaded.migrated(with: zip.get()) }

  /// Where a run is when its server ends.
  enum Moment: String, CaseIterable {
    /// Rows are on their way.
    case copying = ""
    /// All are loaded, which is being recorded.
    case loaded = "INSERT ON rivulet.run_stage WHEN (NEW.stage = 'check')"
    /// The rules have passed.
    case checked = "INSERT ON rivulet.run_stage WHEN (NEW.stage = 'publish')"
    case publishing = "INSERT ON rivulet.publication"
    /// The standby has the COMMIT, and the run has no answer to it.
    case committed = "COMMIT OF UPDATE ON rivulet.run"

    /// What the run ends with: it goes on but where rows may have been changed that it would not miss.
    var status: Int32 { self == .loaded || self == .checked ? 1 : 0 }
  }

  /// Two servers with a migrated database.
  private struct Pair {
    let standby: Standby
    let database: TestDatabase
    let program: Program

    init(isSynchronous: Bool) throws {
      standby = try Standby(isSynchronous: isSynchronous)
      database = try standby.following(standby.primary.makeDatabase())
      program = Program(database: database.url)
      try program.run("migrate", "up", "-q").succeeded()
    }
  }

  @Test(
    "to a standby that has all that was committed loses nothing: the run goes on, or says why not",
    arguments: Moment.allCases)
  func synchronous(moment: Moment) throws {
    let pair = try Pair(isSynchronous: true)
    let (standby, database) = (pair.standby, pair.database)
    if moment == .committed {
      try database.connect().execute(
        "ALTER DATABASE \(Quote.identifier(database.name)) SET synchronous_commit = remote_apply")
    }
    let barrier = moment == .copying ? nil : try Barrier(in: database, at: moment.rawValue)
    let words = ["run", "cms-rvu", try Self.zip.get(), "--format", "json", "--retries", "5"]
    let started = try pair.program.start(words)
    if let barrier {
      try #require(try barrier.isReached())
    } else {
      try #require(try database.finds("SELECT FROM pg_stat_activity WHERE \(HeldCopy.isCopying)"))
    }
    if moment == .committed {
      // It has what the run waits for, and nobody sees that yet.
      try standby.connect().execute("SELECT pg_wal_replay_pause()")
      try barrier?.letGo()
      try #require(try database.finds("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
    }
    try standby.takeOver()
    let run = try started.wait()
    // Nothing holds the COPY: by the time that the server ends all may be loaded, or published.
    let isHeld = moment != .copying
    #expect(run.status == moment.status || !isHeld && run.status == 1, "\(run.errors)\(run.output)")
    if run.status == 0 {
      #expect(try run.at("state", "revision") == "published 1", "\(run.output)")
      #expect(run.errors.contains("trying again in") || !isHeld, "\(run.errors)")
    } else {
      #expect(run.errors.contains("promoted standby"), "\(run.errors)")
    }
    try expectRight(
      pair, before: run.status == 0 ? "published 1 0" : "failed 0 0", "standby that has all")
  }

  /// The next command does what it would have done without a fail-over.
  private func expectRight(_ pair: Pair, before: String, _ place: String) throws {
    #expect(try pair.database.value(LostConnectionTests.outcome) == before)
    let again = try pair.program.run("run", "cms-rvu", try Self.zip.get(), "--format", "json").succeeded()
    #expect(try again.at("state") == (before.hasPrefix("published") ? "unchanged" : "published"))
    let content = LostConnectionTests.content
    let isExact = try pair.database.value(content) == (try Self.reference.get().value(content))
    let leftovers = try PublishedContent.leftovers(in: pair.database)
    #expect(isExact)
    #expect(leftovers == [])
    try pair.program.run("refresh").succeeded()
    Reliability.record(.failover, "`run`: \(place)", lost: (isExact ? 0 : 1) + leftovers.count)
  }

  @Test("to a standby that knows nothing of the run ends it with 1, and the next one is right")
  func unknown() throws {
    let pair = try Pair(isSynchronous: false)
    try pair.standby.cutOff(from: pair.database)
    let barrier = try Barrier(in: pair.database)
    let started = try pair.program.start(["run", "cms-rvu", try Self.zip.get()])
    try #require(try barrier.isReached())
    try pair.standby.takeOver()
    try started.wait().failed(1, saying: "promoted standby", "run again")
    try expectRight(pair, before: "0 0", "standby that lacks the run")
  }

  @Test(
    "to a standby that lacks what the rules have taken out ends the run with 1, and the next one is right")
  func lagging() throws {
    let pair = try Pair(isSynchronous: false)
    let (standby, database) = (pair.standby, pair.database)
    let barrier = try Barrier(in: database)
    let reader = try database.connect()
    try reader.execute("BEGIN; SELECT count(*) FROM cms.rvu")
    let started = try pair.program.start(["run", "cms-rvu", try Self.zip.get(), "--lock-wait", "60"])
    try #require(try barrier.isReached())
    try standby.cutOff(from: database)
    try barrier.letGo()
    try #require(try database.findsWaiter(forTable: "cms.rvu"))
    try standby.takeOver()
    try started.wait().failed(1, saying: "promoted standby", "run again")
    try expectRight(pair, before: "failed 0 0", "standby that lacks the last changes")
  }
}
