import Foundation
import Glibc
import Host
import TestSupport
import Testing

/// What `--metrics` writes.
@Suite("Metrics", .enabled(if: Promtool.missing == nil, "\(Promtool.missing ?? "")"))
struct MetricsTests {
  private let night: Night
  private let metrics: String

  init() throws {
    night = try Night()
    metrics = night.path("rivulet.prom")
  }

  /// The series of the file by their names and labels; Prometheus' own tool must find nothing wrong with it.
  private func series(at place: SourceLocation = #_sourceLocation) throws -> [String: Double] {
    let text = try String(contentsOfFile: metrics, encoding: .utf8)
    let faults = try Promtool.faults(of: text)
    #expect(faults.isEmpty, "\(faults)", sourceLocation: place)
    #expect(text.hasSuffix("\n"), sourceLocation: place)
    var series: [String: Double] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let cut = try #require(line.lastIndex(of: " "))
      series[String(line[..<cut])] = Double(line[line.index(after: cut)...])
    }
    return series
  }

  private func run(_ folder: String, _ options: String...) throws -> Program.Outcome {
    try night.program.run(
      ["run", "items", night.path(folder), "--metrics", metrics] + options + night.project)
  }

  @Test(
    "of a run have its counts by source, its times, its rules and how it ended, whether it did well or not")
  func run() throws {
    try night.write("items25a", ["ITEM.csv": Night.item("a001") + "\n" + Night.bad("a002")])
    try run("items25a").failed(3)
    let refused = try series()
    #expect(refused[#"rivulet_last_run_success{command="run"}"#] == 0)
    #expect(refused[#"rivulet_last_run_exit_code{command="run"}"#] == 3)
    let release = #"{pipeline="items",release="2025A""#
    #expect(refused["rivulet_run_outcome\(release),outcome=\"refused\"}"] == 1, "\(refused)")

    try run("items25a", "--max-rejects", "1").succeeded()
    let good = try series()
    #expect(good[#"rivulet_last_run_success{command="run"}"#] == 1)
    let ended = try #require(good[#"rivulet_last_run_timestamp_seconds{command="run"}"#])
    #expect(abs(ended - Date.now.timeIntervalSince1970) < 600)
    #expect(good["rivulet_run_outcome\(release),outcome=\"published\"}"] == 1, "\(good)")
    #expect(good["rivulet_run_outcome\(release),outcome=\"refused\"}"] == nil)
    for (name, count) in [("read", 2), ("loaded", 1), ("rejected", 1), ("skipped", 0)] {
      #expect(good["rivulet_run_records_\(name)\(release),source=\"items\"}"] == Double(count), "\(name)")
    }
    #expect(good["rivulet_run_source_bytes\(release),source=\"items\"}"] ?? 0 > 0)
    #expect(good["rivulet_run_stage_duration_seconds\(release),stage=\"publish\"}"] != nil, "\(good)")
    #expect(good.keys.contains { $0.hasPrefix("rivulet_run_rule_passed\(release),rule=") }, "\(good)")
  }

  @Test("of a night have its problems by step, what waits and how old the releases are")
  func nightly() throws {
    try night.define(Night.watching + "\nfreshness: {items: 36500d}")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.put("ITEM_25b_.csv", Night.bad("b001"))
    try night.write("incoming", ["ITEM_25c_.csv": Night.item("c001")])
    try night.start("--metrics", metrics).wait().failed(3)
    let series = try series()
    #expect(series[#"rivulet_nightly_problems{step="runs"}"#] == 1, "\(series)")
    #expect(series[#"rivulet_nightly_problems{step="schema"}"#] == 0)
    #expect(series["rivulet_nightly_files_waiting"] == 1)
    #expect(series[#"rivulet_dataset_age_seconds{pipeline="items",release="2025A"}"#] ?? 0 > 86_400)
    #expect(series[#"rivulet_dataset_age_limit_seconds{pipeline="items"}"#] == Double(36_500 * 86_400))
    #expect(series[#"rivulet_run_outcome{pipeline="items",release="2025B",outcome="refused"}"#] == 1)
    #expect(series[#"rivulet_last_run_exit_code{command="nightly"}"#] == 3)
  }

  @Test("of migrations and views have what was done")
  func others() throws {
    let views = try OwnViews()
    try views.bundle("items25a", "a001 first")
    _ = try views.own.run("items25a", options: ["--no-refresh"]).succeeded()
    try views.own.command("refresh", "--metrics", metrics).succeeded()
    #expect(try series()[#"rivulet_view_outcome{view="own.by_words",outcome="refreshed"}"#] == 1)
    try night.command("migrate", "up", "--metrics", metrics).succeeded()
    #expect(try series()["rivulet_migrations_applied"] == 0)
    #expect(try series()["rivulet_migrations_pending"] == 0)
    try night.scratch.write(
      "Migrations/0002_more.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    try night.command("migrate", "up", "--metrics", metrics).succeeded()
    #expect(try series()["rivulet_migrations_applied"] == 1)
  }

  @Test("are written also where the database is not there")
  func failing() throws {
    let nowhere = Program(database: "postgresql://nobody@127.0.0.1:1/nothing")
    try nowhere.run(["nightly", "--metrics", metrics] + night.project).failed(1)
    #expect(try series()[#"rivulet_last_run_success{command="nightly"}"#] == 0)
    // A folder in which nothing can be made: the night has the code that it had.
    try nowhere.run(["nightly", "--metrics", "/proc/self/rivulet.prom"] + night.project)
      .failed(1, saying: "--metrics: ")
    // A wrong path is found before anything is done.
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.start("--metrics", night.path("no/rivulet.prom")).wait().failed(2, saying: "--metrics takes")
    #expect(try night.value("SELECT count(*) FROM rivulet.run") == "0")
  }

  @Test(
    "stay as they were where the disk is full, which is a warning",
    .enabled(if: SmallDevice.isPossible, "needs root and the right to mount a tmpfs"))
  func full() throws {
    let device = try SmallDevice(at: night.path("small"), megabytes: 1)
    let file = night.path("small/rivulet.prom")
    try "old\n".write(toFile: file, atomically: true, encoding: .utf8)
    let filler = FileManager.default.createFile(
      atPath: night.path("small/filler"), contents: Data(count: (1 << 20) - 8192))
    #expect(filler)
    while let handle = FileHandle(forWritingAtPath: night.path("small/filler")) {
      try handle.seekToEnd()
      guard (try? handle.write(contentsOf: Data(count: 512))) != nil else { break }
      try handle.close()
    }
    try night.start("--metrics", file).wait().succeeded(saying: "warning: --metrics: ")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: night.path("small")).count == 2)
    withExtendedLifetime(device) {}
  }

  @Test("stay as they were where the program is killed, and no half file is left")
  func killed() throws {
    try "old\n".write(toFile: metrics, atomically: true, encoding: .utf8)
    let records = (0..<200_000).map { Night.item("\($0)") }.joined(separator: "\n")
    try night.put("ITEM_25a_.csv", records)
    let started = try night.start("--metrics", metrics)
    try #require(
      try night.database.finds(
        """
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
          AND query LIKE 'COPY "own"."item\\_%'
        """))
    started.signal(SIGKILL)
    _ = try started.wait()
    #expect(try String(contentsOfFile: metrics, encoding: .utf8) == "old\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: night.scratch.path)
    #expect(files.filter { $0.contains(".prom") } == ["rivulet.prom"])
  }
}
