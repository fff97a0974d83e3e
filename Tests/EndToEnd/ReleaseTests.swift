import Foundation
import PostgreSQL
import Synchronization
import TestSupport
import Testing

/// Releases published and hidden, on the sample and on bundles made by the sampler.
@Suite("Releases")
struct ReleaseTests {
  private func bundle(_ release: String, seed: UInt64 = 1, rows: Int = 60) throws -> String {
    try Samples.make(rows: rows, seed: seed, release: release)
  }

  private func states(_ desk: Desk) throws -> [String] {
    let list = try desk.command("releases", "list", "--format", "json")
    let rows = try #require(list.object()["releases"] as? [[String: Any]])
    return try rows.indices.map { row in
      let members = ["release", "revision", "state"].map { "releases/\(row)/" + $0 }
      let current = try list.at("releases/\(row)/current") == "true" ? " current" : ""
      return try members.map { try list.at($0) }.joined(separator: " ") + current
    }
  }

  /// Hides what was published last.
  @discardableResult
  private func rollBack(_ desk: Desk, _ options: String...) throws -> Program.Outcome {
    try desk.command("releases", "rollback", "cms-rvu", options: options).succeeded()
  }

  private func publish(_ desk: Desk, _ words: String...) throws -> Program.Outcome {
    try desk.command("releases", "publish", "cms-rvu", options: words)
  }

  @Test("of which the latest in effect is current, whatever the order of loading, or the pinned one")
  func current() throws {
    let desk = try Desk()
    for release in ["2025D", "2025A", "2031A"] { try desk.load("cms-rvu", bundle(release)).succeeded() }
    #expect(try states(desk) == ["2031A 1 published", "2025D 1 published current", "2025A 1 published"])
    let readers = "SELECT DISTINCT release FROM cms.current_rvu"
    try desk.command("releases", "pin", "cms-rvu", "2025A").succeeded()
    #expect(try desk.value(readers) == "2025A")
    try desk.command("releases", "pin", "cms-rvu", "--clear").succeeded()
    #expect(try desk.value(readers) == "2025D")
    // One that is pinned and then withdrawn does not leave readers without a current one.
    #expect(try rollBack(desk).output.contains("2031A"))
    try desk.command("releases", "pin", "cms-rvu", "2025a").succeeded()
    try rollBack(desk).succeeded(showing: "rivulet releases pin cms-rvu 2025A")
    #expect(try desk.value(readers) == "2025D")
    #expect(try rollBack(desk, "--format", "json").at("unpinned") == "false")
  }

  @Test("are rolled back by name, from one revision to another, once it is said what that would do")
  func named() throws {
    let desk = try Desk()
    for (release, seed) in [("2025D", 1), ("2025D", 2), ("2025A", 3)] as [(String, UInt64)] {
      try desk.load("cms-rvu", bundle(release, seed: seed)).succeeded()
    }
    let before = ["2025D 2 published current", "2025D 1 superseded", "2025A 1 published"]
    // Without a name it is what was published last.
    let last = try rollBack(desk, "--dry-run")
    #expect(last.output.contains("would roll back cms-rvu 2025A from revision 1 to none"))
    let due = try rollBack(desk, "2025d", "--dry-run", "--format", "json")
    #expect(try due.at("release", "withdrawn", "restored", "dry_run") == "2025D 2 1 true")
    #expect(try states(desk) == before)
    try desk.command("releases", "rollback", "cms-rvu", "2024D").failed(2, saying: "loaded are 2025A, 2025D")

    // At a terminal it is asked.
    func asked(_ words: [String], answer: String) throws -> Program.Outcome {
      try desk.program.start(["releases"] + words, typing: answer).wait()
    }
    let rollback = ["rollback", "cms-rvu", "2025D"]
    let declined = try asked(rollback, answer: "n\n")
    #expect(declined.status == 1 && declined.output.contains("nothing was changed"), "\(declined.output)")
    #expect(declined.output.contains("Roll back cms-rvu 2025D from revision 2 to revision 1? [y/N]"))
    let dropping = try asked(["drop", "cms-rvu", "2025A"], answer: "\n")
    #expect(dropping.status == 1 && dropping.output.contains("Drop cms-rvu 2025A revision 1 ("))
    #expect(try states(desk) == before)
    #expect(try asked(rollback, answer: "y\n").status == 0)
    #expect(try states(desk) == ["2025D 2 withdrawn", "2025D 1 published current", "2025A 1 published"])
    let unasked = try asked(rollback + ["--yes"], answer: "")
    #expect(unasked.status == 0 && !unasked.output.contains("[y/N]"), "\(unasked.output)")
    try desk.command("releases", options: rollback).failed(1, saying: "nothing of cms-rvu 2025D is published")
  }

