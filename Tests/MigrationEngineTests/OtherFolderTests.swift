import TestSupport
import Testing

@testable import MigrationEngine

/// Folders of golang-migrate and dbmate, and what shows no format.
@Suite("Folders of golang-migrate and dbmate")
struct OtherFolderTests {
  @Test("runs pairs of golang-migrate by number, and back")
  func golangMigrate() throws {
    let folder = try OwnMigrations([
      "9_a.up.sql": "BEGIN;\nCREATE TABLE a (n int);\nCOMMIT;\n", "9_a.down.sql": "DROP TABLE a;",
      "10_b.up.sql": "CREATE TABLE b (n int);", "10_b.down.sql": "DROP TABLE b;", "notes.txt": "",
    ])
    #expect(try folder.open().format == .golangMigrate)
    #expect(try folder.labelsUp() == ["9 a", "10 b"])
    #expect(try folder.tables() == "ab")
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
  }

  @Test("takes whatever ending is behind golang-migrate's .up and .down")
  func otherEndings() throws {
    let folder = try OwnMigrations([
      "1_a.up.pgsql": "CREATE TABLE a (n int);", "1_a.down.pgsql": "DROP TABLE a;",
      "2_b.c.up.pg.sql": "CREATE TABLE b (n int);", "2_b.c.down.sql": "DROP TABLE b;",
    ])
    #expect(try folder.open().format == .golangMigrate)
    #expect(try folder.labelsUp() == ["1 a", "2 b.c"])
    #expect(try folder.tables() == "ab")
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
  }

  @Test("has no way back where golang-migrate has no down file")
  func noDown() throws {
    let folder = try OwnMigrations(["1_a.up.sql": "SELECT 1;"])
    #expect(try folder.labelsUp() == ["1 a"])
    #expect(complaint { try folder.down(.version("0")) }.contains("1 a cannot be reverted"))
  }

  @Test("runs several pairs of marks in a file of dbmate one after the other")
  func pairs() throws {
    let files = [
      "1_a.sql":
        "-- migrate:up\n\n-- migrate:down\n-- migrate:up\nCREATE TABLE a (n int)\n-- migrate:down\n"
        + "DROP VIEW b\n-- migrate:up\nCREATE VIEW b AS SELECT n FROM a\n-- migrate:down\nDROP TABLE a\n",
      "2_c.sql":
        "-- migrate:up transaction:false\nCREATE INDEX CONCURRENTLY c ON a (n);\n-- migrate:down\n"
        + "DROP INDEX c;\n-- migrate:up\nINSERT INTO a VALUES (1);\n-- migrate:down\nTRUNCATE a;\n",
    ]
    let folder = try OwnMigrations(files)
    #expect(try folder.labelsUp() == ["1 a", "2 c"])
    #expect(try folder.database.value("SELECT n FROM b") == "1")
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
    let faulty = try OwnMigrations(files.mapValues { $0.replacing("n FROM a", with: "m FROM a") })
    #expect(complaint { try faulty.labelsUp() }.hasPrefix("1_a.sql:9:25: ERROR 42703"))
  }

