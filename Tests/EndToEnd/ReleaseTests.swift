import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Releases published and hidden, on the sample and on bundles made by the sampler.
@Suite("Releases")
struct ReleaseTests {
  /// A bundle of our own making.
  private func bundle(_ release: String, seed: Int = 1, rows: Int = 60, in scratch: Scratch) throws -> String
  {
    let path = scratch.path + "/RVU\(release.dropFirst(2))-\(seed).zip"
    let outcome = try Program().run(
      "sample", "cms-rvu", "-o", path, "--rows", "\(rows)", "--seed", "\(seed)", "--release", release)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return path
  }

  private func states(_ program: Program) throws -> [String] {
    let document = try program.run("releases", "list", "--format", "json").object()
    let rows = try #require(document["releases"] as? [[String: Any]])
    return rows.map { row in
      let current = row["current"] as? Bool == true ? " current" : ""
      return "\(row["release"] ?? "") \(row["revision"] ?? "") \(row["state"] ?? "")\(current)"
    }
  }

  @Test("of which the latest in effect is current, whatever the order of loading")
  func current() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    for release in ["2025D", "2025A", "2031A"] {
      let outcome = try program.run("run", "cms-rvu", try bundle(release, in: scratch))
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(
      try states(program) == ["2031A 1 published", "2025D 1 published current", "2025A 1 published"])
    #expect(try program.run("releases", "pin", "cms-rvu", "2025A").status == 0)
    #expect(try database.value("SELECT DISTINCT release FROM cms.current_rvu") == "2025A")
    #expect(try program.run("releases", "pin", "cms-rvu", "--clear").status == 0)
    #expect(try database.value("SELECT DISTINCT release FROM cms.current_rvu") == "2025D")
  }

  @Test("whose content changes become a revision, and rolling back brings the old one back")
  func revisions() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let sum = "SELECT sum(work_rvu) FROM cms.rvu WHERE release = '2025D'"
    #expect(try program.run("run", "cms-rvu", try bundle("2025D", seed: 1, in: scratch)).status == 0)
    let first = try database.value(sum)
    let second = try program.run(
      "run", "cms-rvu", try bundle("2025D", seed: 2, in: scratch), "--format", "json"
    ).object()
    #expect(second["revision"] as? Int == 2)
    #expect(try database.value(sum) != first)
    #expect(try states(program) == ["2025D 2 published current", "2025D 1 superseded"])

    #expect(try program.run("releases", "rollback", "cms-rvu").status == 0)
    #expect(try states(program) == ["2025D 2 withdrawn", "2025D 1 published current"])
    #expect(try database.value(sum) == first)

