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
    let (database, program) = try Loaded.migrated()
    let whole = try Samples.make(rows: 60, release: "2025A")
    try #require(try program.run("run", "cms-rvu", whole).status == 0)
    // It lacks a table that the published one has.
    let part = try Samples.make(without: ["anes"], rows: 60, seed: 2, release: "2025A")
    let other = try Samples.make(rows: 60, release: "2025B")
    let run = try program.run("run", "cms-rvu", other, part, "--allow-missing", "--format", "json").failed(
      3, saying: "which this bundle lacks")
    #expect((try run.object()["error"] as? [String: Any])?["code"] as? Int == 3)
    let runs = try #require(try run.object()["runs"] as? [[String: Any]])
    #expect(runs.map { $0["state"] as? String } == ["published"])
    #expect(try database.value(states) == "2025A published, 2025B published")
    #expect(try PublishedContent.leftovers(in: database) == [])
  }

  @Test("that is unchanged and cannot be ended is recorded as failed")
  func unchanged() throws {
    let (database, program) = try Loaded.migrated()
    try #require(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let other = try database.connect()
    try other.execute("ALTER TABLE cms.code_list RENAME COLUMN meaning TO words")
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 1)
    try other.execute("ALTER TABLE cms.code_list RENAME COLUMN words TO meaning")
    #expect(try database.value(states) == "2025D published, 2025D failed")
    #expect(try database.value("SELECT error FROM rivulet.run WHERE run = 2")?.contains("42703") == true)
    #expect(try program.run("run", "cms-rvu", Sample.path).output.contains("unchanged"))
  }

  @Test("is cancelled with all its tables once one of them has failed")
  func cancelled() throws {
    let (database, program) = try Loaded.migrated()
    // The server refuses the first row of the small table, while the large one is on its way.
    try database.connect().execute("ALTER TABLE cms.gpci ADD CONSTRAINT none CHECK (mac = '') NOT VALID")
    let scratch = try Scratch()
    let zip = scratch.path + "/RVU25D.zip"
    try program.run("sample", "cms-rvu", "-o", zip, "--rows", "100000", "--formats", "csv").succeeded()
    try program.run("run", "cms-rvu", zip, "--format", "json").failed(3, saying: "GPCI2025.csv: row 1")
    #expect(try database.value(states) == "2025D refused")
    let read = "SELECT count(*) FROM rivulet.source_file WHERE source = 'pprrvu' AND records_read IS NOT NULL"
    #expect(try database.value(read) == "0")
    #expect(try PublishedContent.leftovers(in: database) == [])
  }
}
