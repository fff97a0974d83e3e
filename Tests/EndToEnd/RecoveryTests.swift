import Foundation
import TestSupport
import Testing

@Suite("What a run leaves in the database")
struct RecoveryTests {
  @Test("are the code lists, also where the release is there already and their table was emptied")
  func codeLists() throws {
    let zip = try Samples.make(rows: 20)
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", zip).status == 0)
    let count = "SELECT count(*) FROM cms.code_list"
    let before = try database.value(count)
    _ = try database.value("DELETE FROM cms.code_list")
    #expect(try program.run("run", "cms-rvu", zip, "--dry-run").status == 0)
    #expect(try database.value(count) == "0")
    let again = try program.run("run", "cms-rvu", zip)
    #expect(again.status == 0 && again.output.contains("unchanged"))
    #expect(try database.value(count) == before && before != "0")
  }

  @Test("is a line of the ledger that says that an archive is damaged, and where")
  func damaged() throws {
    let zip = try Samples.make(rows: 4000)
    var bytes = try Data(contentsOf: URL(filePath: zip))
    // In the middle of the first entry, the largest: beyond its header, and before the directory.
    bytes[bytes.startIndex + 40_000] ^= 0xff
    try bytes.write(to: URL(filePath: zip))
    let (database, program) = try Loaded.migrated()
    let run = try program.run("run", "cms-rvu", zip)
    #expect(run.status == 3, "\(run.output)")
    #expect(
      run.errors.split(separator: "\n").filter { $0.contains("damaged") || $0.hasPrefix(".") }.count == 1)
    #expect(
      try database.value(
        "SELECT state || ' ' || coalesce(substring(error FROM 'entry PPRRVU.*archive is damaged'), error) FROM rivulet.run"
      )
        == "refused entry PPRRVU2025_Oct.csv: the archive is damaged")
    #expect(try database.value("SELECT count(*) FROM pg_class WHERE relname ~ '_2025d_'") == "0")
  }
}
