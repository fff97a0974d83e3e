import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What `run --dry-run` tells and what it leaves.
@Suite("A dry run")
struct DryRunTests {
  /// All that a run could leave behind, but for the ledger.
  private static let traces = """
    SELECT concat_ws(' ', (SELECT count(*) FROM pg_class),
      (SELECT count(*) FROM pg_locks WHERE locktype IN ('advisory', 'relation') AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
      (SELECT count(*) FROM rivulet.release), (SELECT count(*) FROM rivulet.release_table),
      (SELECT count(*) FROM rivulet.publication), (SELECT count(*) FROM cms.rvu), (SELECT count(*) FROM cms.code_list))
    """

  @Test(
    "of CMS's October file tells what 'releases diff' tells of it once it is published, and leaves its line",
    .needs(Loaded.latest, Loaded.first))
  func realReleases() throws {
    let desk = try Desk(with: Loaded.january())
    let traces = try desk.value(Self.traces)
    let run = try desk.load(
      "cms-rvu", SharedData.path(Loaded.latest), options: ["--dry-run", "--format", "json"]
    ).succeeded()
    #expect(try desk.value(Self.traces) == traces)
    #expect(
      try desk.value("SELECT string_agg(state, ' ' ORDER BY run) FROM rivulet.run") == "published dry_run")
    let found = ["from", "from_revision", "to", "added", "removed", "changed"].map { "differences/" + $0 }
    #expect(try found.map { try run.at($0) } == ["2025A", "1", "2025D", "226", "1", "118"])

    let diff = try Loaded.both.get().1.run(
      "releases", "diff", "cms-rvu", "2025A", "2025D", "--format", "json")
    #expect(try run.at("differences/columns") == diff.at("columns"))
    let tables = try #require(diff.object()["tables"] as? [String: Any])
    #expect(tables.count == 4)
    for table in tables.keys {
      for count in ["added", "removed", "changed"] {
        #expect(
          try run.at("differences/tables/\(table)/\(count)") == diff.at("tables/\(table)/\(count)"))
      }
    }
  }

  @Test("compares with the published revision of the release, else with the one before it, else with nothing")
  func compared() throws {
    let desk = try Desk()
    func differences(_ release: String, seed: UInt64, _ options: String...) throws -> String {
      let path = try Samples.make(rows: 60, seed: seed, release: release)
      let run = try desk.load(
        "cms-rvu", path, options: ["--format", "json"] + options + Loaded.unlikeTheLast
      ).succeeded()
      let members = ["from", "from_revision", "added", "removed", "changed"]
      return try run.object()["differences"] is [String: Any]
        ? members.map { try run.at("differences/" + $0) }.joined(separator: " ") : "none"
    }
    #expect(try differences("2025B", seed: 1, "--dry-run") == "none")
    #expect(try differences("2025B", seed: 1) == "none", "a run that publishes compares nothing")
    #expect(try differences("2025A", seed: 1, "--dry-run") == "none", "2025B is no release before it")
    #expect(try differences("2025D", seed: 1, "--dry-run").hasPrefix("2025B 1 "))
    #expect(try differences("2025D", seed: 1) == "none")
    #expect(try differences("2025D", seed: 1, "--dry-run", "--force") == "2025D 1 0 0 0")
    let other = try differences("2025D", seed: 2, "--dry-run")
    #expect(other.hasPrefix("2025D 1 ") && other != "2025D 1 0 0 0")
    #expect(
      try differences("2025D", seed: 1, "--dry-run") == "none", "what is published already is not loaded")
  }

  @Test("of several sources compares each with what is published now, and names a table that one lacks")
  func several() throws {
    let desk = try Desk()
    let part = try Samples.make(without: ["oppscap"], rows: 60, release: "2025D")
    try desk.load("cms-rvu", Samples.make(rows: 60, release: "2025A")).succeeded()
    let traces = try desk.value(Self.traces)
    let later = try Samples.make(rows: 60, release: "2025B")
    func dry(_ options: String...) throws -> Program.Outcome {
      try desk.load("cms-rvu", later, part, options: ["--allow-missing", "--dry-run"] + options).succeeded()
    }
    let runs = try dry("--format", "json")
    #expect(try runs.at("runs/*/differences/from") == "2025A 2025A")
    let caps = "runs/1/differences/tables/cms.opps_cap/"
    #expect(try runs.at(caps + "missing_in", caps + "added") == #"["to"] null"#)
    #expect(try desk.value(Self.traces) == traces)
    try dry().succeeded(
      showing: "2025D against 2025A revision 1, the release before it:",
      "not compared: not in this source")
  }

  @Test("shows no sensitive value, and counts what changed in sensitive columns all the same")
  func sensitive() throws {
    let own = try OwnDataset(isSensitive: true)
    try own.write("items25a", ["ITEM.csv": "a001,1,first,1.00,,m"])
    try own.write("items25b", ["ITEM.csv": "zq77,1,first,1.00,,zq88"])
    try own.run("items25a").succeeded()
    try own.run("items25b", options: ["--dry-run"]).succeeded().withholding("zq")
    let run = try own.run("items25b", options: ["--dry-run", "--format", "json"]).succeeded()
      .withholding("zq")
    #expect(try run.at("differences/added", "differences/removed") == "1 1")
    #expect(try own.leftovers() == "0")
  }
}
