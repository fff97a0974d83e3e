import Foundation
import PostgreSQL
import TestSupport
import Testing

/// `releases drop`, and what comes after it.
@Suite("A release that is dropped")
struct DropTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  /// Loads revisions of 2025D, and 2025A before it; the revisions have 60, 70, 80... rows. Gives their sources.
  private func load(revisions: Int) throws -> [String] {
    let sources = try (0..<revisions).map {
      try Samples.make(rows: 60 + 10 * $0, seed: UInt64($0 + 1), release: "2025D")
    }
    for source in [try Samples.make(rows: 50, release: "2025A")] + sources {
      try desk.load("cms-rvu", source, options: Loaded.unlikeTheLast).succeeded()
    }
    return sources
  }

  /// Loads a source again, under a number of its own.
  private func expectAgain(_ source: String, revision: Int) throws {
    let again = try desk.load("cms-rvu", source, options: ["--format", "json"] + Loaded.unlikeTheLast)
    #expect(try again.at("state", "revision") == "published \(revision)")
  }

  private func drop(_ words: String...) throws -> Program.Outcome {
    try desk.command("releases", "drop", "cms-rvu", options: words)
  }

  private func rows(_ release: String = "2025D") throws -> String? {
    try desk.value("SELECT count(*) FROM cms.rvu WHERE release = '\(release)'")
  }

  private func states() throws -> String? {
    try desk.value(
      """
      SELECT string_agg(release || ' ' || revision || ' ' || state, ', ' ORDER BY release, revision)
      FROM rivulet.release
      """)
  }

  @Test("is refused while readers need it, and then gone with all its revisions, its room and nothing else")
  func whole() throws {
    let sources = try load(revisions: 2)
    let before = try states()
    for (words, status, says) in [
      (["2025D"], 1, "current release"), (["2025D", "--revision", "2"], 1, "is published"),
      // Visible, though not current.
      (["2025A", "--revision", "1"], 1, "is published"), (["2025D", "--revision", "9"], 2, "2, 1"),
    ] as [([String], Int32, String)] {
      try desk.command("releases", "drop", "cms-rvu", options: words).failed(status, saying: says)
    }
    try desk.command("releases", "pin", "cms-rvu", "2025A").succeeded()
    #expect(try drop("2025A", "--format", "json").failed(1).at("error/hint").contains("--clear"))
    #expect(try states() == before)
    #expect(try rows() == "70")

    // What the published revision replaced cannot come back, and the release is hidden.
    try drop("2025D", "--revision", "1").succeeded()
    try desk.command("releases", "rollback", "cms-rvu").succeeded(showing: "is not published")
    #expect(try states() == "2025A 1 published, 2025D 2 withdrawn")
    try desk.command("releases", "publish", "cms-rvu", "2025D").succeeded()

    let measured = try desk.value(
      """
      SELECT sum(pg_total_relation_size(to_regclass(partition))) || ' ' || sum(rows)
      FROM rivulet.release_table WHERE release = '2025D'
      """)
    let due = try drop("2025d", "--dry-run", "--format", "json")
    #expect(try due.at("revisions", "bytes", "rows", "dry_run") == "[2] \(measured ?? "") true")
    #expect(try rows() == "70")
    #expect(
      try drop("2025d", "--format", "json").at("revisions", "bytes", "rows") == "[2] " + (measured ?? ""))
    #expect(try states() == "2025A 1 published")
    #expect(try rows() == "0" && rows("2025A") == "50")
    #expect(try PublishedContent.leftovers(in: desk.database) == [])
    #expect(
      try desk.rows("SELECT count(*), (SELECT count(*) FROM rivulet.source_file) FROM rivulet.run")
        == ["3|15"])
    try drop("2025D").failed(2, saying: "loaded are 2025A")
    // The newest publication that is left is 2025A's.
    try expectAgain(sources[0], revision: 3)
    #expect(try rows() == "60")
    try desk.command("releases", "rollback", "cms-rvu").succeeded()
    #expect(try states() == "2025A 1 published, 2025D 3 withdrawn")
  }

  @Test("by one revision is passed over when publications are rolled back, and waits no longer for readers")
  func revision() throws {
    let sources = try load(revisions: 3)
    try drop("2025D", "--revision", "2").succeeded(showing: "revision 2 is dropped")
    #expect(try rows() == "80")
    try desk.command("releases", "rollback", "cms-rvu").succeeded(showing: "revision 1 is back")
    #expect(try rows() == "60")
    try desk.command("releases", "rollback", "cms-rvu").succeeded(showing: "is not published")
    #expect(try desk.value("SELECT DISTINCT release FROM cms.current_rvu") == "2025A")
    // What was revision 2 is loaded again.
    try expectAgain(sources[1], revision: 4)
    #expect(try rows() == "70")

    // It is whole where it gives way to readers.
    let before = try states()
    try desk.command("releases", "pin", "cms-rvu", "2025A").succeeded()
    let reader = try desk.database.connect()
    try reader.execute("BEGIN; SELECT count(*) FROM cms.rvu")
    try drop("2025D").failed(
      4, saying: "cms-rvu 2025D were not released", "process \(reader.backendID) (rivulet)", "--lock-wait")
    try reader.execute("COMMIT")
    #expect(try states() == before)
    #expect(try rows() == "70")
    try drop("2025D").succeeded()
  }
}
