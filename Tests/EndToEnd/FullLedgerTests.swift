import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A ledger of ten thousand runs and a thousand releases, of which five hundred are published, beside what is
/// loaded now.
@Suite("A full ledger")
struct FullLedgerTests {
  private static let script = SharedData.project + "/Benchmarks/ledger/full.sql"

  @Test("gives every command the answer that an empty one gives, of what is loaded now")
  func answers() throws {
    let own = try OwnProject(
      NumberedPipelines.files(1).merging(
        ["rivulet.yaml": "project: many\ntime_zone: UTC\nwatch: [{pipeline: items1, folder: incoming}]\n"]
      ) { $1 })
    let releases = ["R202501", "R202502", "R202503"]
    try NumberedPipelines.write(releases, in: own)
    try FileManager.default.createDirectory(
      atPath: own.path("incoming"), withIntermediateDirectories: false)
    try own.command("migrate", "up").succeeded()
    try own.load("items1", releases[0]).succeeded()
    try own.database.connect().execute(String(contentsOfFile: Self.script, encoding: .utf8))
    #expect(
      try own.value(
        """
        SELECT concat_ws(' ', (SELECT count(*) FROM rivulet.run), (SELECT count(*) FROM rivulet.release),
          (SELECT count(*) FROM pg_inherits WHERE inhparent = 'many.items1'::regclass))
        """) == "10001 1001 501")
    try own.command("refresh", "--full").succeeded()
    let json = ["--format", "json"]

    #expect(try own.load("items1", releases[0], options: json).succeeded().at("state") == "unchanged")
    let next = try own.load("items1", releases[1], options: json).succeeded()
    #expect(try next.at("run", "state", "revision") == "10003 published 1")
    try NumberedPipelines.expectExact(own, "items1", releases: Array(releases.prefix(2)))
    let list = try own.command("releases", "list", "items1", options: json).succeeded()
    #expect(try (list.object()["releases"] as? [Any])?.count == 1002)
    #expect(try list.at("releases/0/release", "releases/0/current") == "2025-02 true")
    let runs = try own.command("runs", "list", "--limit", "2", options: json).succeeded()
    #expect(try runs.at("runs/0/run", "runs/1/run", "runs/1/state") == "10003 10002 unchanged")
    let up = try own.command("migrate", "up", options: json).succeeded()
    #expect(try up.at("steps", "pending") == "[] 0", "\(up.output)")
    try own.command("migrate", "status").succeeded()
    try own.command("refresh").succeeded()
    let rows = try own.value("SELECT count(*) FROM many.items1")
    #expect(
      try rows == "\(502 * NumberedPipelines.records)" && rows == own.value("SELECT rows FROM many.totals"))

    try own.command("releases", "rollback", "items1").succeeded(showing: "2025-02")
    #expect(try own.value("SELECT release FROM rivulet.current_release") == "2025-01")
    try own.command("releases", "publish", "items1", "2025-02").succeeded()
    try own.command("releases", "drop", "items1", "L1000").succeeded()
    try Shell.run("zip", "-qj", own.path("incoming/R202503.zip"), own.path("R202503/ITEM.csv"))
    // A file that was written just now may not be whole yet.
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(-3600)], ofItemAtPath: own.path("incoming/R202503.zip"))
    let night = try own.command("nightly", options: json).succeeded()
    #expect(try night.at("exit_code") == "0", "\(night.output)")
    try NumberedPipelines.expectExact(own, "items1", releases: releases)
  }
}
