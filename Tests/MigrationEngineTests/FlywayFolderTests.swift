import TestSupport
import Testing

@testable import MigrationEngine

/// Folders of Flyway, read and run.
@Suite("Flyway's folders")
struct FlywayFolderTests {
  private static let log = "CREATE TABLE log (n int GENERATED ALWAYS AS IDENTITY, what text);"

  private static func note(_ what: String) -> String { "INSERT INTO log (what) VALUES ('\(what)');" }

  @Test(
    "runs versions by number wherever they lie, then repeatable ones by description, and back by undo files")
  func order() throws {
    let folder = try OwnMigrations([
      "V8.9__nine.sql": FlywayFolderTests.note("8.9"), "V8_10__ten.sql": FlywayFolderTests.note("8.10"),
      "old/V001__log.sql": FlywayFolderTests.log,
      "old/V20240131.1200__late.sql": FlywayFolderTests.note("late"),
      "U8.10__ten.sql": FlywayFolderTests.note("undo"), "old/U1__log.sql": "DROP TABLE log;",
      "R__b_view.sql": FlywayFolderTests.note("b"), "R__a.sql": FlywayFolderTests.note("a"),
      "README.md": "V2__no.sql",
    ])
    #expect(
      try folder.labelsUp() == ["001 log", "8.9 nine", "8.10 ten", "20240131.1200 late", "R a", "R b_view"])
    #expect(try folder.log() == "8.9 8.10 late a b")
    #expect(try folder.labelsUp() == [])
    #expect(complaint { try folder.down(.version("0")) }.contains("20240131.1200 late cannot be reverted"))
    try folder.scratch.write("U20240131.1200__late.sql", "SELECT 1;")
    try folder.scratch.write("U8.9__nine.sql", "SELECT 1;")
    // What was applied without a way back stays so; a fresh database has it.
    let other = try TestServer.shared.makeDatabase()
    let engine = MigrationEngine(connection: try other.connect(), folder: try folder.open())
    try engine.up(.natural) { _, _ in }
    try engine.down(.version("1")) { _, _ in }
    #expect(try other.value("SELECT string_agg(what, ' ' ORDER BY n) FROM log") == "8.9 8.10 late a b undo")
  }

  @Test("runs callbacks around all and around each, several of an event by name")
  func callbacks() throws {
    let folder = try OwnMigrations([
      "beforeMigrate.sql": FlywayFolderTests.log.replacing("TABLE", with: "TABLE IF NOT EXISTS"),
      "beforeMigrate__2.sql": FlywayFolderTests.note("before"),
      "beforeEachMigrate__hello.sql": FlywayFolderTests.note("each"),
      "afterEachMigrate.sql": FlywayFolderTests.note("done"),
      "afterMigrate.sql": FlywayFolderTests.note("after"),
      "afterMigrateApplied.sql": FlywayFolderTests.note("applied"),
      "V1__a.sql": FlywayFolderTests.note("1"), "V2__b.sql": FlywayFolderTests.note("2"),
    ])
    #expect(try folder.labelsUp() == ["1 a", "2 b"])
    #expect(try folder.log() == "before each 1 done each 2 done applied after")
    #expect(try folder.labelsUp().isEmpty)
    #expect(try folder.log() == "before each 1 done each 2 done applied after before after")
  }

  @Test("runs a repeatable file that has the time in it whenever all is applied, and no other one again")
  func timestamp() throws {
    let dated = "-- ${flyway:timestamp}\n"
    let folder = try OwnMigrations([
      "V1__log.sql": FlywayFolderTests.log, "R__a.sql": FlywayFolderTests.note("a"),
      "R__b.sql": dated + FlywayFolderTests.note("b"), "R__c.sql": dated + FlywayFolderTests.note("c"),
      "R__c.sql.conf": "placeholderReplacement=false",
    ])
    #expect(try folder.labelsUp() == ["1 log", "R a", "R b", "R c"])
    #expect(try folder.labelsUp() == ["R b"])
    #expect(try folder.log() == "a b c b")
    // It is pending for nobody.
    #expect(try folder.engine().status().isInStep)
    let own = try OwnMigrations(["R_a.sql": "-- rivulet:up placeholders=on\n" + dated + "SELECT 1;"])
    #expect(try own.labelsUp() == ["R a"])
    #expect(try own.labelsUp() == [])
  }

  @Test(
    "puts values in the place of placeholders, also in strings and bodies, and knows a script's own settings")
  func placeholders() throws {
    let folder = try OwnMigrations([
      "V1__a.sql": """
      CREATE TABLE ${prefix}_a (t text DEFAULT 'in ${prefix}');
      CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT 'body ${prefix} ${flyway:filename}' $$;
      """,
      "V2__b.sql": "CREATE TABLE b (t text DEFAULT '${prefix}');",
      "V2__b.sql.conf": "# as it is\nplaceholderReplacement=false\n",
      "V3__c.sql": "CREATE TABLE c (n int);\nCREATE INDEX c_n ON c (n);",
      "V3__c.sql.conf": "executeInTransaction=false",
    ])
    #expect(try folder.labelsUp(["prefix": "x"]) == ["1 a", "2 b", "3 c"])
    #expect(try folder.tables() == "bcx_a")
    #expect(try folder.database.value("SELECT f()") == "body x V1__a.sql")
    #expect(try folder.database.value("INSERT INTO b DEFAULT VALUES RETURNING t") == "${prefix}")
    #expect(try folder.open(["prefix": "x"]).migrations.map(\.up.options.transaction) == [nil, nil, false])
  }

  @Test(
    "refuses what Flyway would run and we cannot, and what it would leave out",
    arguments: [
      (["V1__a.sql": "", "V2_b.sql": ""], "V2_b.sql: not a name that Flyway takes"),
      (["V1__a.sql": "", "v2__b.sql": ""], "v2__b.sql: not a name that Flyway takes"),
      (["V1__a.sql": "", "V2__b.java": ""], "V2__b.java: this migration is a program (.java)"),
      (["V1__a.sql": "", "R__b.py": ""], "R__b.py: this migration is a program (.py)"),
      (["V1__a.sql": "", "afterMigrateError.sql": ""], "afterMigrateError.sql: rivulet has no event"),
      (["V1__a.sql": "", "U2__b.sql": ""], "U2__b.sql: there is no way forward of version 2"),
      (["V1__a.sql": "", "V01__b.sql": ""], "is claimed by"),
      (["V1__a.sql": "", "U1__a.sql": "", "U1.0__b.sql": ""], "version 1 is claimed by"),
      (["R__a_b.sql": "", "x/R__a b.sql": ""], "version R__a b is claimed by"),
      (["V1__a.sql": "", "V2__b.sql.conf": ""], "V2__b.sql.conf: there is no script for these settings"),
      (
        ["V1__a.sql": "", "V1__a.sql.conf": "\nencoding=LATIN1"],
        "V1__a.sql.conf:2: rivulet does not know 'encoding=latin1'"
      ),
      (["V1__a.sql": "", "V1__a.sql.conf": "="], "V1__a.sql.conf:1: rivulet does not know '='"),
      (["B3__a.sql": "", "V2__a.sql": ""], "B3__a.sql: this replaces all up to version 3"),
      (["V1__a.sql": "SELECT 1;\n\\i other.sql"], "is a command for psql"),
    ])
  func refusals(files: [String: String], sentence: String) throws {
    let folder = try OwnMigrations(files)
    let found = complaint { try folder.open().requireRunnable() }
    #expect(found.contains(sentence), "\(found)")
  }

  @Test("takes a baseline file for the first migration where what it replaces is gone")
  func baselineFile() throws {
    let folder = try OwnMigrations([
      "B3__all.sql": "CREATE TABLE a (n int);", "V4__b.sql": "CREATE TABLE b (n int);",
    ])
    #expect(try folder.labelsUp() == ["3 all", "4 b"])
    #expect(try folder.tables() == "ab")
  }

  @Test("refuses a value without a name where the format has no placeholders")
  func noPlaceholders() throws {
    let folder = try OwnMigrations(["1_a.up.sql": ""])
    #expect(
      complaint { try folder.open(["x": "y"]) }.contains(
        "a folder of golang-migrate, which has no placeholders"))
  }
}
