import Foundation
import Host
import PostgreSQL
import Synchronization
import TestSupport
import Testing

/// Connections that end while a run, or a move of a release, is at work.
@Suite("A connection that is lost")
struct LostConnectionTests {
  /// What a run publishes, and nothing of what names the run.
  static let content = """
    SELECT md5(string_agg(t, '|' ORDER BY t)) FROM (
      SELECT (to_jsonb(r) - 'source_file_id')::text AS t FROM cms.rvu r
      UNION ALL SELECT (to_jsonb(g) - 'source_file_id')::text FROM cms.gpci g
      UNION ALL SELECT (to_jsonb(o) - 'source_file_id')::text FROM cms.opps_cap o) rows
    """
  /// How runs ended, how many publications there are and how many tables that belong to no release.
  static let outcome = """
    SELECT concat_ws(' ', (SELECT string_agg(state, ',' ORDER BY run) FROM rivulet.run),
      (SELECT count(*) FROM rivulet.publication WHERE undone_at IS NULL),
      (SELECT count(*) FROM pg_class c JOIN pg_description d
        ON d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.description LIKE 'rivulet: staged%'
        WHERE NOT EXISTS (SELECT FROM rivulet.release_table t WHERE to_regclass(t.partition) = c.oid)))
    """

  /// Which moment of which connection is the proxy's to end.
  enum Moment: String, CaseIterable {
    case publishing = "INSERT INTO rivulet.publication"
    case loading = "COPY \"cms\".\"rvu_"
  }

  /// Cuts the COMMIT of the first connection that has said what belongs to the moment.
  private static func proxy(_ database: TestDatabase, _ said: String, _ action: ServerProxy.Action) throws
    -> ServerProxy
  {
    let left = Atomic<Int>(1)
    return try ServerProxy(to: database) { talk in
      guard talk.before.contains(said), talk.text.contains(";COMMIT"),
        left.subtract(1, ordering: .relaxed).oldValue > 0
      else { return .pass }
      return action
    }
  }

  /// The same content as in a database where nothing was lost.
  private func expect(
    _ database: TestDatabase, asIn reference: TestDatabase, after fault: Reliability.Fault, times: Int = 1
  ) throws {
    let isExact = try database.value(Self.content) == (try reference.value(Self.content))
    #expect(isExact)
    Reliability.record(fault, "`run`: loading or publishing", times: times, lost: isExact ? 0 : 1)
  }

