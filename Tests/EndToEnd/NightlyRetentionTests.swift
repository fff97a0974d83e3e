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
    try night.own.write("source", ["ITEM_25a_.csv": records])
    let run = try night.own.run("source/ITEM_25a_.csv", options: options)
    try #require(run.status == 0 || run.status == 3, "\(run.errors)")
  }

  /// Has all that has happened so far have happened some days earlier.
  private func pass(days: Int) throws {
    try night.own.database.connect().execute(
      """
      UPDATE rivulet.run SET started_at = started_at - interval '\(days) days',
        finished_at = finished_at - interval '\(days) days';
      UPDATE rivulet.publication SET published_at = published_at - interval '\(days) days',
        undone_at = undone_at - interval '\(days) days';
      """)
  }

  private func removed() throws -> [String: Any] {
    let summary = try night.pass()
    #expect(summary.outcome.status == 0, "\(summary.outcome.output)\(summary.outcome.errors)")
    return try #require(summary.document["retention"] as? [String: Any])
  }

  private func states() throws -> String? {
    try night.own.database.value(
      "SELECT string_agg(revision || ' ' || state, ', ' ORDER BY revision) FROM rivulet.release")
  }

  private func count(_ table: String) throws -> String? {
    try night.own.database.value("SELECT count(*) FROM rivulet.\(table)")
  }

  @Test(
    "drops a revision once it has been hidden for its span, and not for having been loaded long ago")
  func revisions() throws {
    try load(Night.item("a001", "one"))
    try pass(days: 300)
    try load(Night.item("a001", "two"))
    #expect((try removed()["revisions"] as? [Any])?.isEmpty == true)
    try pass(days: 179)
    #expect((try removed()["revisions"] as? [Any])?.isEmpty == true)
    #expect(try states() == "1 superseded, 2 published")
    try load(Night.item("a001", "three"))
    try pass(days: 2)
    let size = try night.own.database.value(
      "SELECT sum(pg_total_relation_size(to_regclass(partition))) FROM rivulet.release_table WHERE revision = 1"
    )
    let removed = try removed()
    let revision = try #require((removed["revisions"] as? [[String: Any]])?.first)
    #expect(revision["release"] as? String == "2025A" && revision["revision"] as? Int == 1)
    #expect(revision["bytes"] as? Int == size.flatMap(Int.init), "\(revision)")
    #expect(try states() == "2 superseded, 3 published")
    #expect(try night.own.leftovers() == "0")
    // What a rollback would bring back is as it was.
    #expect(try night.own.command("releases", "rollback", "items").output.contains("revision 2 is back"))
    #expect(try night.own.database.value("SELECT words FROM own.item") == "two")
    // What was rolled back goes too, a span later; what is published never does.
    try pass(days: 181)
    _ = try self.removed()
    #expect(try states() == "2 published")
    #expect(try night.own.database.value("SELECT words FROM own.item") == "two")
    let traced = "SELECT count(*) FROM own.item JOIN rivulet.source_file USING (source_file_id)"
    #expect(try night.own.database.value(traced) == "1")
  }

  @Test("keeps what the next corrections are applied to")
  func amended() throws {
    try night.own.write("source", ["ITEM_25a_.csv": Night.item("a001")])
    try night.own.write(
      "source",
      ["FIX1_25a_.csv": "a001,first", "FIX2_25a_.csv": "a001,second", "FIX3_25a_.csv": "a001,third"])
    for file in ["ITEM_25a_.csv", "FIX1_25a_.csv", "FIX2_25a_.csv"] {
      #expect(try night.own.run("source/" + file).status == 0)
    }
    try pass(days: 500)
    let removed = try removed()
    #expect((removed["revisions"] as? [[String: Any]])?.compactMap { $0["revision"] as? Int } == [2])
    #expect(try states() == "1 superseded, 3 published")
    let third = try night.own.run("source/FIX3_25a_.csv")
    #expect(third.status == 0, "\(third.errors)")
    #expect(try night.own.database.value("SELECT words FROM own.item") == "third")
  }

  @Test("leaves a revision for another night while a run of its pipeline is at work")
  func busy() throws {
    try load(Night.item("a001", "one"))
    try load(Night.item("a001", "two"))
    try pass(days: 181)
    let holder = try night.own.database.connect()
    #expect(try holder.acquireLock("rivulet run items"))
    let removed = try removed()
    #expect((removed["left"] as? [[String: Any]])?.first?["reason"] as? String != nil, "\(removed)")
    #expect(try states() == "1 superseded, 2 published")
    try holder.releaseLock("rivulet run items")
    _ = try self.removed()
    #expect(try states() == "2 published")
  }

  @Test("removes refused records after their span, in batches, and keeps how many there were and why")
  func rejects() throws {
    let bad = (0..<25_000).map { Night.bad("r\($0)") }.joined(separator: "\n")
    try load(Night.item("a001") + "\n" + bad, options: ["--max-rejects", "30000"])
    try pass(days: 60)
    try load(Night.bad("b001"))
    #expect(try removed()["rejects"] as? Int == 0)
    try pass(days: 31)
    let removed = try removed()
    #expect(removed["rejects"] as? Int == 25_000 && removed["runs"] as? Int == 0, "\(removed)")
    #expect(removed["bytes"] as? Int ?? 0 > 25_000 * 20)
    #expect(try count("reject") == "1" && count("reject_header") == "1")
    let list = try night.own.command("rejects", "list", "1", "--format", "json").object()
    #expect(list["records_rejected"] as? Int == 25_000 && list["records_kept"] as? Int == 0)
    #expect((list["reasons"] as? [[String: Any]])?.first?["records"] as? Int == 25_000)
    #expect(try night.own.database.value("SELECT code FROM own.item") == "a001")
  }

  @Test(
    "removes runs that brought nothing, and what they recorded, and keeps what rows, releases and replays name"
  )
  func runs() throws {
    try load(Night.bad("a001"))
    try load(Night.item("a001", "one") + "\n" + Night.bad("a002"), options: ["--max-rejects", "1"])
    try night.own.write("corrected", ["ITEM_25a_.csv": Night.item("a002")])
    let replay = try night.own.command(
      "rejects", "replay", "2", night.own.scratch.path + "/corrected/ITEM_25a_.csv")
    #expect(replay.status == 0, "\(replay.errors)")
    for _ in 0..<3 { try load(Night.item("a001", "one") + "\n" + Night.bad("a002")) }
    // A run that is at work for somebody, however long.
    try night.own.database.connect().execute(
      "INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('others', 'running', '', '')"
    )
    try pass(days: 399)
    #expect(try removed()["runs"] as? Int == 0)
    #expect(try count("reject") == "0")
    try load(Night.bad("a009"))
    try pass(days: 2)
    let removed = try removed()
    let expected = try night.own.database.value("SELECT count(*) FROM generate_series(1, 4)")
    #expect(removed["runs"] as? Int == expected.flatMap(Int.init), "\(removed)")
    let kept = try night.own.database.value(
      "SELECT string_agg(run || ' ' || state, ', ' ORDER BY run) FROM rivulet.run")
    #expect(kept == "2 published, 3 published, 7 running, 8 refused")
    for table in ["run_stage", "gate_result", "source_file"] {
      #expect(
        try night.own.database.value(
          "SELECT count(*) FROM rivulet.\(table) WHERE run NOT IN (SELECT run FROM rivulet.run)") == "0")
    }
    #expect(try count("source_file WHERE run = 3") == "1")
    #expect(
      try night.own.database.value(
        "SELECT count(*) FROM own.item JOIN rivulet.source_file USING (source_file_id)") == "2")
  }

  @Test(
    "keeps the run by which a file of a watched folder is known, so that what was dropped does not come back")
  func dropped() throws {
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.put("ITEM_25b_.csv", Night.item("b001"))
    #expect(try night.pass().runs == ["2025A published", "2025B published"])
    #expect(try night.own.command("releases", "drop", "items", "2025A").status == 0)
    try pass(days: 500)
    for _ in 0..<2 { #expect(try night.pass().runs.isEmpty) }
    #expect(try night.own.database.value("SELECT string_agg(code, ' ') FROM own.item") == "b001")
  }

  @Test("removes nothing that rivulet.yaml gives no span for")
  func unasked() throws {
    try night.own.scratch.write("rivulet.yaml", "project: own\ntime_zone: UTC\n")
    try load(Night.bad("a001"))
    try load(Night.item("a001", "one"))
    try load(Night.item("a001", "two"))
    try pass(days: 5000)
    let removed = try removed()
    #expect(removed["rows"] as? Int == 0 && removed["bytes"] as? Int == 0)
    #expect(try states() == "1 superseded, 2 published")
    #expect(try count("reject") == "1" && count("run") == "3")
  }
}
