import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What `runs list` and `runs show` tell of the ledger.
@Suite("The ledger of runs")
struct RunHistoryTests {
  private func show(_ program: Program, _ run: Int) throws -> [String: Any] {
    try program.run("runs", "show", "\(run)", "--format", "json").object()
  }

  @Test("shows of a run all that the run itself reported, and what only the ledger knows")
  func whole() throws {
    let (_, program) = try Loaded.migrated()
    let found = try program.run(
      "run", "cms-rvu", try Samples.make(quirks: ["footnotes"], rows: 60), "--format", "json"
    ).object()
    let run = try #require(found["run"] as? Int)
    let shown = try show(program, run)
    for member in ["pipeline", "release", "revision", "state"] {
      #expect("\(shown[member] ?? "")" == "\(found[member] ?? "-")", "\(member)")
    }
    let sources = try #require(shown["sources"] as? [[String: Any]])
    let expected = try #require(found["sources"] as? [[String: Any]])
    #expect(sources.count == 5 && expected.count == 5)
    for (source, other) in zip(sources, expected) {
      for member in other.keys where member != "warnings" {
        #expect("\(source[member] ?? "")" == "\(other[member] ?? "-")", "\(member)")
      }
      let counts = ["read", "loaded", "rejected", "skipped"].compactMap { source["records_\($0)"] as? Int }
      #expect(
        counts.count == 4 && counts[0] > 0 && counts[0] == counts[1] + counts[2] + counts[3], "\(source)")
    }
    #expect(sources.contains { ($0["skipped_by"] as? [String: Int])?["footnote"] ?? 0 > 0 })
    let stages = try #require(shown["stages"] as? [[String: Any]])
    #expect(stages.compactMap { $0["stage"] as? String } == ["discover", "stage", "check", "publish"])
    #expect(stages[1]["records_per_second"] as? Int ?? 0 > 0)
    #expect((shown["gates"] as? [Any])?.count == (found["gates"] as? [Any])?.count)
    #expect((shown["definition_hash"] as? String)?.count == 64)
    #expect(shown["program_version"] is String && shown["finished_at"] is String)
    #expect(shown["error"] is NSNull && shown["replays"] is NSNull)
    let text = try program.run("runs", "show", "\(run)").output
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(text)")
    for word in [sources[0]["sha256"] as? String ?? "-", "records/s", "definition", "totals-add-up"] {
      #expect(text.contains(word), "\(word): \(text)")
    }
  }

  @Test("keeps the counts of a run that was refused, and lists runs by pipeline and state")
  func refused() throws {
    let (_, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", try Samples.make(rows: 60)).status == 0)
    let broken = try Samples.make(quirks: ["stray-quote"], rows: 60, release: "2025A")
    #expect(try program.run("run", "cms-rvu", broken).status == 3)
    func runs(_ options: String...) throws -> [[String: Any]] {
      let list = try program.run(["runs", "list", "--format", "json"] + options).object()
      return try #require(list["runs"] as? [[String: Any]])
    }
    #expect(try runs().compactMap { $0["state"] as? String } == ["refused", "published"])
    #expect(try runs("--limit", "1").count == 1)
    #expect(try runs("--pipeline", "cms-zip5").isEmpty)
    let refused = try #require(try runs("--pipeline", "cms-rvu", "--state", "refused").first)
    #expect((refused["error"] as? String)?.contains("records were refused, 0 allowed") == true)
    let run = try show(program, try #require(refused["run"] as? Int))
    let sources = try #require(run["sources"] as? [[String: Any]])
    #expect(sources.count == 5 && sources.allSatisfy { $0["records_read"] is Int })
    #expect(sources.compactMap { $0["records_rejected"] as? Int }.reduce(0, +) == 1)
    let list = try program.run("runs", "list").output
    #expect(list.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(list)")
    #expect(try program.run("runs", "list", "--state", "odd").status == 2)
  }

  @Test("tells of a run that is at work how long it has been, and of one of an older program what it kept")
  func atWork() throws {
    let (database, program) = try Loaded.migrated()
    try database.connect().execute(
      """
      INSERT INTO rivulet.run (pipeline, release, state, definition_hash, program_version, started_at, finished_at)
      VALUES ('old', NULL, 'failed', 'unknown', '0.0.1', '2020-01-01', '2020-01-02');
      INSERT INTO rivulet.run_stage (run, stage, seconds) VALUES (1, 'discover', 1.5);
      INSERT INTO rivulet.source_file (run, source, file, file_sha256) VALUES (1, 'a', 'a.csv', 'x');
      """)
    let old = try show(program, 1)
    let source = try #require((old["sources"] as? [[String: Any]])?.first)
    for member in ["records_read", "records_loaded", "bytes", "sha256", "layout", "encoding"] {
      #expect(source[member] is NSNull, "\(member)")
    }
    #expect(old["release"] is NSNull && old["seconds"] as? Double == 86_400)
    #expect(try program.run("runs", "show", "1").status == 0)

    // A run that waits for a reader of the published tables is at work for as long as the reader is.
    #expect(try program.run("run", "cms-rvu", try Samples.make(rows: 60)).status == 0)
    let reader = try database.connect()
    try reader.execute("BEGIN; SELECT count(*) FROM cms.rvu")
    let other = try program.start([
      "run", "cms-rvu", try Samples.make(rows: 60, seed: 2), "--lock-wait", "60",
    ])
    var shown: [String: Any] = [:]
    for _ in 0..<200 where shown["state"] as? String != "running" {
      usleep(50_000)
      shown = try show(program, 3)
    }
    #expect(shown["state"] as? String == "running" && shown["finished_at"] is NSNull, "\(shown)")
    #expect(shown["seconds"] as? Double ?? -1 >= 0)
    #expect((shown["sources"] as? [Any])?.count == 5)
    let text = try program.run("runs", "show", "3").output
    #expect(text.contains("s so far"), "\(text)")
    try reader.execute("COMMIT")
    #expect(try other.wait().status == 0)
    #expect(try show(program, 3)["state"] as? String == "published")
  }
}
