import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Releases published and hidden, on the sample and on bundles made by the sampler.
@Suite("Releases")
struct ReleaseTests {
  private func bundle(_ release: String, seed: UInt64 = 1, rows: Int = 60) throws -> String {
    try Samples.make(rows: rows, seed: seed, release: release)
  }

  private func states(_ program: Program) throws -> [String] {
    let document = try program.run("releases", "list", "--format", "json").object()
    let rows = try #require(document["releases"] as? [[String: Any]])
    return rows.map { row in
      let current = row["current"] as? Bool == true ? " current" : ""
      return "\(row["release"] ?? "") \(row["revision"] ?? "") \(row["state"] ?? "")\(current)"
    }
  }

  @Test("of which the latest in effect is current, whatever the order of loading, or the pinned one")
  func current() throws {
    let (database, program) = try Loaded.migrated()
    for release in ["2025D", "2025A", "2031A"] {
      try program.run("run", "cms-rvu", try bundle(release)).succeeded()
    }
    #expect(
      try states(program) == ["2031A 1 published", "2025D 1 published current", "2025A 1 published"])
    let readers = "SELECT DISTINCT release FROM cms.current_rvu"
    #expect(try program.run("releases", "pin", "cms-rvu", "2025A").status == 0)
    #expect(try database.value(readers) == "2025A")
    #expect(try program.run("releases", "pin", "cms-rvu", "--clear").status == 0)
    #expect(try database.value(readers) == "2025D")
    // One that is pinned and then withdrawn does not leave readers without a current one.
    #expect(try program.run("releases", "rollback", "cms-rvu").output.contains("2031A"))
    #expect(try program.run("releases", "pin", "cms-rvu", "2025a").status == 0)
    let back = try program.run("releases", "rollback", "cms-rvu")
    #expect(back.output.contains("rivulet releases pin cms-rvu 2025A"), "\(back.output)")
    #expect(try database.value(readers) == "2025D")
    let other = try program.run("releases", "rollback", "cms-rvu", "--format", "json").object()
    #expect(other["unpinned"] as? Bool == false)
  }

  @Test("whose content changes become a revision, and rolling back brings the old one back")
  func revisions() throws {
    let (database, program) = try Loaded.migrated()
    let sum = "SELECT sum(work_rvu) FROM cms.rvu WHERE release = '2025D'"
    #expect(try program.run("run", "cms-rvu", try bundle("2025D", seed: 1)).status == 0)
    let first = try database.value(sum)
    let second = try program.run(
      "run", "cms-rvu", try bundle("2025D", seed: 2), "--format", "json"
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
    try program.run("releases", "publish", "cms-rvu", "2025D", "--revision", "2").succeeded()
    #expect(try states(program) == ["2025D 2 published current", "2025D 1 superseded"])
    try program.run("releases", "publish", "cms-rvu", "2025D", "--revision", "9").failed(
      2, saying: "loaded are 2, 1")
    // What is staged after a rollback is what is meant.
    #expect(try program.run("releases", "rollback", "cms-rvu").status == 0)
    let third = try bundle("2025D", seed: 3)
    #expect(try program.run("run", "cms-rvu", third, "--no-publish").status == 0)
    #expect(try program.run("releases", "publish", "cms-rvu", "2025D").output.contains("revision 3"))
  }

  @Test("that are only staged are seen by nobody until they are published")
  func staged() throws {
    let (database, program) = try Loaded.migrated()
    let zip = try bundle("2025D")
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

  @Test("are seen whole or not at all while others take their place")
  func neverHalf() throws {
    let (database, program) = try Loaded.migrated()
    let bundles = try (1...6).map { try bundle("2025D", seed: UInt64($0), rows: $0 % 2 == 0 ? 60 : 90) }
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

  @Test("follow their tables down and up, and are loaded again where those went with their migration")
  func migrations() throws {
    let (database, program) = try Loaded.migrated()
    func migrate(_ words: String...) throws {
      try program.run(["migrate"] + words).succeeded()
    }
    func loads(_ table: String, _ rows: Int) throws {
      let again = try program.run("run", "cms-rvu", Sample.path, "--format", "json").object()
      #expect(again["state"] as? String == "published")
      #expect(try database.value("SELECT count(*) FROM \(table)") == "\(rows)")
    }
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    #expect(try program.run("run", "cms-rvu", Sample.path, "--force").status == 0)
    // Columns of a later migration: of the table, the published revision and the one that it superseded.
    let columns = """
      SELECT count(*) || ' ' || count(DISTINCT c.relname) FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
      WHERE c.relname ~ '^rvu' AND c.relkind IN ('r', 'p')
        AND a.attname IN ('pricing_indicator', 'nonfac_pe_rvu_full', 'fac_total_full')
      """
    #expect(try database.value(columns) == "9 3")
    try migrate("down", "--to", "5")
    #expect(try database.value(columns) == "0 0")
    try migrate("up")
    #expect(try database.value(columns) == "9 3")
    #expect(try program.run("releases", "rollback", "cms-rvu").status == 0)
    #expect(try database.value("SELECT count(pricing_indicator) FROM cms.rvu") == "0")

    try migrate("down", "--to", "0003")
    #expect(try database.value("SELECT DISTINCT missing_tables FROM rivulet.release") == "{cms.opps_cap}")
    try migrate("up")
    try loads("cms.opps_cap", 654)

    try migrate("down", "--to", "0")
    let left = """
      SELECT (SELECT string_agg(DISTINCT n.nspname, ' ') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema')
        || (SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
          WHERE nspname IN ('cms', 'mart', 'public'))
        || (SELECT count(*) FROM pg_namespace WHERE nspname IN ('cms', 'mart'))
      """
    #expect(try database.value(left) == "rivulet00")
    try migrate("up")
    try loads("cms.rvu", 400)
    #expect(try database.value("SELECT count(*) > 0 FROM mart.payment") == "t")
  }

  @Test(
    "are neither hidden by a bundle that lacks tables, nor published without a table that somebody dropped")
  func lostTables() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    try scratch.write("RVU25D/PPRRVU2025_Oct.csv", try Archive.text("PPRRVU2025_Oct.csv", in: Sample.path))
    let part = scratch.path + "/RVU25D"
    try program.run("run", "cms-rvu", part, "--allow-missing").failed(3, saying: "cms.gpci")
    #expect(try database.value("SELECT count(*) FROM cms.gpci") == "109")
    #expect(try program.run("run", "cms-rvu", part, "--allow-missing", "--force").status == 0)
    let lacking = "SELECT missing_tables @> '{cms.gpci,cms.opps_cap}' FROM cms.release"
    #expect(try database.value(lacking) == "t")

    for _ in 1...2 { #expect(try program.run("releases", "rollback", "cms-rvu").status == 0) }
    let table = try #require(
      try database.value("SELECT partition FROM rivulet.release_table WHERE target = 'cms.gpci'"))
    try database.connect().execute("DROP TABLE \(Quote.qualified(table))")
    try program.run("releases", "publish", "cms-rvu", "2025D", "--revision", "1").failed(1, saying: table)
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    #expect(try database.value("SELECT count(*) FROM cms.gpci") == "109")
  }

  @Test("stay staged when readers hold the tables too long, and 4 says so")
  func blocked() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let reader = try database.connect()
    // Maintenance of another release is in nobody's way.
    #expect(try program.run("run", "cms-rvu", try bundle("2025A")).status == 0)
    let other = try #require(
      try database.value(
        "SELECT partition FROM rivulet.release_table WHERE (release, target) = ('2025A', 'cms.rvu')"))
    try reader.execute("BEGIN; LOCK TABLE \(Quote.qualified(other)) IN SHARE UPDATE EXCLUSIVE MODE")
    let forced = ["run", "cms-rvu", Sample.path, "--force"] + Loaded.unlikeTheLast
    #expect(try program.run(forced).status == 0)
    try reader.execute("COMMIT; BEGIN; SELECT count(*) FROM cms.rvu")
    try program.run(forced).failed(4, saying: "rivulet releases publish cms-rvu 2025D")
    try reader.execute("COMMIT")
    let kept = ["2025D 3 staged", "2025D 2 published current", "2025D 1 superseded", "2025A 1 published"]
    #expect(try states(program) == kept)
    #expect(try program.run("releases", "publish", "cms-rvu", "2025D").status == 0)
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
