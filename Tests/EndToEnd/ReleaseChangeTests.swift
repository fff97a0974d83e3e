import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A made-up month of NPPES after another: two providers are new, one is gone and three are changed.
@Suite("What a new release changes")
struct ReleaseChangeTests {
  private let database: TestDatabase
  private let program: Program
  private let scratch: Scratch

  init() throws {
    (database, program) = try Loaded.migrated()
    scratch = try Scratch()
    let files = try ProviderFiles(layout: "provider")
    func write(_ month: String, _ people: [[String: String]]) throws {
      try scratch.write(
        "\(month)/npidata_pfile_20050523-2025\(month)09.csv",
        ([files.header] + people.map(files.record) + [""]).joined(separator: "\n"))
    }
    let people = (1...40).map(ProviderFiles.person)
    try write("10", people)
    try write(
      "11",
      people.dropFirst().enumerated().map { place, person in
        place < 3 ? person.merging(["Last Update Date": "10/20/2025"]) { $1 } : person
      } + [ProviderFiles.person(41), ProviderFiles.person(42)])
  }

  private func run(_ month: String, _ options: String...) throws -> Program.Outcome {
    let run = try program.run(["run", "nppes", scratch.path + "/" + month] + options).succeeded()
    return run
  }

  private static let sentence =
    "rows of directory.provider against nppes-2025-10 revision 1: 2 new, 1 gone, 3 changed"

  @Test("is counted as new, gone and changed where that can be done, and kept in the ledger")
  func found() throws {
    let first = try run("10", "--format", "json").object()
    #expect(first["change"] is NSNull, "there is none before it")
    // Counted where the release is loaded, though nobody sees it yet.
    let second = try run("11", "--no-publish", "--format", "json").object()
    let change = try #require(second["change"] as? [String: Any])
    #expect(
      change["table"] as? String == "directory.provider" && change["from"] as? String == "nppes-2025-10")
    #expect(["from_revision", "added", "removed", "changed"].map { change[$0] as? Int } == [1, 2, 1, 3])
    let stages = (second["stages"] as? [[String: Any]] ?? []).compactMap { $0["stage"] as? String }
    #expect(stages.contains("compare"))
    #expect(
      try database.value("SELECT c::text FROM rivulet.release_change c")
        == "(2,directory.provider,nppes-2025-10,1,2,1,3)")
    let shown = try program.run("runs", "show", "2")
    #expect(shown.output.contains(Self.sentence), "\(shown.output)")
    #expect(
      try program.run("runs", "show", "2", "--format", "json").object()["change"] as? NSDictionary
        == change as NSDictionary)
    #expect(try program.run("releases", "publish", "nppes", "nppes-2025-11").status == 0)
    // It is what comparing the two releases gives.
    let diff = try program.run(
      "releases", "diff", "nppes", "nppes-2025-10", "nppes-2025-11", "--format", "json"
    ).object()
    #expect(["added", "removed", "changed"].map { diff[$0] as? Int } == [2, 1, 3])
    let again = try run("11", "--force")
    #expect(
      again.output.contains("against nppes-2025-11 revision 1: 0 new, 0 gone, 0 changed"), "\(again.output)")

    // Nothing says whether two values of this type are the same.
    try database.connect().execute(
      "ALTER TABLE directory.provider ALTER COLUMN official_title TYPE json USING NULL")
    let third = try run("11", "--force")
    #expect(third.output.contains("nppes-2025-11 revision 3 is published"), "\(third.output)")
    #expect(!third.output.contains("against"), "\(third.output)")
    #expect(
      third.errors.contains(
        "what is new, gone and changed was not counted: the server refused a statement (42883)"),
      "\(third.errors)")
    #expect(try database.value("SELECT count(*) FROM rivulet.release_change") == "2")
    #expect(try database.value("SELECT state FROM rivulet.run ORDER BY run DESC LIMIT 1") == "published")
  }
}
