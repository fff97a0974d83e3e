import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Two branches have met.
@Suite("rivulet migrate renumber")
struct RenumberTests {
  private let database: TestDatabase
  private let folder: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    folder = try Scratch()
  }

  private func migrate(_ words: String...) throws -> Program.Outcome {
    try Program(database: database.url).run(["migrate"] + words + ["--dir", folder.path])
  }

  private func write(_ names: String...) throws {
    for name in names { try folder.write(name, text(name)) }
  }

  private func text(_ name: String) -> String {
    let table = name.split(separator: ".")[0].drop { !$0.isLowercase }
    return
      "-- rivulet:up\nCREATE TABLE public.\(table) (n int);\n-- rivulet:down\nDROP TABLE public.\(table);\n"
  }

  private var names: String {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().joined(separator: " ")
    }
  }

  @Test("moves the one of two files that is not applied, whatever its name")
  func clash() throws {
    try write("0001_a.sql", "0002_late.sql")
    try migrate("up").succeeded()
    try write("0002_early.sql", "0003_other.sql", "0003_third.sql")
    try migrate("up").failed(2, saying: "version 0002 is claimed by", "'rivulet migrate renumber'")
    let shown = try migrate("renumber", "--dry-run").succeeded()
    #expect(
      shown.output == """
        0002 early would be 0004: 0002 late is applied and keeps the number
          \(folder.path)/0004_early.sql
        0003 third would be 0005: 0003 other comes first by name and keeps the number
          \(folder.path)/0005_third.sql

        """)
    #expect(try names == "0001_a.sql 0002_early.sql 0002_late.sql 0003_other.sql 0003_third.sql")
    let done = try migrate("renumber", "--format", "json").succeeded()
    #expect(try done.at("renumbered/*/new_version", "dry_run") == "0004 0005 false")
    #expect(try names == "0001_a.sql 0002_late.sql 0003_other.sql 0004_early.sql 0005_third.sql")
    #expect(
      try String(contentsOfFile: folder.path + "/0004_early.sql", encoding: .utf8) == text("0002_early.sql"))
    try migrate("up").succeeded()
    try migrate("status", "--check").succeeded()
    #expect(try migrate("renumber").succeeded().output.hasPrefix("nothing to do"))
  }

  @Test("moves late ones behind what is applied, in their order, and what has no file any more counts")
  func late() throws {
    try write("9_a.sql", "10_gone.sql")
    try migrate("up").succeeded()
    try FileManager.default.removeItem(atPath: folder.path + "/10_gone.sql")
    try write("7_x.sql", "8_b.sql")
    try migrate("renumber").succeeded()
    #expect(try names == "11_x.sql 12_b.sql 9_a.sql")
  }

  @Test("never moves what any history has, in whole or in part, also where it is named")
  func applied() throws {
    try write("0001_a.sql", "0002_b.sql")
    try migrate("up", "--history", "other").succeeded()
    try migrate("renumber", folder.path + "/0002_b.sql").failed(
      2, saying: "0002 b is applied, and keeps its number")
    try write("0003_free.sql")
    try migrate("renumber", folder.path + "/0003_free.sql").succeeded()
    #expect(try names == "0001_a.sql 0002_b.sql 0004_free.sql")
    try write("0004_index.sql")
    try folder.write("0004_index.sql", "-- rivulet:up\nCREATE INDEX CONCURRENTLY i ON a (n);\nSELECT 1/0;\n")
    try FileManager.default.moveItem(
      atPath: folder.path + "/0004_free.sql", toPath: folder.path + "/0003_free.sql")
    try migrate("up", "--history", "other").failed(1)
    try write("0004_first.sql")
    try migrate("renumber").succeeded()
    #expect(try names == "0001_a.sql 0002_b.sql 0003_free.sql 0004_index.sql 0005_first.sql")
    // Each of two is applied in a history.
    try write("0005_second.sql")
    try database.connect().execute(
      """
      INSERT INTO rivulet.migration (history, kind, version, name, checksum, up_sql, definition, seconds)
      VALUES ('x', 'versioned', '5', 'first', '', '', '', 0), ('y', 'versioned', '5', 'second', '', '', '', 0)
      """)
    try migrate("renumber").failed(2, saying: "are both applied")
    // The applied one has got another name.
    try database.connect().execute(
      """
      DELETE FROM rivulet.migration WHERE history = 'y';
      UPDATE rivulet.migration SET history = '', name = 'zeroth' WHERE history = 'x'
      """)
    try migrate("renumber").failed(2, saying: "version 5 is applied as 5 zeroth")
  }

  @Test(
    "renames all files of a migration of other tools, whose numbers stay theirs",
    arguments: [
      (
        ["1_a.up.sql", "1_a.down.sql", "1_b.up.sql", "1_b.down.sql"],
        "1_a.down.sql 1_a.up.sql 2_b.down.sql 2_b.up.sql"
      ),
      (
        ["V1__a.sql", "V1_9__b.sql", "V1.9__c.sql", "U1.9__c.sql", "V1.9__c.sql.conf", "R__v.sql"],
        "R__v.sql U1.10__c.sql V1.10__c.sql V1.10__c.sql.conf V1_9__b.sql V1__a.sql"
      ), (["00001_a.sql", "00001_b.sql"], "00001_a.sql 00002_b.sql"),
      (["20260131120000_a.sql", "20260131120000_b.sql"], "20260131120000_a.sql 20260131120001_b.sql"),
    ])
  func tools(_ files: [String], _ renamed: String) throws {
    let marks =
      files[0].hasPrefix("0000") ? "-- +goose Up\n" : files[0].hasPrefix("2026") ? "-- migrate:up\n" : ""
    for file in files { try folder.write(file, file.hasSuffix(".conf") ? "" : marks + "SELECT 1;\n") }
    try Program().run("migrate", "renumber", "--offline", "--dir", folder.path).succeeded()
    #expect(try names == renamed)
  }

  @Test("says what it cannot know or change")
  func refused() throws {
    for name in ["1_a.up.sql", "1_b.up.sql", "1_c.down.sql"] { try folder.write(name, "SELECT 1;") }
    try migrate("renumber").failed(
      2, saying: "1_c.down.sql", "may be the way back of any of the files of version 1")
    try migrate("renumber", folder.path + "/nothing.sql").failed(2)
    let other = try Scratch()
    try other.write("a.sql", "--liquibase formatted sql\n--changeset a:1\nSELECT 1;\n")
    try Program().run("migrate", "renumber", "--offline", "--dir", other.path)
      .failed(2, saying: "the versions of liquibase are no numbers in names of files")
  }
}
