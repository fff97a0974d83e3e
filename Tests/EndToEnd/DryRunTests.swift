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
    let (database, program) = try Loaded.migrated()
    try #require(try program.run("run", "cms-rvu", SharedData.path(Loaded.first)).status == 0)
    let traces = try database.value(Self.traces)
    let run = try program.run(
      "run", "cms-rvu", SharedData.path(Loaded.latest), "--dry-run", "--format", "json"
    ).object()
    #expect(try database.value(Self.traces) == traces)
    #expect(
      try database.value("SELECT string_agg(state, ' ' ORDER BY run) FROM rivulet.run") == "published dry_run"
    )
    let found = try #require(run["differences"] as? [String: Any])
    #expect(found["from"] as? String == "2025A" && found["from_revision"] as? Int == 1)
    #expect(found["to"] as? String == "2025D")
    #expect(["added", "removed", "changed"].map { found[$0] as? Int } == [226, 1, 118])

    try #require(try program.run("run", "cms-rvu", SharedData.path(Loaded.latest)).status == 0)
    let diff = try program.run("releases", "diff", "cms-rvu", "2025A", "2025D", "--format", "json").object()
    #expect(found["columns"] as? [String: Int] == diff["columns"] as? [String: Int])
    let tables = try #require(found["tables"] as? [String: [String: Any]])
    let others = try #require(diff["tables"] as? [String: [String: Any]])
    #expect(tables.count == others.count && tables.count == 4)
    for (name, table) in tables {
      for count in ["added", "removed", "changed"] {
        #expect(table[count] as? Int == others[name]?[count] as? Int, "\(name) \(table)")
      }
    }
  }

  @Test("compares with the published revision of the release, else with the one before it, else with nothing")
  func compared() throws {
    let (_, program) = try Loaded.migrated()
    func differences(_ release: String, seed: UInt64, _ options: String...) throws -> [String: Any]? {
      let path = try Samples.make(rows: 60, seed: seed, release: release)
      let run = try program.run(
        ["run", "cms-rvu", path, "--format", "json"] + options + Loaded.unlikeTheLast
      ).succeeded()
      return try run.object()["differences"] as? [String: Any]
    }
    #expect(try differences("2025B", seed: 1, "--dry-run") == nil)
    #expect(try differences("2025B", seed: 1) == nil, "a run that publishes compares nothing")
    #expect(try differences("2025A", seed: 1, "--dry-run") == nil, "2025B is no release before it")
    let later = try #require(try differences("2025D", seed: 1, "--dry-run"))
    #expect(later["from"] as? String == "2025B" && later["to"] as? String == "2025D")
    _ = try differences("2025D", seed: 1)
    let same = try #require(try differences("2025D", seed: 1, "--dry-run", "--force"))
    #expect(same["from"] as? String == "2025D" && same["from_revision"] as? Int == 1)
    #expect(["added", "removed", "changed"].map { same[$0] as? Int } == [0, 0, 0])
    #expect(
      (same["tables"] as? [String: [String: Any]])?.values.allSatisfy { $0["added"] as? Int == 0 } == true)
    let other = try #require(try differences("2025D", seed: 2, "--dry-run"))
    #expect((other["changed"] as? Int ?? 0) + (other["added"] as? Int ?? 0) > 0)
    #expect(try differences("2025D", seed: 1, "--dry-run") == nil, "what is published already is not loaded")
  }

  @Test("of several sources compares each with what is published now, and names a table that one lacks")
  func several() throws {
    let (database, program) = try Loaded.migrated()
    let paths = try ["2025A", "2025B"].map { try Samples.make(rows: 60, release: $0) }
    let part = try Samples.make(without: ["oppscap"], rows: 60, release: "2025D")
    try #require(try program.run("run", "cms-rvu", paths[0]).status == 0)
    let traces = try database.value(Self.traces)
    let words = ["run", "cms-rvu", paths[1], part, "--allow-missing", "--dry-run"]
    let runs = try #require(
      try program.run(words + ["--format", "json"]).object()["runs"] as? [[String: Any]])
    let found = runs.compactMap { $0["differences"] as? [String: Any] }
    #expect(found.map { $0["from"] as? String } == ["2025A", "2025A"])
    let caps = (found.last?["tables"] as? [String: [String: Any]])?["cms.opps_cap"]
    #expect(caps?["missing_in"] as? [String] == ["to"] && caps?["added"] is NSNull)
    #expect(try database.value(Self.traces) == traces)
    let text = try program.run(words).output
    #expect(text.contains("2025D against 2025A revision 1, the release before it:"), "\(text)")
    #expect(text.contains("not compared: not in this source"), "\(text)")
  }

  @Test("shows no sensitive value, and counts what changed in sensitive columns all the same")
  func sensitive() throws {
    let own = try OwnDataset(isSensitive: true)
    try own.write("items25a", ["ITEM.csv": "a001,1,first,1.00,,m"])
    try own.write("items25b", ["ITEM.csv": "zq77,1,first,1.00,,zq88"])
    try #require(try own.run("items25a").status == 0)
    for options in [["--dry-run"], ["--dry-run", "--format", "json"]] {
      let run = try own.run("items25b", options: options).succeeded()
      #expect(!(run.output + run.errors).contains("zq"), "\(run.output)\(run.errors)")
    }
    let run = try own.run("items25b", options: ["--dry-run", "--format", "json"]).object()
    let found = try #require(run["differences"] as? [String: Any])
    #expect(found["added"] as? Int == 1 && found["removed"] as? Int == 1)
    #expect(try own.leftovers() == "0")
  }
}
