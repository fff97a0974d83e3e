import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// The history and the files brought together again.
@Suite("Repair")
struct RepairTests {
  private let own: OwnMigrations

  init() throws {
    own = try OwnMigrations()
    try own.scratch.write(
      "1_a.sql",
      "-- rivulet:require\nSELECT true;\n-- rivulet:up lock_timeout=3s\nCREATE TABLE a (n int);\n-- rivulet:down statement_timeout=1min\nDROP TABLE a;\n-- rivulet:verify\nSELECT n FROM a;\n"
    )
    try own.write("2_b.sql", up: "CREATE TABLE b (n int);", down: "DROP TABLE b;")
    _ = try own.up()
  }

  @Test("shows what was edited, and touches nothing")
  func shows() throws {
    try own.write("2_b.sql", up: "CREATE TABLE b (n bigint);", down: "DROP TABLE b;")
    let finding = try own.engine().finding("2")
    #expect(finding.row.state == .changed)
    #expect(
      finding.difference
        == "  -- rivulet:up\n- CREATE TABLE b (n int);\n+ CREATE TABLE b (n bigint);\n  -- rivulet:down\n  DROP TABLE b;\n"
    )
    #expect(try own.states() == "1:applied 2:changed")
  }

  @Test("takes the file for what was applied, on the way back too")
  func accept() throws {
    try own.write("2_b.sql", up: "CREATE TABLE b (n int);", down: "DROP TABLE b; CREATE TABLE back (n int);")
    #expect(try own.engine().repair("2", .acceptFile)?.contains("has the file's text") == true)
    #expect(try own.states() == "1:applied 2:applied")
    #expect(try own.engine().repair("2", .acceptFile) == nil)
    _ = try own.down()
    #expect(try own.tables() == "aback")
  }

  @Test("writes a file again that was edited or lost, all sections and options of it")
  func restore() throws {
    let path = own.scratch.path + "/1_a.sql"
    let before = try String(contentsOfFile: path, encoding: .utf8)
    try FileManager.default.removeItem(atPath: path)
    #expect(try own.states() == "1:missing 2:applied")
    #expect(try own.engine().repair("1", .restoreFile) != nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    try own.scratch.write("1_a.sql", "-- rivulet:up\nSELECT 1;")
    #expect(try own.engine().repair("1", .restoreFile) != nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(try own.states() == "1:applied 2:applied")
  }

  @Test("finds the row also where the file's number has other zeros")
  func zeros() throws {
    try FileManager.default.removeItem(atPath: own.scratch.path + "/2_b.sql")
    try own.write("02_b.sql", up: "CREATE TABLE b (n bigint);", down: "DROP TABLE b;")
    #expect(try own.engine().repair("2", .acceptFile) != nil)
    #expect(try own.engine().status().isInStep)
  }

  @Test("forgets one whose file is gone, and leaves what it made")
  func forget() throws {
    try FileManager.default.removeItem(atPath: own.scratch.path + "/2_b.sql")
    #expect(try own.engine().repair("2", .acceptFile)?.contains("forgotten") == true)
    #expect(try own.states() == "1:applied")
    #expect(try own.tables() == "ab")
  }

  @Test("counts one that is done in part as applied, after somebody has done the rest by hand")
  func partial() throws {
    try own.write("3_c.sql", up: "VACUUM a;\nCREATE TABLE c (n nothing);", down: "DROP TABLE c;")
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(try own.states() == "1:applied 2:applied 3:partial")
    try own.execute("CREATE TABLE c (n int)")
    #expect(try own.engine().repair("3", .acceptFile) != nil)
    #expect(try own.states() == "1:applied 2:applied 3:applied")
    #expect(try own.up() == [])
    #expect(try own.down() == ["3"])
  }

  @Test("of one that was never applied is refused")
  func unknown() throws {
    #expect(complaint { try own.engine().finding("7") }.contains("the applied versions are 1, 2"))
  }
}
