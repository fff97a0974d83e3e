import TestSupport
import Testing

@testable import MigrationEngine

/// The line `-- rivulet:place` of a file.
@Suite("The mark of a place")
struct PlacementMarkTests {
  @Test(
    "says where the table goes",
    arguments: [
      (" distributed by user_id", "distributed by user_id"),
      (" DISTRIBUTED BY \"User\"  WITH App.visit ", "distributed by User with app.visit"),
      ("reference", "reference"), (" local", "local"),
    ])
  func read(text: String, place: String) throws {
    let mark = try PlacementMark(text, of: SQLName(schema: "app", "Procedure"))
    #expect(mark.text == place && mark.table == "app.Procedure")
    #expect(mark.quotedTable == "\"app\".\"Procedure\"")
  }

  private static let table = "CREATE TABLE s.a (n int);"

  @Test(
    "is refused with its place where it cannot be taken",
    arguments: [
      ("-- rivulet:place\n\(table)", "3:1: the mark says no place"),
      ("-- rivulet:place by n\n\(table)", "3:1: the mark says no place that there is"),
      ("-- rivulet:place distributed n\n\(table)", "3:1: the mark says no place that there is"),
      ("-- rivulet:place distributed by\n\(table)", "3:1: the mark names no column"),
      ("-- rivulet:place distributed by n with b\n\(table)", "3:1: the mark names no table with its schema"),
      ("-- rivulet:place distributed by n, m\n\(table)", "3:1: the mark has an unknown word ','"),
      ("-- rivulet:place reference by n\n\(table)", "3:1: the mark has an unknown word 'by'"),
      ("-- rivulet:place local\n-- rivulet:place reference\n\(table)", "4:1: a second mark"),
      ("\(table)\n-- rivulet:place local\n", "4:1: no statement follows the mark"),
      ("SELECT 1; -- rivulet:place local\n\(table)", "3:11: the mark is not on a line of its own"),
      ("CREATE TABLE s.a\n-- rivulet:place local\n(n int);", "4:1: the mark is within a statement"),
      ("-- rivulet:place local\nCREATE VIEW s.a AS SELECT 1;", "3:1: the statement below the mark is about"),
      (
        "-- rivulet:place local\nCOMMENT ON COLUMN s.a.n IS '';", "3:1: the statement below the mark is about"
      ),
      ("-- rivulet:verify\n-- rivulet:place local\n\(table)", "4:1: no table is placed here"),
      ("-- rivulet:place local\nCREATE TABLE a (n int);", "3:1: the table below the mark is named without"),
    ])
  func refused(sql: String, sentence: String) throws {
    let own = try OwnMigrations(["1_a.sql": "-- rivulet:up\nSELECT 1;\n" + sql])
    let found = complaint { try own.up() }
    #expect(found.hasPrefix("1_a.sql:" + sentence), "\(found)")
    #expect(try own.open().complaints.count == 1)
  }

  @Test("means nothing to a server without Citus, nor to the checksum, and the last word on a table counts")
  func plain() throws {
    let plain = ["1_a.sql": "-- rivulet:up\nCREATE SCHEMA s; \(Self.table)\nCOMMENT ON TABLE s.a IS 'a';\n"]
    let own = try OwnMigrations(plain)
    try own.up()
    let checksum = try own.open().migrations[0].checksum
    let placed = try OwnMigrations([
      "1_a.sql":
        "-- rivulet:up\nCREATE SCHEMA s;\n-- rivulet:place reference\n\(Self.table)\n"
        + "-- rivulet:place distributed by n\nCOMMENT ON TABLE s.a IS 'a';\n"
    ])
    try placed.up()
    #expect(try placed.open().migrations[0].checksum == checksum)
    #expect(try MigrationFolder.placements(of: [placed.open()]).map(\.text) == ["distributed by n"])
  }
}
