import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What one source of a command, or one table of a source, has to do with the others.
@Suite("A run beside others")
struct SeveralSourcesTests {
  private let states = "SELECT string_agg(release || ' ' || state, ', ' ORDER BY run) FROM rivulet.run"

  @Test("is published although the next source cannot begin, and the command ends as that one does")
  func nextCannotBegin() throws {
    let desk = try Desk()
    try desk.load("cms-rvu", Samples.make(rows: 60, release: "2025A")).succeeded()
    // It lacks a table that the published one has.
    let part = try Samples.make(without: ["anes"], rows: 60, seed: 2, release: "2025A")
    let run = try desk.load(
      "cms-rvu", Samples.make(rows: 60, release: "2025B"), part,
      options: ["--allow-missing", "--format", "json"]
    ).failed(3, saying: "which this bundle lacks")
    #expect(try run.at("error/code", "runs/*/state") == "3 published")
    #expect(try desk.value(states) == "2025A published, 2025B published")
    #expect(try PublishedContent.leftovers(in: desk.database) == [])
  }

  @Test("that is unchanged and cannot be ended is recorded as failed, and makes good what was emptied")
  func unchanged() throws {
    let desk = try Desk(with: Loaded.sample())
    let other = try desk.database.connect()
    try other.execute("ALTER TABLE cms.code_list RENAME COLUMN meaning TO words")
    try desk.load("cms-rvu", Sample.path).failed(1)
    try other.execute("ALTER TABLE cms.code_list RENAME COLUMN words TO meaning")
    #expect(try desk.value(states) == "2025D published, 2025D failed")
    #expect(try desk.value("SELECT error FROM rivulet.run WHERE run = 2")?.contains("42703") == true)
    // The code lists, but not by a dry run.
    let count = "SELECT count(*) FROM cms.code_list"
    let before = try desk.value(count)
    try other.execute("DELETE FROM cms.code_list")
    try desk.load("cms-rvu", Sample.path, options: ["--dry-run"]).succeeded()
    #expect(try desk.value(count) == "0")
    try desk.load("cms-rvu", Sample.path).succeeded(showing: "unchanged")
    #expect(try desk.value(count) == before && before != "0")
  }

  @Test("is cancelled with all its tables once one of them has failed")
  func cancelled() throws {
    let desk = try Desk()
    // The server refuses the first row of the small table, while the large one is on its way.
    try desk.database.connect().execute(
      "ALTER TABLE cms.gpci ADD CONSTRAINT none CHECK (mac = '') NOT VALID")
    try desk.command(
      "sample", "cms-rvu", "-o", desk.path("RVU25D.zip"), "--rows", "100000", "--formats", "csv"
    ).succeeded()
    try desk.load("cms-rvu", "RVU25D.zip").failed(3, saying: "GPCI2025.csv: row 1")
    #expect(try desk.value(states) == "2025D refused")
    let read = "SELECT count(*) FROM rivulet.source_file WHERE source = 'pprrvu' AND records_read IS NOT NULL"
    #expect(try desk.value(read) == "0")
    #expect(try PublishedContent.leftovers(in: desk.database) == [])
  }
}
