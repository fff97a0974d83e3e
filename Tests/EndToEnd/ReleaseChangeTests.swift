import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A made-up month of NPPES after another: two providers are new, one is gone and three are changed.
@Suite("What a new release changes")
struct ReleaseChangeTests {
  @Test("is counted as new, gone and changed where that can be done, and kept in the ledger")
  func found() throws {
    let desk = try Desk()
    let files = try ProviderFiles(layout: "provider")
    func run(_ month: String, _ options: String...) throws -> Program.Outcome {
      try desk.load("nppes", month, options: options).succeeded()
    }
    let people = (1...40).map(ProviderFiles.person)
    let later = people.dropFirst().enumerated().map { place, person in
      place < 3 ? person.merging(["Last Update Date": "10/20/2025"]) { $1 } : person
    }
    for (month, people) in [("10", people), ("11", later + [41, 42].map(ProviderFiles.person))] {
      try files.write(
        people.map(files.record), to: "\(month)/npidata_pfile_20050523-2025\(month)09.csv", of: desk.scratch)
    }
    #expect(try run("10", "--format", "json").at("change") == "null", "there is none before it")
    // Counted where the release is loaded, though nobody sees it yet.
    let second = try run("11", "--no-publish", "--format", "json")
    #expect(
      try second.at("change") == """
        {"added":2,"changed":3,"from":"nppes-2025-10","from_revision":1,"removed":1,"table":"directory.provider"}
        """)
    #expect(try second.at("stages/*/stage").split(separator: " ").contains("compare"))
    #expect(
      try desk.value("SELECT c::text FROM rivulet.release_change c")
        == "(2,directory.provider,nppes-2025-10,1,2,1,3)")
    try desk.command("runs", "show", "2").succeeded(
      showing: "rows of directory.provider against nppes-2025-10 revision 1: 2 new, 1 gone, 3 changed")
    #expect(try desk.command("runs", "show", "2", "--format", "json").at("change") == second.at("change"))
    try desk.command("releases", "publish", "nppes", "nppes-2025-11").succeeded()
    // It is what comparing the two releases gives.
    let diff = try desk.command(
      "releases", "diff", "nppes", "nppes-2025-10", "nppes-2025-11", "--format", "json")
    #expect(try diff.at("added", "removed", "changed") == "2 1 3")
    try run("11", "--force").succeeded(
      showing: "against nppes-2025-11 revision 1: 0 new, 0 gone, 0 changed")

    // Nothing says whether two values of this type are the same.
    try desk.database.connect().execute(
      "ALTER TABLE directory.provider ALTER COLUMN official_title TYPE json USING NULL")
    let third = try run("11", "--force").succeeded(
      saying: "what is new, gone and changed was not counted: the server refused a statement (42883)",
      showing: "nppes-2025-11 revision 3 is published")
    #expect(!third.output.contains("against"), "\(third.output)")
    #expect(try desk.value("SELECT count(*) FROM rivulet.release_change") == "2")
    #expect(try desk.value("SELECT state FROM rivulet.run ORDER BY run DESC LIMIT 1") == "published")
  }
}
