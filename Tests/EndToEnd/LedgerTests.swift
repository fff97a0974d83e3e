import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The ledger as others see it while a run is at work.
@Suite("The ledger")
struct LedgerTests {
  /// The second run publishes, or waits to.
  private static let publishing = "SELECT FROM rivulet.run_stage WHERE run = 2 AND stage = 'publish'"

  @Test("says how far a run has come")
  func asItGoes() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    // A reader holds the published tables, so that publishing takes its time.
    let reader = try database.connect()
    try reader.execute("BEGIN; SELECT FROM cms.rvu LIMIT 1")
    let started = try program.start(["run", "cms-rvu", Sample.path, "--force", "--lock-wait", "60"])
    try #require(try database.finds(Self.publishing))
    let shown = try program.run("runs", "show", "2", "--format", "json").object()
    #expect(shown["state"] as? String == "running")
    let stages = try #require(shown["stages"] as? [[String: Any]])
    #expect(stages.compactMap { $0["stage"] as? String } == ["discover", "stage", "check", "publish"])
    #expect(stages.map { $0["seconds"] is Double } == [true, true, true, false])
    let sources = try #require(shown["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["source"] as? String } == ["pprrvu", "gpci", "locco", "anes", "oppscap"])
    #expect(sources.first?["records_loaded"] as? Int == 400)
    // Rows that a rule took out after the load are counted as such.
    #expect(sources.last?["records_loaded"] as? Int == 654 && sources.last?["records_skipped"] as? Int == 36)
    #expect((shown["gates"] as? [Any])?.count ?? 0 > 20)
    #expect(try program.run("runs", "show", "2").status == 0)
    try reader.execute("COMMIT")
    #expect(try started.wait().status == 0)
    let ended = try program.run("runs", "show", "2", "--format", "json").object()
    #expect(ended["state"] as? String == "published")
    #expect((ended["stages"] as? [[String: Any]])?.allSatisfy { $0["seconds"] is Double } == true)
  }

  @Test("has a run that was interrupted while others read what it would publish, and nothing is left of it")
  func interruptedPublishing() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let reader = try database.connect()
    try reader.execute("BEGIN; SELECT FROM cms.rvu LIMIT 1")
    let started = try program.start(["run", "cms-rvu", Sample.path, "--force"])
    try #require(try database.findsWaiter(forTable: "cms.rvu"))
    let asked = Date.now
    started.signal(SIGINT)
    let outcome = try started.wait()
    #expect(outcome.status == 130, "\(outcome.errors)")
    #expect(Date.now.timeIntervalSince(asked) < 5)
    try reader.execute("COMMIT")
    #expect(try database.value(LostConnectionTests.outcome) == "published,interrupted 1 0")
  }
}
