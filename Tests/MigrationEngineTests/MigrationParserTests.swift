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

  /// Histories of databases have these, where they were applied.
  static let known = [
    (
      "-- rivulet:up\nCREATE TABLE a (n int PRIMARY KEY, m int);  -- why\n\n/* and\nhow */ INSERT INTO a   VALUES (1);\n"
        + "-- rivulet:down\nDROP TABLE a;\n",
      "051a08c9a0ca48bc1f29a78a0642c08d90c53de07128dccb48f53642b25d6e5a"
    ),
    (
      "-- rivulet:up\nSELECT 1;\n-- rivulet:down irreversible \"it was sent\"\n",
      "1ae1949fc10d39ceb26f3c21696e6a519e55d87b17abf3efe44818aed69f9dff"
    ),
    (
      "-- rivulet:require\nSELECT true;\n-- rivulet:up\nSELECT 2;\n-- rivulet:verify\nSELECT 3;\n"
        + "-- rivulet:down\n-- nothing to do\n",
      "76b415c372a91e25a5a37aeac779ef7c3d8600277d58bfc957d5bdb3829c5ec9"
    ),
    ("-- rivulet:up\n-- rivulet:down\n", "fec7f90a8db762c00df2386fc2300c9ea912d8ef6e5125760703faeaf7d6a2a6"),
    (
      "-- rivulet:up\n-- rivulet:batch a n 100\nUPDATE a SET m = 1 WHERE {batch} AND n < 0;\n"
        + "-- rivulet:down\nSELECT 4;\n",
      "2a833b6b13743a59052941989510dac403c67bb19af5f0479c0528b3126ad91c"
    ),
    (
      "-- rivulet:up\nCREATE TABLE r (a text, b text);\nCOPY r FROM stdin; -- rows\n"
        + String(repeating: "x\ty\\tz\n", count: 12_000)
        + "\\.\nSELECT 'a  b', $q$ -- kept $q$;\n-- rivulet:down\nDROP TABLE r;\n",
      "8ca995c558b537003a40da9a9d349a6346e465667a21978bb9065732bcf22046"
    ),
  ]

  @Test("has the checksum for ever that it was applied with", arguments: known)
  func knownChecksum(text: String, checksum: String) throws { #expect(try parse(text).checksum == checksum) }

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