  @Test("runs files of dbmate, and back, those without a transaction statement by statement")
  func dbmate() throws {
    let folder = try OwnMigrations([
      "20240101000000_a.sql":
        "\u{feff}-- what it is\r\n-- migrate:up\r\nCREATE TABLE a (n int);\r\n\r\n-- migrate:down\r\nDROP TABLE a;\r\n",
      "20240102000000_b.sql":
        "--migrate:up transaction:false\nCREATE INDEX CONCURRENTLY a_n ON a (n);\n-- migrate:down\nDROP INDEX a_n;",
    ])
    #expect(try folder.open().format == .dbmate)
    #expect(try folder.labelsUp() == ["20240101000000 a", "20240102000000 b"])
    #expect(
      try folder.database.value("SELECT indisvalid FROM pg_index WHERE indexrelid = 'a_n'::regclass") == "t")
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
  }

  @Test("names the line of the file in which SQL fails")
  func lines() throws {
    let dbmate = try OwnMigrations(["1_a.sql": "-- migrate:up\nSELECT 1;\nSELECT nothing;\n-- migrate:down\n"]
    )
    #expect(complaint { try dbmate.labelsUp() }.hasPrefix("1_a.sql:3:8: ERROR 42703"))
    let golang = try OwnMigrations(["1_a.up.sql": "begin work;\r\nSELECT 1;\rSELECT nothing;\nend;"])
    #expect(complaint { try golang.labelsUp() }.hasPrefix("1_a.up.sql:3:8: ERROR 42703"))
  }

  @Test(
    "refuses what does not belong",
    arguments: [
      (["1_a.up.sql": "", "2_b.sql": ""], "2_b.sql: not a name that golang-migrate takes"),
      (["1_a.up.sql": "", "x_b.up.sql": ""], "x_b.up.sql: not a name that golang-migrate takes"),
      (["1_a.up.sql": "", "2_b.down.sql": ""], "2_b.down.sql: there is no way forward of version 2"),
      (["1_a.up.sql": "", "01_b.up.sql": ""], "is claimed by"),
      (["1_a.up.sql": "", "1_a.down.sql": "", "01_b.down.sql": ""], "version 1 is claimed by"),
      (
        ["1_a.up.sql": "BEGIN;\nSELECT 1;\nROLLBACK;\nSELECT 2;"],
        "1_a.up.sql:3:1: ROLLBACK of part of a script"
      ),
      (["1_a.up.sql": "SELECT 'a;\n"], "1_a.up.sql:1:8: a quote begins here that does not end"),
      (["1_a.sql": "-- migrate:up\n", "b.sql": ""], "b.sql: the name begins with no version"),
      (
        ["1_a.sql": "-- migrate:up\n", "2_b.sql": "SELECT 1;"], "2_b.sql:1: there is no '-- migrate:up' first"
      ),
      (["1_a.sql": "SELECT 1;\n-- migrate:up\n"], "1_a.sql:1: SQL before '-- migrate:up'"),
      (["1_a.sql": "-- migrate:up\n-- migrate:dwon\n"], "1_a.sql:2: unknown mark 'migrate:dwon'"),
      (["1_a.sql": "-- migrate:up\n-- migrate:up\n"], "1_a.sql:2: a second '-- migrate:up'"),
      (
        ["1_a.sql": "-- +goose Up\n-- +goose Down\n-- +goose Up\n"], "1_a.sql:3: a second '-- +goose Up'"
      ),
      (["1_a.sql": "-- migrate:down\n-- migrate:up\n"], "1_a.sql:1: there is no '-- migrate:up' first"),
      (["1_a.sql": "-- migrate:up fast:yes\n"], "1_a.sql:1: unknown option 'fast:yes'"),
      (
        ["9_a.sql": "-- migrate:up\n", "10_b.sql": "-- migrate:up\n"],
        "runs version 9 after 10: write all versions with as many digits"
      ),
      (["a.sql": ""], "only a.sql: such a folder has in it: rivulet: 0001_add_fees.sql"),
      ([:], "it is empty: such a folder has in it"),
    ])
  func refusals(files: [String: String], sentence: String) throws {
    let folder = try OwnMigrations(files)
    let found = complaint { try folder.open().requireRunnable() }
    #expect(found.contains(sentence), "\(found)")
  }

  @Test("reads our own files as ever, placeholders and all")
  func own() throws {
    let folder = try OwnMigrations(["0001_a.sql": "-- rivulet:up\nCREATE TABLE a (t text DEFAULT '${x}');\n"])
    #expect(try folder.labelsUp() == ["0001 a"])
    #expect(try folder.database.value("INSERT INTO a DEFAULT VALUES RETURNING t") == "${x}")
  }
}
