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
    let run = try program.run("run", "cms-rvu", other, part, "--allow-missing", "--format", "json")
    #expect(run.status == 3 && run.errors.contains("which this bundle lacks"), "\(run.errors)")
    let runs = try #require(try run.object()["runs"] as? [[String: Any]])
    #expect(runs.map { $0["state"] as? String } == ["published"])
    #expect(try database.value(states) == "2025A published, 2025B published")
    #expect(try PublishedContent.leftovers(in: database) == [])
  }

  @Test("that is unchanged and cannot be ended is recorded as failed")
  func unchanged() throws {
    let (database, program) = try Loaded.migrated()
    try #require(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let holder = try database.connect()
    try holder.execute("BEGIN; LOCK TABLE cms.code_list IN EXCLUSIVE MODE")
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 4)
    try holder.execute("COMMIT")
    #expect(try database.value(states) == "2025D published, 2025D failed")
    #expect(try database.value("SELECT error FROM rivulet.run WHERE run = 2")?.contains("a lock") == true)
    #expect(try program.run("run", "cms-rvu", Sample.path).output.contains("unchanged"))
  }

  @Test("is cancelled with all its tables once one of them has failed")
  func cancelled() throws {
    let (database, program) = try Loaded.migrated()
    // The server refuses the first row of the small table, while the large one is on its way.
    try database.connect().execute("ALTER TABLE cms.gpci ADD CONSTRAINT none CHECK (mac = '') NOT VALID")
    let zip = try Samples.make(rows: 300_000)
    let run = try program.run("run", "cms-rvu", zip, "--format", "json")
    #expect(run.status == 3 && run.errors.contains("GPCI2025.csv: row 1"), "\(run.errors)")
    #expect(try database.value(states) == "2025D refused")
    let read = "SELECT count(*) FROM rivulet.source_file WHERE source = 'pprrvu' AND records_read IS NOT NULL"
    #expect(try database.value(read) == "0")
    #expect(try PublishedContent.leftovers(in: database) == [])
  }
}