    #expect(try program.run("releases", "rollback", "cms-rvu").status == 0)
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "0")
    #expect(try program.run("releases", "rollback", "cms-rvu").status == 1)

    #expect(try program.run("releases", "publish", "cms-rvu", "2025D").status == 0)
    #expect(try states(program) == ["2025D 2 withdrawn", "2025D 1 published current"])
    #expect(try program.run("releases", "publish", "cms-rvu", "2025d").output.contains("already"))
    let chosen = try program.run("releases", "publish", "cms-rvu", "2025D", "--revision", "2")
    #expect(chosen.status == 0, "\(chosen.errors)")
    #expect(try states(program) == ["2025D 2 published current", "2025D 1 superseded"])
    let unknown = try program.run("releases", "publish", "cms-rvu", "2025D", "--revision", "9")
    #expect(unknown.status == 2 && unknown.errors.contains("loaded are 2, 1"), "\(unknown.errors)")
    // What is staged after a rollback is what is meant.
    #expect(try program.run("releases", "rollback", "cms-rvu").status == 0)
    let third = try bundle("2025D", seed: 3, in: scratch)
    #expect(try program.run("run", "cms-rvu", third, "--no-publish").status == 0)
    #expect(try program.run("releases", "publish", "cms-rvu", "2025D").output.contains("revision 3"))
  }

  @Test("that are only staged are seen by nobody until they are published")
  func staged() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let zip = try bundle("2025D", in: scratch)
    let run = try program.run("run", "cms-rvu", zip, "--no-publish", "--format", "json").object()
    #expect(run["state"] as? String == "staged")
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "0")
    // Autovacuum would be in the way of attaching the tables, and is due only once they have readers.
    let unattended = """
      SELECT count(*) FROM rivulet.release_table t JOIN pg_class c ON c.oid = to_regclass(t.partition)
      LEFT JOIN pg_class l ON l.oid = c.reltoastrelid
      WHERE 'autovacuum_enabled=off' = ANY (c.reloptions)
        AND coalesce('autovacuum_enabled=off' = ANY (l.reloptions), l.oid IS NULL)
      """
    #expect(try database.value(unattended) == "5")
    #expect(try program.run("releases", "publish", "cms-rvu", "2025D").status == 0)
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "60")
    #expect(try database.value("SELECT count(*) FROM pg_class WHERE reloptions::text ~ 'autovacuum'") == "0")
    let again = try program.run("run", "cms-rvu", zip, "--format", "json").object()
    #expect(again["state"] as? String == "unchanged")
  }

  @Test("of a dry run leave nothing behind but the ledger's line")
  func dryRun() throws {
    let (database, program) = try Loaded.migrated()
    let before = try database.value("SELECT count(*) FROM pg_class")
    let run = try program.run("run", "cms-rvu", Sample.path, "--dry-run", "--format", "json").object()
    #expect(run["state"] as? String == "dry_run")
    #expect(try database.value("SELECT count(*) FROM pg_class") == before)
    #expect(try database.value("SELECT string_agg(state, ',') FROM rivulet.run") == "dry_run")
  }

  @Test("are seen whole or not at all while others take their place")
  func neverHalf() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let bundles = try (1...6).map { try bundle("2025D", seed: $0, rows: $0 % 2 == 0 ? 60 : 90, in: scratch) }
    #expect(try program.run("run", "cms-rvu", bundles[0]).status == 0)
    let reader = ReaderTally()
    let target = database.target
    let thread = Thread {
      guard let connection = try? Connection(to: target) else { return }
      while !reader.isDone {
        guard
          let row = try? connection.execute("SELECT count(*), count(DISTINCT source_file_id) FROM cms.rvu")
            .first
        else { return reader.add("failed") }
        reader.add("\(row[0] ?? "") \(row[1] ?? "")")
      }
    }
    thread.start()
    for bundle in bundles.dropFirst() {
      #expect(try program.run("run", "cms-rvu", bundle).status == 0)
    }
    for _ in 1...5 { #expect(try program.run("releases", "rollback", "cms-rvu").status == 0) }
    reader.finish()
    let seen = reader.seen
    #expect(Set(seen.keys) == ["60 1", "90 1"], "\(seen)")
    #expect(seen.values.reduce(0, +) > 20)
  }

  @Test("can be loaded again after the schema was reverted and made again")
  func downAndUp() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    #expect(try program.run("run", "cms-rvu", Sample.path, "--force").status == 0)
    let down = try program.run("migrate", "down", "--to", "0")
    #expect(down.status == 0, "\(down.errors)")
    let left = """
      SELECT string_agg(DISTINCT n.nspname, ' ') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      """
    #expect(try database.value(left) == "rivulet")
    let functions =
      "SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname IN ('cms', 'mart', 'public')"
    #expect(try database.value(functions) == "0")
    #expect(try database.value("SELECT count(*) FROM pg_namespace WHERE nspname IN ('cms', 'mart')") == "0")
    #expect(try program.run("migrate", "up").status == 0)
    let again = try program.run("run", "cms-rvu", Sample.path, "--format", "json").object()
    #expect(again["state"] as? String == "published")
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "400")
    #expect(try database.value("SELECT count(*) > 0 FROM mart.payment") == "t")
  }

  @Test("are loaded again when one of their tables went with its migration")
  func partialDown() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    #expect(try program.run("migrate", "down", "--to", "0003").status == 0)
    #expect(try database.value("SELECT missing_tables FROM rivulet.release") == "{cms.opps_cap}")
    #expect(try program.run("migrate", "up").status == 0)
    let again = try program.run("run", "cms-rvu", Sample.path, "--format", "json").object()
    #expect(again["state"] as? String == "published")
    #expect(try database.value("SELECT count(*) FROM cms.opps_cap") == "654")
  }

  @Test("that are pinned and then withdrawn do not leave readers without a current one")
  func pinWithdrawn() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    #expect(try program.run("run", "cms-rvu", try bundle("2025D", in: scratch)).status == 0)
    #expect(try program.run("run", "cms-rvu", try bundle("2025A", in: scratch)).status == 0)
    #expect(try program.run("releases", "pin", "cms-rvu", "2025a").status == 0)
    let back = try program.run("releases", "rollback", "cms-rvu")
    #expect(back.output.contains("rivulet releases pin cms-rvu 2025A"), "\(back.output)")
    #expect(try database.value("SELECT DISTINCT release FROM cms.current_rvu") == "2025D")
    let other = try program.run("releases", "rollback", "cms-rvu", "--format", "json").object()
    #expect(other["unpinned"] as? Bool == false)
  }

  @Test("of which somebody dropped a table by hand can be loaded again, and the loss is reported")
  func lostTable() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    #expect(try program.run("releases", "rollback", "cms-rvu").status == 0)
    let table = try #require(
      try database.value("SELECT partition FROM rivulet.release_table WHERE target = 'cms.gpci'"))
    try database.connect().execute("DROP TABLE \(Quote.qualified(table))")
    let publish = try program.run("releases", "publish", "cms-rvu", "2025D")
    #expect(publish.status == 1 && publish.errors.contains(table), "\(publish.errors)")
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    #expect(try database.value("SELECT count(*) FROM cms.gpci") == "109")
  }

  @Test("that are whole are not hidden by a bundle that lacks tables, unless that is forced")
  func hiding() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    try scratch.write("RVU25D/PPRRVU2025_Oct.csv", try Archive.text("PPRRVU2025_Oct.csv", in: Sample.path))
    let part = scratch.path + "/RVU25D"
    let refused = try program.run("run", "cms-rvu", part, "--allow-missing")
    #expect(refused.status == 3 && refused.errors.contains("cms.gpci"), "\(refused.errors)")
    #expect(try database.value("SELECT count(*) FROM cms.gpci") == "109")
    #expect(try program.run("run", "cms-rvu", part, "--allow-missing", "--force").status == 0)
  }

  @Test("stay staged when readers hold the tables too long, and 4 says so")
  func blocked() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let reader = try database.connect()
    // Maintenance of another release is in nobody's way.
    let scratch = try Scratch()
    #expect(try program.run("run", "cms-rvu", try bundle("2025A", in: scratch)).status == 0)
    let other = try #require(
      try database.value(
        "SELECT partition FROM rivulet.release_table WHERE (release, target) = ('2025A', 'cms.rvu')"))
    try reader.execute("BEGIN; LOCK TABLE \(Quote.qualified(other)) IN SHARE UPDATE EXCLUSIVE MODE")
    let forced = ["run", "cms-rvu", Sample.path, "--force"] + Loaded.unlikeTheLast
    #expect(try program.run(forced).status == 0)
    try reader.execute("COMMIT; BEGIN; SELECT count(*) FROM cms.rvu")
    let run = try program.run(forced)
    #expect(run.status == 4, "\(run.errors)")
    #expect(run.errors.contains("rivulet releases publish cms-rvu 2025D"), "\(run.errors)")
    try reader.execute("COMMIT")
    let kept = ["2025D 3 staged", "2025D 2 published current", "2025D 1 superseded", "2025A 1 published"]
    #expect(try states(program) == kept)
    #expect(try program.run("releases", "publish", "cms-rvu", "2025D").status == 0)
  }

  @Test("before the one that fails stay published, and are reported together with the failure")
  func several() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let good = try bundle("2025D", in: scratch)
    let text = try Archive.text("PPRRVU2025_Oct.csv", in: Sample.path)
    for name in ["GPCI2025.csv", "25LOCCO.csv", "ANES2025.csv", "OPPSCAP_Oct.csv"] {
      try scratch.write("RVU24D/\(name)", try Archive.text(name, in: Sample.path))
    }
    try scratch.write(
      "RVU24D/PPRRVU2024.csv",
      text.replacing("2025 National", with: "2024 National").replacing("99213,,", with: "992.3,,"))
    let run = try program.run("run", "cms-rvu", good, scratch.path + "/RVU24D", "--format", "json")
    #expect(run.status == 3, "\(run.errors)")
    let document = try run.object()
    let runs = try #require(document["runs"] as? [[String: Any]])
    #expect(runs.compactMap { $0["state"] as? String } == ["published", "refused"])
    #expect((document["error"] as? [String: Any])?["code"] as? Int == 3)
    #expect(try database.value("SELECT string_agg(release, ',') FROM rivulet.release") == "2025D")
  }
}

/// What a reader saw, and how often.
private final class ReaderTally: @unchecked Sendable {
  private let lock = NSLock()
  private var counts: [String: Int] = [:]
  private var done = false

  var isDone: Bool { lock.withLock { done } }
  var seen: [String: Int] { lock.withLock { counts } }
  func add(_ what: String) { lock.withLock { counts[what, default: 0] += 1 } }
  func finish() { lock.withLock { done = true } }
}
