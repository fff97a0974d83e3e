import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A clock that is set back by an hour, or was wrong until now: what is recorded lies an hour ahead then.
@Suite("A clock that goes back")
struct ClockFaultTests {
  /// Has all that is recorded lie an hour ahead, as by a clock that has been set back since.
  private func setBack(_ database: TestDatabase) throws {
    let connection = try database.connect()
    let columns = try connection.execute(
      """
      SELECT c.table_name, string_agg(format('%1$I = %1$I + interval ''1 hour''', c.column_name), ', ')
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'rivulet' AND c.data_type LIKE 'timestamp%' AND t.table_type = 'BASE TABLE'
      GROUP BY 1
      """)
    try #require(columns.count > 5)
    for row in columns.rows { try connection.execute("UPDATE rivulet.\(row[0] ?? "") SET \(row[1] ?? "")") }
  }

  private func words(_ own: OwnDataset) throws -> String? {
    try own.value("SELECT string_agg(words, ' ') FROM own.item")
  }

  private func load(_ own: OwnDataset, _ words: String) throws -> Program.Outcome {
    try own.write("items25a", ["ITEM.csv": Night.item("a001", words)])
    return try own.run("items25a")
  }

  @Test("does not mix up what was published, hidden or loaded last")
  func publications() throws {
    let own = try OwnDataset()
    for words in ["one", "two", "three"] { try load(own, words).succeeded() }
    try own.command("releases", "rollback", "items").succeeded(showing: "revision 2 is back")
    try setBack(own.database)
    try own.command("releases", "rollback", "items").succeeded(showing: "revision 1 is back")
    #expect(try words(own) == "one")
    // What was hidden last, though it was at an earlier hour.
    try own.command("releases", "publish", "items", "2025A").succeeded(showing: "revision 2 is published")
    try load(own, "two").succeeded(showing: "is unchanged")
    try load(own, "four").succeeded(showing: "revision 4 is published")
    try setBack(own.database)
    try own.command("releases", "rollback", "items").succeeded(showing: "revision 2 is back")
    try own.command("releases", "publish", "items", "2025A", "--revision", "3").succeeded()
    try own.command("releases", "drop", "items", "2025A", "--revision", "4").succeeded()
    let found = try words(own)
    #expect(found == "three")
    #expect(try PublishedContent.leftovers(in: own.database) == [])
    Reliability.record(.clock, "between commands on releases", times: 2, lost: found == "three" ? 0 : 1)
  }

  @Test("in the middle of a run changes nothing about it, and nothing takes less than no time")
  func duringRun() throws {
    let (database, program) = try Loaded.migrated()
    let stop = try Barrier(in: database)
    let started = try program.start(["run", "cms-rvu", Sample.path])
    try #require(try stop.isReached())
    try database.connect().execute("UPDATE rivulet.run SET started_at = started_at + interval '1 hour'")
    try stop.letGo()
    try started.wait().succeeded()
    #expect(try database.value("SELECT count(*) FROM rivulet.run WHERE finished_at < started_at") == "0")
    try program.run("runs", "show", "1").succeeded(showing: "published").withholding("took -")
    let found = try PublishedContent.digest(of: database)
    let lost = Set(found).symmetricDifference(try PublishedContent.digest(of: Loaded.sample().0))
    #expect(lost == [])
    Reliability.record(.clock, "during a `run`", lost: lost.count)
  }

  @Test("does not have a night take a refusal for good, nor retention remove too early")
  func night() throws {
    let night = try Night(Night.watching + "\nretention: {runs: 30m, rejects: 30m, revisions: 30m}")
    try night.put("ITEM_25a_.csv", Night.item("a001", "one"))
    try night.pass("2025A published")
    try night.put("ITEM_25b_.csv", Night.bad("b001"))
    try night.pass("2025B refused", ends: 3, with: "runs 3")
    try setBack(night.database)
    // Nothing is old, and nothing has changed.
    try night.pass(ends: 3, with: "runs 3")
    #expect(try night.value("SELECT count(*) FROM rivulet.reject") == "1")
    // Something is published, and by a clock that is behind what is recorded of the refusal.
    try night.put("ITEM_25c_.csv", Night.item("c001", "three"))
    try night.pass("2025C published", ends: 3, with: "runs 3")
    try night.pass("2025B refused", ends: 3, with: "runs 3")
    let found = try night.value("SELECT string_agg(code, ' ' ORDER BY code) FROM own.item")
    #expect(found == "a001 c001")
    Reliability.record(.clock, "between nights", lost: found == "a001 c001" ? 0 : 1)
  }

  @Test("does not have a view wait longer than its definition allows")
  func views() throws {
    let views = try OwnViews()
    let definition = try #require(OwnViews.files["own.by_words"])
    try views.write("own.by_words", definition.replacing("description:", with: "fresh_for: 1h\ndescription:"))
    try views.make()
    try views.bundle("items25a", "a001 first", "a002 second")
    try views.own.run("items25a").succeeded()
    try views.bundle("items25b", "b001 third")
    try views.own.run("items25b", options: ["--no-refresh"]).succeeded()
    let stale = ["refresh", "--check", "--stale"] + views.own.project
    #expect(try !views.own.program.run(stale).output.contains("own.by_words: "))
    try setBack(views.database)
    #expect(try views.own.program.run(stale).output.contains("own.by_words: "))
    try views.own.command("refresh", "--stale").succeeded()
    let found = try views.database.rows("SELECT words, items FROM own.by_words ORDER BY 1")
    #expect(found == ["first|1", "second|1", "third|1"])
    let isPast = "SELECT refreshed_at < clock_timestamp() FROM rivulet.view WHERE name = 'own.by_words'"
    #expect(try views.database.value(isPast) == "t")
    Reliability.record(.clock, "between refreshes of views", lost: found.count == 3 ? 0 : 1)
  }
}