  @Test(
    "with a COMMIT under way costs a run nothing, whether the COMMIT was done or not",
    arguments: Moment.allCases, [true, false])
  func commit(moment: Moment, isDone: Bool) throws {
    let (database, direct) = try Loaded.migrated()
    let proxy = try Self.proxy(database, moment.rawValue, isDone ? .loseAnswer : .cut)
    let run = try Program(database: proxy.url).run("run", "cms-rvu", Sample.path, "--format", "json")
      .succeeded()
    #expect(
      run.errors.contains("the connection was lost (") && run.errors.contains("(1 of 3)"), "\(run.errors)")
    let report = try run.object()
    #expect(report["state"] as? String == "published" && report["revision"] as? Int == 1)
    #expect(report["retries"] as? Int == 1)
    #expect(try database.value(Self.outcome) == "published 1 0")
    try expect(database, asIn: Loaded.sample().0, after: .commit)
    #expect(try direct.run("run", "cms-rvu", Sample.path).output.contains("unchanged"))
  }

  @Test("with the COMMIT that publishes is no failure even where nothing is to be tried again")
  func commitWithoutRetries() throws {
    let (database, _) = try Loaded.migrated()
    let words = ["run", "cms-rvu", Sample.path, "--retries", "0", "--format", "json"]
    let done = try Self.proxy(database, Moment.publishing.rawValue, .loseAnswer)
    let run = try Program(database: done.url).run(words).succeeded()
    #expect(try run.object()["state"] as? String == "published")
    let undone = try Self.proxy(database, Moment.publishing.rawValue, .cut)
    try Program(database: undone.url).run(words + ["--force"]).failed(
      1, saying: "the connection to the server was lost")
    #expect(try database.value(Self.outcome) == "published,failed 1 0")
  }

  @Test("with the COMMIT of a rollback undoes one publication, not two", arguments: [true, false])
  func rollback(isDone: Bool) throws {
    let (database, program) = try Loaded.sample()
    for _ in 2...3 { try program.run("run", "cms-rvu", Sample.path, "--force").succeeded() }
    func move(_ said: String, _ words: String...) throws -> Program.Outcome {
      let proxy = try Self.proxy(database, said, isDone ? .loseAnswer : .cut)
      return try Program(database: proxy.url).run(["releases"] + words).succeeded()
    }
    let outcome = try move("SET undone_at", "rollback", "cms-rvu")
    #expect(outcome.errors.contains("(1 of 3)"), "\(outcome.errors)")
    #expect(outcome.output.contains("revision 3 is withdrawn; revision 2 is back"), "\(outcome.output)")
    let states = "SELECT string_agg(state, ',' ORDER BY revision) FROM rivulet.release"
    let isRolledBack = try database.value(states) == "superseded,published,withdrawn"
    #expect(isRolledBack)
    Reliability.record(.commit, "`releases rollback`", lost: isRolledBack ? 0 : 1)
    let publish = try move(Moment.publishing.rawValue, "publish", "cms-rvu", "2025D")
    #expect(publish.output.hasPrefix("cms-rvu 2025D revision 3 is published\n"))
    #expect(try database.value(states) == "superseded,superseded,published")
  }

  /// The main session of the run at work, and that of its ledger.
  private static let idle = [
    "main": """
    pid IN (SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory') AND state = 'idle'
    """,
    "ledger": "query LIKE 'WITH begun AS%' AND state = 'idle'",
  ]

  @Test(
    "in the middle of a COPY is made again, and the file begun again; again and again fails the run with 1")
  func copy() throws {
    let (database, program) = try Loaded.migrated()
    let zip = try Samples.make(rows: 20_000)
    let reference = try Loaded.migrated(with: zip)
    do {
      let held = try HeldCopy(database)
      let started = try held.program.start(["run", "cms-rvu", zip, "--format", "json"])
      try #require(try held.ends())
      held.letGo()
      let run = try started.wait().succeeded()
      #expect(run.errors.contains("trying again in"), "\(run.errors)")
      #expect(try run.object()["retries"] as? Int == 1)
    }
    #expect(try database.value(Self.outcome) == "published 1 0")
    try expect(database, asIn: reference, after: .connection)
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", zip, "--force", "--retries", "2"])
    for _ in 1...3 {
      try #require(try held.ends())
      try #require(try held.isOver())
    }
    try started.wait().failed(1, saying: "(2 of 2)", "the connection to the server was lost")
    held.letGo()
    #expect(try database.value(Self.outcome) == "published,failed 1 0")
    try expect(database, asIn: reference, after: .connection, times: 3)
    try program.run("run", "cms-rvu", zip, "--force").succeeded()
  }

  @Test("while nothing was asked of it is made again with its lock", arguments: ["main", "ledger"])
  func idle(which: String) throws {
    let (database, _) = try Loaded.migrated()
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path])
    try #require(try held.ends(#require(Self.idle[which])))
    held.letGo()
    try started.wait().succeeded()
    #expect(try database.value(Self.outcome) == "published 1 0")
  }

  @Test("for so long that another run took the run for dead ends it with 1, and the other's work stays")
  func takenOver() throws {
    let (database, program) = try Loaded.migrated()
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path])
    try #require(try held.ends(#require(Self.idle["main"])))
    // As the other would do: it takes the lock, and finds a run that is at work without it, whose locks it
    // waits for.
    let other = try program.start(["run", "cms-rvu", Sample.path, "--lock-wait", "60"])
    try #require(try database.finds("SELECT FROM rivulet.run WHERE run = 1 AND state = 'failed'"))
    held.letGo()
    try other.wait().succeeded()
    try started.wait().failed(1, saying: "took it for dead")
    #expect(try database.value(Self.outcome) == "failed,published 1 0")
  }
}
