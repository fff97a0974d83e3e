import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What the server says of migrations, as a DBA reads it.
@Suite("The server's words on a migration")
struct MigrationWordsTests {
  private let database: TestDatabase
  private let folder: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    folder = try Scratch()
  }

  private func up(_ words: String..., at url: String? = nil) throws -> Program.Outcome {
    try Program(database: url ?? database.url).run(["migrate", "up", "--dir", folder.path] + words)
  }

  private func write(_ up: String) throws { try folder.write("0001_a.sql", "-- rivulet:up\n" + up) }

  @Test(
    "are placed in characters, in databases of every encoding", arguments: ["UTF8", "SQL_ASCII", "LATIN1"])
  func encodings(encoding: String) throws {
    let name = "\(database.name)_\(encoding.lowercased())"
    try database.connect().execute(
      "CREATE DATABASE \(name) TEMPLATE template0 ENCODING '\(encoding)' LC_COLLATE 'C' LC_CTYPE 'C'")
    try write("CREATE TABLE \"é\" (n int);\n\n SELECT 'éé', 'ü' FROM  nix;\n")
    try up(at: try database.target.database(name).specification).failed(
      1, saying: "0001_a.sql:4:25: ERROR 42P01",
      "   SELECT 'éé', 'ü' FROM  nix;\n                          ^\n")
    try database.connect().execute("DROP DATABASE \(name) WITH (FORCE)")
  }

  @Test("are placed in files with a byte order mark, other line ends and form feeds")
  func lineEnds() throws {
    try folder.write("0001_a.sql", "\u{feff}-- rivulet:up\r\nSELECT 1;\u{c}\r\n\tSELECT é FROM nix;\r\n")
    try up().failed(1, saying: "0001_a.sql:3:16: ERROR 42P01", "   SELECT é FROM nix;\n                 ^\n")
  }

  @Test(
    "lead to the line in the body of a block or of a function of the file",
    arguments: [
      ("DO $$\nBEGIN\n  -- é\n  PERFORM 1;\n  PERFORM n\n    FROM nix;\nEND $$;", "7:10: ERROR 42P01"),
      ("DO $$\nBEGIN\n  RAISE EXCEPTION 'stop';\nEND $$;", "4:3: ERROR P0001: stop"),
      ("DO '\nBEGIN\n  RAISE EXCEPTION ''stop'';\nEND';", "4:3: ERROR P0001: stop"),
      (
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $f$\nBEGIN\n  RETURN 1 / 0;\nEND $f$;\nSELECT f();",
        "4:3: ERROR 22012"
      ),
      ("DO $$\nBEGIN\n  IF true THEN\n    x := 1;\n  END IF;\nEND $$;", "5:5: ERROR 42601"),
    ])
  func bodies(sql: String, place: String) throws {
    try write(sql)
    try up().failed(1, saying: "0001_a.sql:" + place)
  }

  @Test("are shown as they come; those of code that has rows only with --verbose")
  func notices() throws {
    try write(
      """
      CREATE TABLE t (n int); CREATE TABLE IF NOT EXISTS t (n int); INSERT INTO t VALUES (4711);
      CREATE FUNCTION tell() RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''it is %'', (SELECT n FROM t); RETURN 1; END';
      DO $$ BEGIN RAISE NOTICE 'half of it is done'; PERFORM tell(); END $$;
      """)
    let outcome = try up("--dry-run").succeeded().withholding("4711")
    for words in [
      "relation \"t\" already exists, skipping", "NOTICE: half of it is done",
      "NOTICE of function tell() line 1",
    ] {
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    #expect(try up("--quiet", "--dry-run").succeeded().errors == "")
    #expect(try up("--verbose").succeeded().errors.contains("NOTICE: it is 4711"))
  }

  @Test("are held back where they quote rows, and shown with --verbose")
  func rows() throws {
    try write("CREATE TABLE t (n int PRIMARY KEY);\nINSERT INTO t VALUES (4711), (4711);")
    try up().failed(1, saying: "0001_a.sql:3:1: ERROR 23505").withholding("DETAIL", "(4711) already")
    try up("--verbose").failed(1, saying: "DETAIL: Key (n)=(4711) already exists.")
    #expect(try !up("--verbose", "--format", "json").output.contains("already exists."))
  }

  @Test("are shown with their DETAIL where no row can be in it")
  func dependents() throws {
    try write("CREATE TABLE t (n int);\nCREATE VIEW v AS SELECT n FROM t;\nDROP TABLE t;")
    try up().failed(1, saying: "0001_a.sql:4:1: ERROR 2BP01", "DETAIL: view v depends on table t")
  }

  @Test("say whose session holds a lock, and what it is at, without the values in it", arguments: ["0", "3"])
  func holder(seconds: String) throws {
    try write("CREATE TABLE t (n int);")
    try up().succeeded()
    try folder.write("0002_b.sql", "-- rivulet:up\nALTER TABLE t ADD m int;\n")
    let holder = try Connection(to: database.target, settings: "SET application_name = 'nightly report'")
    try holder.execute("BEGIN; SELECT FROM t WHERE n = 4711 AND 'Smith' <> $$x$$")
    try up("--lock-wait", seconds).failed(
      4,
      saying:
        "process \(holder.process) (user rivulet, application nightly report), idle in a transaction for ",
      "SELECT FROM t WHERE n = ? AND ? <> ?"
    ).withholding("4711", "Smith")
    try holder.execute("COMMIT")
    try up().succeeded()
  }
}
