import TestSupport
import Testing

@testable import MigrationEngine

/// Folders in which some files cannot be run.
@Suite("A folder with files that cannot be run")
struct FolderComplaintTests {
  private static let folders: [[String: String]] = [
    [
      "0001_a.sql": "-- rivulet:up\nCREATE TABLE a (n int);\n", "0002_b.sql": "-- rivulet:up\nSELECT 'x;\n",
      "0003_c.sql": "nothing\n", "Notes.sql": "",
    ],
    [
      "V1__a.sql": "CREATE TABLE a (n int);", "V2__b.sql": "SELECT 'x;", "V3__c.sql": "\\copy a FROM b",
      "Notes.sql": "",
    ],
    [
      "1_a.up.sql": "CREATE TABLE a (n int);", "2_b.up.sql": "SELECT 'x;", "3_c.up.sql": "ROLLBACK;",
      "Notes.sql": "",
    ],
    [
      "1_a.sql": "-- migrate:up\nCREATE TABLE a (n int);", "2_b.sql": "-- migrate:up\nSELECT 'x;",
      "3_c.sql": "SELECT 1;",
      "Notes.sql": "",
    ],
  ]

  @Test(
    "is refused by what would run it, with all complaints at once, before anything is run", arguments: folders
  )
  func all(files: [String: String]) throws {
    let folder = try OwnMigrations(files)
    let complaints = try folder.open().complaints.map(\.located)
    #expect(complaints.count == 3)
    for name in files.keys where !name.contains("1") {
      #expect(complaints.contains { $0.contains("/\(name)") })
    }
    let sentence = complaint { try folder.labelsUp() }
    for complaint in complaints.dropFirst() { #expect(sentence.contains(complaint)) }
    #expect(try folder.tables() == nil)
    #expect(throws: MigrationError.self) { try Lint(folder: folder.open()).findings() }
    #expect(throws: MigrationError.self) { try folder.engine().dryRun(.natural) }
  }

  @Test("shows what is pending, and takes a database over that another tool has migrated", arguments: folders)
  func known(files: [String: String]) throws {
    let folder = try OwnMigrations(files)
    let engine = try folder.engine()
    #expect(try engine.status().pending.map(\.name) == ["a", "b", "c"])
    let last = try #require(try engine.status().pending.last?.version)
    #expect(try engine.baseline(.version(last)).taken.count == 3)
    let status = try engine.status()
    #expect(status.applied.map(\.state) == [.applied, .applied, .applied])
    #expect(!status.isInStep)
    #expect(status.complaints.count == 3)
  }

  @Test("whose bytes are no UTF-8 is one of them")
  func encoding() throws {
    let folder = try OwnMigrations(["1_a.up.sql": "SELECT 1;"])
    try folder.scratch.write("2_b.up.sql", bytes: [0x2d, 0x2d, 0xe9])
    #expect(try folder.engine().status().pending.count == 2)
    #expect(complaint { try folder.labelsUp() }.hasPrefix("2_b.up.sql: this is not UTF-8"))
  }
}
