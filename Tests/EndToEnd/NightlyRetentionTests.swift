import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What `rivulet nightly` removes, and what it keeps.
@Suite("Retention")
struct NightlyRetentionTests {
  private let night: Night

  init() throws {
    night = try Night(
      Night.watching + "\nretention: {runs: 400d, rejects: 90d, revisions: 180d}")
  }

  /// Loads content as release 2025A.
  private func load(_ records: String, options: [String] = []) throws {
    try night.write("source", ["ITEM_25a_.csv": records])
    let run = try night.load("items", "source/ITEM_25a_.csv", options: options)
    try #require(run.status == 0 || run.status == 3, "\(run.errors)")
  }

  /// Has all that has happened so far have happened some days earlier.
  private func pass(days: Int) throws {
    try night.database.connect().execute(
      """
      UPDATE rivulet.run SET started_at = started_at - interval '\(days) days',
        finished_at = finished_at - interval '\(days) days';
      UPDATE rivulet.publication SET published_at = published_at - interval '\(days) days',
        undone_at = undone_at - interval '\(days) days';
      """)
  }

  /// What a night removes, by the names of what it counts.
  private func removed(_ names: String...) throws -> String {
    let outcome = try night.start().wait().succeeded()
    return try names.map { try outcome.at("retention/" + $0) }.joined(separator: " ")
  }

  private func expectStates(_ states: String, place: SourceLocation = #_sourceLocation) throws {
    #expect(
      try night.value(
        "SELECT string_agg(revision || ' ' || state, ', ' ORDER BY revision) FROM rivulet.release") == states,
      sourceLocation: place)
  }

  private func count(_ table: String) throws -> String? {
    try night.value("SELECT count(*) FROM rivulet.\(table)")
  }

  @Test(
    "drops a revision once it has been hidden for its span, and not for having been loaded long ago")
  func revisions() throws {
    try load(Night.item("a001", "one"))
    try pass(days: 300)
    try load(Night.item("a001", "two"))
    #expect(try removed("revisions") == "[]")
    try pass(days: 179)
    #expect(try removed("revisions") == "[]")
    try expectStates("1 superseded, 2 published")
    try load(Night.item("a001", "three"))
    try pass(days: 2)
    // It is left for another night while a run of its pipeline is at work.
    let holder = try night.database.connect()
    #expect(try holder.acquireLock("rivulet run items"))
    #expect(try !removed("left/0/reason").contains("(nothing)"))
    try expectStates("1 superseded, 2 superseded, 3 published")
    try holder.releaseLock("rivulet run items")
    let size = try #require(
      try night.value(
        "SELECT sum(pg_total_relation_size(to_regclass(partition))) FROM rivulet.release_table WHERE revision = 1"
      ))
    #expect(
      try removed("revisions/0/release", "revisions/0/revision", "revisions/0/bytes") == "2025A 1 " + size)
    try expectStates("2 superseded, 3 published")
    #expect(try night.leftovers() == "0")
    // What a rollback would bring back is as it was.
    try night.command("releases", "rollback", "items").succeeded(showing: "revision 2 is back")
    #expect(try night.value("SELECT words FROM own.item") == "two")
    // What was rolled back goes too, a span later; what is published never does.
    try pass(days: 181)
    _ = try removed()
    try expectStates("2 published")
    #expect(try night.value("SELECT words FROM own.item") == "two")
    let traced = "SELECT count(*) FROM own.item JOIN rivulet.source_file USING (source_file_id)"
    #expect(try night.value(traced) == "1")
  }

  @Test("keeps what the next corrections are applied to")
  func amended() throws {
    try night.write(
      "source",
      [
        "ITEM_25a_.csv": Night.item("a001"), "FIX1_25a_.csv": "a001,first", "FIX2_25a_.csv": "a001,second",
        "FIX3_25a_.csv": "a001,third",
      ])
    for file in ["ITEM_25a_.csv", "FIX1_25a_.csv", "FIX2_25a_.csv"] {
      try night.load("items", "source/" + file).succeeded()
    }
    try pass(days: 500)
    #expect(try removed("revisions/*/revision") == "2")
    try expectStates("1 superseded, 3 published")
    try night.load("items", "source/FIX3_25a_.csv").succeeded()
    #expect(try night.value("SELECT words FROM own.item") == "third")
  }

  @Test("removes refused records after their span, in batches, and keeps how many there were and why")
  func rejects() throws {
    let bad = (0..<25_000).map { Night.bad("r\($0)") }.joined(separator: "\n")
    try load(Night.item("a001") + "\n" + bad, options: ["--max-rejects", "30000"])
    try pass(days: 60)
    try load(Night.bad("b001"))
    #expect(try removed("rejects") == "0")
    try pass(days: 31)
    let removed = try removed("rejects", "runs", "bytes").split(separator: " ").compactMap { Int($0) }
    #expect(removed.prefix(2) == [25_000, 0] && removed[2] > 25_000 * 20, "\(removed)")
    #expect(try count("reject") == "1" && count("reject_header") == "1")
    let list = try night.command("rejects", "list", "1", "--format", "json")
    #expect(try list.at("records_rejected", "records_kept", "reasons/0/records") == "25000 0 25000")
    #expect(try night.value("SELECT code FROM own.item") == "a001")
  }

  @Test(
    "removes runs that brought nothing, and what they recorded, and keeps what rows, releases and replays name"
  )
  func runs() throws {
    try load(Night.bad("a001"))
    try load(Night.item("a001", "one") + "\n" + Night.bad("a002"), options: ["--max-rejects", "1"])
    try night.write("corrected", ["ITEM_25a_.csv": Night.item("a002")])
    try night.command("rejects", "replay", "2", night.path("corrected/ITEM_25a_.csv")).succeeded()
    for _ in 0..<3 { try load(Night.item("a001", "one") + "\n" + Night.bad("a002")) }
    // A run that is at work for somebody, however long.
    try night.database.connect().execute(
      "INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('others', 'running', '', '')"
    )
    try pass(days: 399)
    #expect(try removed("runs") == "0")
    #expect(try count("reject") == "0")
    try load(Night.bad("a009"))
    try pass(days: 2)
    #expect(try removed("runs") == "4")
    #expect(
      try night.value("SELECT string_agg(run || ' ' || state, ', ' ORDER BY run) FROM rivulet.run")
        == "2 published, 3 published, 7 running, 8 refused")
    for table in ["run_stage", "gate_result", "source_file"] {
      #expect(try count("\(table) WHERE run NOT IN (SELECT run FROM rivulet.run)") == "0")
    }
    #expect(try count("source_file WHERE run = 3") == "1")
    #expect(
      try night.value("SELECT count(*) FROM own.item JOIN rivulet.source_file USING (source_file_id)") == "2")
  }

  @Test(
    "keeps the run by which a file of a watched folder is known, so that what was dropped does not come back")
  func dropped() throws {
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    try night.pass("2025A published", "2025B published")
    try night.command("releases", "drop", "items", "2025A").succeeded()
    try pass(days: 500)
    for _ in 0..<2 { try night.pass() }
    #expect(try night.value("SELECT string_agg(code, ' ') FROM own.item") == "b001")
  }

  @Test("removes nothing that rivulet.yaml gives no span for")
  func unasked() throws {
    try night.define("")
    try load(Night.bad("a001"))
    try load(Night.item("a001", "one"))
    try load(Night.item("a001", "two"))
    try pass(days: 5000)
    #expect(try removed("rows", "bytes") == "0 0")
    try expectStates("1 superseded, 2 published")
    #expect(try count("reject") == "1" && count("run") == "3")
  }
}