  @Test("whose content changes become a revision, and rolling back brings the old one back")
  func revisions() throws {
    let desk = try Desk()
    let sum = "SELECT sum(work_rvu) FROM cms.rvu WHERE release = '2025D'"
    try desk.load("cms-rvu", bundle("2025D")).succeeded()
    let first = try desk.value(sum)
    let second = try desk.load("cms-rvu", bundle("2025D", seed: 2), options: ["--format", "json"])
    #expect(try second.at("revision") == "2")
    #expect(try desk.value(sum) != first)
    #expect(try states(desk) == ["2025D 2 published current", "2025D 1 superseded"])
    try rollBack(desk)
    #expect(try states(desk) == ["2025D 2 withdrawn", "2025D 1 published current"])
    #expect(try desk.value(sum) == first)
    try rollBack(desk)
    #expect(try desk.value("SELECT count(*) FROM cms.rvu") == "0")
    try desk.command("releases", "rollback", "cms-rvu").failed(1)

    try publish(desk, "2025D").succeeded()
    #expect(try states(desk) == ["2025D 2 withdrawn", "2025D 1 published current"])
    try publish(desk, "2025d").succeeded(showing: "already")
    try publish(desk, "2025D", "--revision", "2").succeeded()
    #expect(try states(desk) == ["2025D 2 published current", "2025D 1 superseded"])
    try publish(desk, "2025D", "--revision", "9").failed(2, saying: "loaded are 2, 1")
    // What is staged after a rollback is what is meant.
    try rollBack(desk)
    let third = try bundle("2025D", seed: 3)
    try desk.load("cms-rvu", third, options: ["--no-publish"]).succeeded()
    try publish(desk, "2025D").succeeded(showing: "revision 3")
  }

  @Test("that are only staged are seen by nobody until they are published")
  func staged() throws {
    let desk = try Desk()
    let zip = try bundle("2025D")
    let run = try desk.load("cms-rvu", zip, options: ["--no-publish", "--format", "json"])
    #expect(try run.at("state") == "staged")
    #expect(try desk.value("SELECT count(*) FROM cms.rvu") == "0")
    // Autovacuum would be in the way of attaching the tables, and is due only once they have readers.
    let unattended = """
      SELECT count(*) FROM rivulet.release_table t JOIN pg_class c ON c.oid = to_regclass(t.partition)
      LEFT JOIN pg_class l ON l.oid = c.reltoastrelid
      WHERE 'autovacuum_enabled=off' = ANY (c.reloptions)
        AND coalesce('autovacuum_enabled=off' = ANY (l.reloptions), l.oid IS NULL)
      """
    #expect(try desk.value(unattended) == "5")
    try publish(desk, "2025D").succeeded()
    #expect(try desk.value("SELECT count(*) FROM cms.rvu") == "60")
    #expect(try desk.value("SELECT count(*) FROM pg_class WHERE reloptions::text ~ 'autovacuum'") == "0")
    #expect(try desk.load("cms-rvu", zip, options: ["--format", "json"]).at("state") == "unchanged")
  }

  @Test("are seen whole or not at all while others take their place")
  func neverHalf() throws {
    let desk = try Desk()
    let bundles = try (1...6).map { try bundle("2025D", seed: UInt64($0), rows: $0 % 2 == 0 ? 60 : 90) }
    try desk.load("cms-rvu", bundles[0]).succeeded()
    let seen = Mutex<[String: Int]>([:])
    let isDone = Atomic<Bool>(false)
    let target = desk.database.target
    let reader = Background {
      let connection = try Connection(to: target)
      while !isDone.load(ordering: .relaxed) {
        let row = try connection.execute("SELECT count(*), count(DISTINCT source_file_id) FROM cms.rvu")[0]
        seen.withLock { $0["\(row[0] ?? "") \(row[1] ?? "")", default: 0] += 1 }
      }
    }
    for bundle in bundles.dropFirst() {
      try desk.load("cms-rvu", bundle, options: Loaded.unlikeTheLast + ["--lock-wait", "60"]).succeeded()
    }
    for _ in 1...5 { try rollBack(desk, "--lock-wait", "60") }
    isDone.store(true, ordering: .relaxed)
    try reader.wait()
    let found = seen.withLock { $0 }
    #expect(Set(found.keys) == ["60 1", "90 1"] && found.values.reduce(0, +) > 20, "\(found)")
  }

