import TestSupport
import Testing

@testable import MigrationEngine

/// Scripts of other tools that begin and end transactions themselves.
@Suite("A script with transactions of its own")
struct ScriptTransactionTests {
  @Test(
    "is one transaction where settings come before the one BEGIN, and comments and grants after its COMMIT",
    arguments: [
      "SET client_min_messages = warning;\nBEGIN;\nCREATE TABLE a (n int);\nCOMMIT;\nCOMMENT ON TABLE a IS 'x';",
      "START TRANSACTION;\nCREATE TABLE a (n int);\nEND WORK;\nGRANT SELECT ON a TO PUBLIC;",
    ])
  func onePair(text: String) throws {
    let folder = try OwnMigrations([
      "1_a.up.sql": text, "2_b.up.sql": text.replacing(" a", with: " nothing.a"),
    ])
    let up = try folder.open().migrations[0].up
    #expect(!up.options.hasOwnTransactions)
    #expect(up.sql.count == text.count)
    #expect(complaint { try folder.labelsUp() }.contains("3F000"))
    #expect(try folder.tables() == "a")
    #expect(try folder.states() == "1:applied")
  }

  @Test("leaves tables that are named as the server's types are, first in the path")
  func namedAsTypes() throws {
    let names = ["text", "oid", "regclass", "float8", "name", "timestamptz", "int8", "bool", "xid8"]
    let folder = try OwnMigrations([
      "1_a.up.sql": "CREATE SCHEMA s; SET search_path = s, pg_catalog;"
        + names.map { "CREATE TABLE \($0) (a pg_catalog.int4);" }.joined(),
      "2_b.up.sql": "CREATE TABLE b (n pg_catalog.int4);",
    ])
    _ = try folder.labelsUp()
    #expect(try folder.states() == "1:applied 2:applied")
  }

  private static let pieces = """
    SET client_min_messages = warning;
    BEGIN;
    CREATE TABLE a (n int);
    INSERT INTO a VALUES (1);
    COMMIT;
    CREATE INDEX CONCURRENTLY a_n ON a (n);
    BEGIN ISOLATION LEVEL SERIALIZABLE;
    CREATE TABLE level AS SELECT current_setting('transaction_isolation') AS it;
    CREATE TABLE b (n int);
    INSERT INTO missing VALUES (1);
    COMMIT;
    CREATE TABLE c (n int);
    """

  @Test("runs in pieces, keeps those that are through, and goes on where it stopped")
  func pieces() throws {
    let folder = try OwnMigrations([
      "1_a.up.sql": ScriptTransactionTests.pieces,
      "1_a.down.sql": "DROP TABLE a; COMMIT; DROP TABLE b, c, level;",
    ])
    #expect(complaint { try folder.labelsUp() }.hasPrefix("1_a.up.sql:10:13: ERROR 42P01"))
    // Of the second transaction nothing is there.
    #expect(try folder.tables() == "a")
    #expect(try folder.states() == "1:partial")
    try folder.execute("CREATE SCHEMA other; CREATE TABLE other.missing (n int); SET search_path = public")
    try folder.scratch.write(
      "1_a.up.sql", ScriptTransactionTests.pieces.replacing("missing", with: "other.missing"))
    #expect(try folder.labelsUp() == ["1 a"])
    #expect(try folder.tables() == "abclevel")
    #expect(
      try folder.database.value("SELECT (SELECT count(*) FROM a) || (SELECT it FROM level)")
        == "1serializable")
    #expect(try folder.states() == "1:applied")
    // The history's text says so, too.
    try folder.engine().down(.natural) { _, _ in }
    #expect(try folder.tables() == nil)
  }

  @Test("goes on with what a kill has left, with the settings of what is done")
  func settings() throws {
    let folder = try OwnMigrations([
      "1_a.up.sql":
        "BEGIN;\nCREATE SCHEMA s;\nSET search_path = s;\nCOMMIT;\nCREATE TABLE t (n int);\nSELECT * FROM missing;"
    ])
    #expect(complaint { try folder.labelsUp() }.contains("42P01"))
    try folder.execute("CREATE TABLE s.missing (n int)")
    #expect(try folder.labelsUp() == ["1 a"])
    #expect(try folder.database.value("SELECT to_regclass('s.t')") == "s.t")
  }

  @Test("does not go on where what is done went with its session, and names a commit that fails")
  func lostSession() throws {
    let folder = try OwnMigrations([
      "0001_a.sql":
        "-- rivulet:up transaction=off\nCREATE TEMP TABLE fee (n int);\nSELECT 1 / (SELECT count(*) FROM gate);\nDELETE FROM fee;"
    ])
    try folder.execute("CREATE TABLE gate (n int); CREATE TABLE fee AS SELECT 1 AS n")
    #expect(complaint { try folder.labelsUp() }.contains("22012"))
    try folder.execute("INSERT INTO gate VALUES (1)")
    #expect(
      complaint { try folder.labelsUp() }.hasPrefix(
        "0001_a.sql:2:1: this was done, and what it made went with its"))
    #expect(try folder.database.value("SELECT count(*) FROM fee") == "1")
    let other = try OwnMigrations([
      "1_a.up.sql":
        "BEGIN;\nCREATE TABLE a (n int UNIQUE DEFERRABLE INITIALLY DEFERRED);\nINSERT INTO a VALUES (1), (1);\nCOMMIT;\nSELECT 1;"
    ])
    #expect(complaint { try other.labelsUp() }.hasPrefix("1_a.up.sql:1: "))
  }

  @Test("is known to a dry run and to our own files, which say so")
  func own() throws {
    let folder = try OwnMigrations([
      "0001_a.sql":
        "-- rivulet:up transaction=own\nBEGIN;\nCREATE TABLE a (n int);\nCOMMIT;\nCREATE TABLE b (n int);\n"
    ])
    #expect(try folder.engine().dryRun(.natural).map(\.unexecuted) == [[]])
    #expect(try folder.tables() == nil)
    #expect(try folder.labelsUp() == ["0001 a"])
    #expect(try folder.tables() == "ab")
    try folder.scratch.write(
      "0002_c.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:verify transaction=own\nCOMMIT;")
    #expect(
      complaint { try folder.labelsUp() }.hasPrefix(
        "0002_c.sql:3: the section 'verify' runs in its migration's"))
  }
}
