import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What `runs list` and `runs show` tell of the ledger.
@Suite("The ledger of runs")
struct RunHistoryTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private func show(_ run: String) throws -> Program.Outcome {
    try desk.command("runs", "show", run, "--format", "json").succeeded()
  }

  @Test("shows of a run all that the run itself reported, and what only the ledger knows")
  func whole() throws {
    let found = try desk.load(
      "cms-rvu", Samples.make(quirks: ["footnotes"], rows: 60), options: ["--format", "json"])
    let run = try found.at("run")
    let shown = try show(run)
    for member in ["pipeline", "release", "revision", "state", "missing"] {
      #expect(try shown.at(member) == found.at(member))
    }
    let reported = try #require(found.object()["sources"] as? [[String: Any]])
    #expect(try reported.count == 5 && (shown.object()["sources"] as? [Any])?.count == 5)
    for (index, source) in reported.enumerated() {
      for member in source.keys where member != "warnings" {
        #expect(try shown.at("sources/\(index)/" + member) == found.at("sources/\(index)/" + member))
      }
      let counts = ["read", "loaded", "rejected", "skipped"].compactMap { source["records_\($0)"] as? Int }
      #expect(
        counts.count == 4 && counts[0] > 0 && counts[0] == counts[1] + counts[2] + counts[3], "\(source)")
    }
    #expect(reported.contains { ($0["skipped_by"] as? [String: Int])?["footnote"] ?? 0 > 0 })
    #expect(try shown.at("stages/*/stage") == "discover stage check publish")
    #expect(try Int(shown.at("stages/1/records_per_second")) ?? 0 > 0)
    #expect(try shown.at("gates/*/rule") == found.at("gates/*/rule"))
    #expect(try shown.at("definition_hash").count == 64)
    #expect(try shown.object()["program_version"] is String && shown.object()["finished_at"] is String)
    #expect(try shown.at("error", "replays") == "null null")
    let text = try desk.command("runs", "show", run).succeeded(
      showing: shown.at("sources/0/sha256"), "records/s", "definition", "totals-add-up")
    #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(text.output)")

    // The counts of a run that was refused are kept; runs are listed by pipeline and state.
    let broken = try Samples.make(quirks: ["stray-quote"], rows: 60, release: "2025A")
    try desk.load("cms-rvu", broken).failed(3)
    func runs(_ options: String...) throws -> Program.Outcome {
      try desk.command("runs", "list", "--format", "json", options: options)
    }
    #expect(try runs().at("runs/*/state") == "refused published")
    #expect(try runs("--limit", "1").at("runs/*/state") == "refused")
    #expect(try runs("--pipeline", "cms-zip5").at("runs") == "[]")
    let refused = try runs("--pipeline", "cms-rvu", "--state", "refused")
    #expect(try refused.at("runs/0/error").contains("records were refused, 0 allowed"))
    let sources = try #require(show(refused.at("runs/0/run")).object()["sources"] as? [[String: Any]])
    #expect(sources.count == 5 && sources.allSatisfy { $0["records_read"] is Int })
    #expect(sources.compactMap { $0["records_rejected"] as? Int }.reduce(0, +) == 1)
    let list = try desk.command("runs", "list").output
    let whole = try refused.at("runs/0/error").split(whereSeparator: \.isNewline).joined(separator: " ")
    #expect(list.contains((broken as NSString).lastPathComponent) && list.contains(whole), "\(list)")
  }

  @Test("tells of a run that is at work how long it has been, and of one of an older program what it kept")
  func atWork() throws {
    try desk.database.connect().execute(
      """
      INSERT INTO rivulet.run (pipeline, release, state, definition_hash, program_version, started_at, finished_at)
      VALUES ('old', NULL, 'failed', 'unknown', '0.0.1', '2020-01-01', '2020-01-02');
      INSERT INTO rivulet.run_stage (run, stage, seconds) VALUES (1, 'discover', 1.5);
      INSERT INTO rivulet.source_file (run, source, file, file_sha256) VALUES (1, 'a', 'a.csv', 'x');
      """)
    let old = try show("1")
    for member in ["records_read", "records_loaded", "bytes", "sha256", "layout", "encoding"] {
      #expect(try old.at("sources/0/" + member) == "null", "\(member)")
    }
    #expect(try old.at("release") == "null" && old.object()["seconds"] as? Double == 86_400)
    try desk.command("runs", "show", "1").succeeded()

    // A run that waits for a reader of the published tables is at work for as long as the reader is.
    try desk.load("cms-rvu", Sample.path).succeeded()
    let reader = try desk.database.connect()
    try reader.execute("BEGIN; SELECT FROM cms.rvu LIMIT 1")
    let started = try desk.program.start(["run", "cms-rvu", Sample.path, "--force", "--lock-wait", "60"])
    try #require(
      try desk.database.finds("SELECT FROM rivulet.run_stage WHERE run = 3 AND stage = 'publish'"))
    let shown = try show("3")
    #expect(try shown.at("state", "finished_at") == "running null")
    #expect(try shown.object()["seconds"] as? Double ?? -1 >= 0)
    let stages = try #require(shown.object()["stages"] as? [[String: Any]])
    #expect(stages.compactMap { $0["stage"] as? String } == ["discover", "stage", "check", "publish"])
    #expect(stages.map { $0["seconds"] is Double } == [true, true, true, false])
    #expect(try shown.at("sources/*/source") == "pprrvu gpci locco anes oppscap")
    #expect(try shown.at("sources/0/records_loaded") == "400")
    // Rows that a rule took out after the load are counted as such.
    #expect(try shown.at("sources/4/records_loaded", "sources/4/records_skipped") == "654 36")
    #expect(try (shown.object()["gates"] as? [Any])?.count ?? 0 > 20)
    try desk.command("runs", "show", "3").succeeded(showing: "s so far")
    try reader.execute("COMMIT")
    try started.wait().succeeded()
    let ended = try show("3")
    #expect(try ended.at("state") == "published")
    #expect(
      try (ended.object()["stages"] as? [[String: Any]])?.allSatisfy { $0["seconds"] is Double } == true)
  }
}