  @Test("follow their tables down and up, and are loaded again where those went with their migration")
  func migrations() throws {
    let desk = try Desk(with: Loaded.sample())
    func migrate(_ words: String...) throws { try desk.command("migrate", options: words).succeeded() }
    func loads(_ table: String, _ rows: Int) throws {
      #expect(
        try desk.load("cms-rvu", Sample.path, options: ["--format", "json"]).at("state") == "published")
      #expect(try desk.value("SELECT count(*) FROM \(table)") == "\(rows)")
    }
    try desk.load("cms-rvu", Sample.path, options: ["--force"]).succeeded()
    // Columns of a later migration: of the table, the published revision and the one that it superseded.
    let columns = """
      SELECT count(*) || ' ' || count(DISTINCT c.relname) FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
      WHERE c.relname ~ '^rvu' AND c.relkind IN ('r', 'p')
        AND a.attname IN ('pricing_indicator', 'nonfac_pe_rvu_full', 'fac_total_full')
      """
    #expect(try desk.value(columns) == "9 3")
    try migrate("down", "--to", "5")
    #expect(try desk.value(columns) == "0 0")
    try migrate("up")
    #expect(try desk.value(columns) == "9 3")
    try rollBack(desk)
    #expect(try desk.value("SELECT count(pricing_indicator) FROM cms.rvu") == "0")

    try migrate("down", "--to", "0003")
    #expect(try desk.value("SELECT DISTINCT missing_tables FROM rivulet.release") == "{cms.opps_cap}")
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
    #expect(try desk.value(left) == "rivulet00")
    try migrate("up")
    try loads("cms.rvu", 400)
    #expect(try desk.value("SELECT count(*) > 0 FROM mart.payment") == "t")
  }

  @Test(
    "are neither hidden by a bundle that lacks tables, nor published without a table that somebody dropped")
  func lostTables() throws {
    let desk = try Desk(with: Loaded.sample())
    try Loaded.unzip(Sample.path, "PPRRVU2025_Oct.csv", into: desk.path("RVU25D"))
    try desk.load("cms-rvu", "RVU25D", options: ["--allow-missing"]).failed(3, saying: "cms.gpci")
    #expect(try desk.value("SELECT count(*) FROM cms.gpci") == "109")
    try desk.load("cms-rvu", "RVU25D", options: ["--allow-missing", "--force"]).succeeded()
    let lacking = "SELECT missing_tables @> '{cms.gpci,cms.opps_cap}' FROM cms.release"
    #expect(try desk.value(lacking) == "t")

    for _ in 1...2 { try rollBack(desk) }
    let table = try #require(
      try desk.value("SELECT partition FROM rivulet.release_table WHERE target = 'cms.gpci'"))
    try desk.database.connect().execute("DROP TABLE \(Quote.qualified(table))")
    try publish(desk, "2025D", "--revision", "1").failed(1, saying: table)
    try desk.load("cms-rvu", Sample.path).succeeded()
    #expect(try desk.value("SELECT count(*) FROM cms.gpci") == "109")
  }

  @Test("stay staged when readers hold the tables too long, and 4 says so")
  func blocked() throws {
    let desk = try Desk(with: Loaded.sample())
    let reader = try desk.database.connect()
    // Maintenance of another release is in nobody's way.
    try desk.load("cms-rvu", bundle("2025A")).succeeded()
    let other = try #require(
      try desk.value(
        "SELECT partition FROM rivulet.release_table WHERE (release, target) = ('2025A', 'cms.rvu')"))
    try reader.execute("BEGIN; LOCK TABLE \(Quote.qualified(other)) IN SHARE UPDATE EXCLUSIVE MODE")
    let forced = ["--force"] + Loaded.unlikeTheLast
    try desk.load("cms-rvu", Sample.path, options: forced).succeeded()
    try reader.execute("COMMIT; BEGIN; SELECT count(*) FROM cms.rvu")
    try desk.load("cms-rvu", Sample.path, options: forced).failed(
      4, saying: "rivulet releases publish cms-rvu 2025D")
    try reader.execute("COMMIT")
    #expect(
      try states(desk) == [
        "2025D 3 staged", "2025D 2 published current", "2025D 1 superseded", "2025A 1 published",
      ])
    try publish(desk, "2025D").succeeded()
  }
}
