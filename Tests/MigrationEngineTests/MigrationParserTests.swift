import TestSupport
import Testing

@testable import MigrationEngine

/// What a migration's file may hold.
@Suite("A migration's file")
struct MigrationParserTests {
  private func parse(_ text: String) throws(MigrationError) -> Migration {
    try MigrationParser(text: text, file: "0001_a.sql").migration(version: "0001", name: "a")
  }

  @Test("is cut into its sections, each with the line it begins on")
  func sections() throws {
    let text =
      "-- why\n\n-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 2;\n-- rivulet:verify\nSELECT 3;\n"
    let migration = try parse(text)
    #expect(migration.up == Migration.Section(sql: "SELECT 1;", file: "0001_a.sql", line: 4))
    #expect(migration.down == .sql(Migration.Section(sql: "SELECT 2;", file: "0001_a.sql", line: 6)))
    #expect(migration.verify?.line == 8)
  }

  @Test("may say that there is no way back, and why")
  func irreversible() throws {
    let migration = try parse("-- rivulet:up\nSELECT 1;\n-- rivulet:down irreversible \"rows are gone\"\n")
    #expect(migration.down == .irreversible(reason: "rows are gone"))
    #expect(try parse("-- rivulet:up\nSELECT 1;").down == .missing)
  }

  @Test(
    "is refused with the line and the fix when it is malformed",
    arguments: [
      ("SELECT 1;", 1, "SQL before the first section"), ("", 1, "there is no section 'up'"),
      ("-- rivulet:up\nSELECT 1;\n-- rivulet:dwon\n", 3, "unknown section 'dwon'"),
      ("-- rivulet:up\n-- rivulet:up\n", 2, "a second section 'up'"),
      ("-- rivulet:up fast=yes\n", 1, "unknown option 'fast=yes'"),
      ("-- rivulet:up = on\n", 1, "unknown option '='"),
      ("-- rivulet:up\nBEGIN;\nSELECT 1;\nCOMMIT;", 2, "BEGIN has no place"),
      ("-- rivulet:up\n-- rivulet:down irreversible\n", 2, "gives no reason"),
    ])
  func malformed(text: String, line: Int, says: String) {
    let found = complaint { try parse(text) }
    #expect(found.hasPrefix("0001_a.sql:\(line):") && found.contains(says), "\(found)")
  }

  @Test("has a checksum that comments, blanks and line ends do not change, and every section does")
  func checksum() throws {
    let one = try parse("-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 2;\n")
    let same = try parse("-- rivulet:up\r\n -- c\r\nSELECT   1;\r\n-- rivulet:down\r\nSELECT 2;")
    let other = try parse("-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 3;\n")
    #expect(one.checksum == same.checksum)
    #expect(one.checksum != other.checksum)
  }

  @Test("comes in the order of its number, not of its text")
  func order() throws {
    let scratch = try Scratch()
    for name in ["10_c.sql", "9_b.sql", "0008_a.sql"] { try scratch.write(name, "-- rivulet:up\nSELECT 1;") }
    try scratch.write("notes.txt", "no migration")
    #expect(try MigrationFolder(scratch.path).migrations.map(\.name) == ["a", "b", "c"])
    try scratch.write("09_again.sql", "-- rivulet:up\nSELECT 1;")
    #expect(throws: MigrationError.self) { try MigrationFolder(scratch.path) }
  }

  @Test("with another name is refused", arguments: ["a.sql", "1-a.sql", "1_A.sql", "_a.sql", "1_.sql"])
  func misnamed(name: String) throws {
    let scratch = try Scratch()
    try scratch.write(name, "-- rivulet:up\nSELECT 1;")
    #expect(
      complaint { try MigrationFolder(scratch.path).requireRunnable() }.hasPrefix(
        "\(name): not a migration's name"))
  }
}
