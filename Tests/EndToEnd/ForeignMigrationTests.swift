import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

/// Other tools' folders and databases, from the command line.
@Suite("Other tools' migrations on the command line")
struct ForeignMigrationTests {
  private let database: TestDatabase
  private let scratch: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    scratch = try Scratch()
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program(database: database.url).run(["migrate"] + arguments + ["--dir", scratch.path])
  }

  @Test("takes values for placeholders one by one, and says which is missing")
  func placeholders() throws {
    try scratch.write("V1__a.sql", "CREATE TABLE ${one} (n int);\nCREATE TABLE ${two} (n int);\n")
    try run("up", "--set", "one=a").failed(
      2, saying: "V1__a.sql:2:14: the placeholder ${two} has no value")
    try run("up", "--set", "one").failed(2)
    try run("up", "--set", "one=a\nb", "--set", "two=c").failed(2)
    try run("up", "--set", "one=a", "--set=two=b").succeeded()
    #expect(try database.value("SELECT count(*) FROM pg_tables WHERE tablename IN ('a', 'b')") == "2")
  }

  @Test("takes values from files, from the environment and from Flyway's settings, the nearest first")
  func placeholderSources() throws {
    try scratch.write(
      "db/V1__a.sql",
      """
      CREATE TABLE t AS SELECT '${a}' AS a, '${b}' AS b, '${c}' AS c, '${d}' AS d, '${e}' AS e, '${f}' AS f,
        '${g}' AS g, '${h}' AS h;
      """)
    try scratch.write("values", "# a comment\na=file\nb = 'file b'\n")
    func conf(_ names: String..., value: String) -> String {
      "flyway.url=jdbc:x\n" + names.map { "flyway.placeholders.\($0)=\(value)\n" }.joined()
    }
    func toml(_ names: String..., value: String) -> String {
      "[flyway]\nurl = \"x\"\n[flyway.placeholders]\n" + names.map { "\($0) = \"\(value)\"\n" }.joined()
    }
    try scratch.write("given.conf", conf("b", "g", value: "given_conf"))
    try scratch.write("given.toml", toml("g", "h", value: "given_toml"))
    try scratch.write("flyway.conf", conf("c", "d", "e", "f", "h", value: "conf"))
    try scratch.write("flyway.toml", toml("d", "e", value: "toml"))
    let values = [
      "RIVULET_SET_C": "environment", "FLYWAY_PLACEHOLDERS_A": "never", "FLYWAY_PLACEHOLDERS_C": "never",
      "FLYWAY_PLACEHOLDERS_E": "flyway",
    ]
    let folder = scratch.path
    func run(_ subcommand: String, _ file: String, _ more: String...) throws -> (Int32, String) {
      let line = "cd \"$1\" && shift && exec \"$@\""
      var process = Subprocess(
        [
          "/bin/sh", "-c", line, "sh", folder, Program.path, "--database", database.url, "migrate",
          subcommand,
        ]
          + ["--dir", "db", "--set-file", file] + more)
      process.environment = values
      let run = try process.run()
      return (run.status, run.output)
    }
    let up = try run(
      "up", "values", "--set", "a=line", "--set-file", "given.conf", "--set-file", "given.toml")
    #expect(up.0 == 0, "\(up.1)")
    #expect(
      try database.value("SELECT t::text FROM t")
        == "(line,\"file b\",environment,toml,flyway,conf,given_conf,given_toml)")
    try scratch.write("wrong", "a=1\nhunter2\n")
    let wrong = try run("status", "wrong")
    #expect(wrong.0 == 2 && wrong.1.contains("wrong:2: a line is NAME=VALUE"), "\(wrong.1)")
    #expect(!wrong.1.contains("hunter2"))
  }

  @Test("says no value of a placeholder in notices and errors, whatever form the server gives it")
  func discretion() throws {
    try scratch.write(
      "V1__a.sql",
      """
      CREATE TABLE "${secret}" (n int);
      CREATE TABLE IF NOT EXISTS "${secret}" (n int);
      DO $$ BEGIN RAISE NOTICE 'it is ${secret}'; RAISE WARNING 'it was ${secret}'; END $$;
      """)
    let up = try run("up", "-v", "--set", "secret=Top Secret1").succeeded()
    #expect(up.errors.contains("it is ${secret}") && up.errors.contains("it was ${secret}"))
    #expect(!up.errors.contains("Secret1"))
    for (sql, value) in [
      ("CREATE ROLE x PASSWORD '${secret}'", "abc'hidden'tail99"),
      ("SELECT '${secret}'::regrole", "it''s-topsecret"),
      ("SELECT '${secret}'::regrole", "abc"), ("SELECT * FROM ${secret}", "TopSecret1"),
      ("DO $$ BEGIN\n RAISE EXCEPTION 'bad %', upper('${secret}'); END $$", "Top9"),
      ("DO $$ BEGIN\n PERFORM nosuch('${secret}'); END $$", "a value that is longer than its name"),
    ] {
      try scratch.write("V2__b.sql", sql + ";")
      let failed = try run("up", "-v", "--set", "secret=" + value).failed(1)
      for part in ["hidden", "topsecret", "\"abc\"", "TopSecret1", "TOP9", "longer than"] {
        #expect(!failed.errors.contains(part), "\(failed.errors)")
      }
    }
    let place = try run("up", "--set", "secret=a value that is longer than its name").failed(1)
    #expect(place.errors.contains("V2__b.sql:2:10: ERROR 42883"), "\(place.errors)")
  }

  @Test("shows the status of a folder that cannot be run, says why, and is not in step")
  func complaints() throws {
    try scratch.write("1_a.up.sql", "SELECT 1;")
    try scratch.write("2_b.up.sql", "SELECT 'x;")
    let status = try run("status", "--format", "json").succeeded()
    let problems = try #require(status.object()["problems"] as? [[String: [String: Any]]])
    #expect(problems.map { $0["error"]?["line"] as? Int } == [1])
    let shown = try run("status").succeeded()
    #expect(shown.errors.contains("cannot be run: \(scratch.path)/2_b.up.sql:1:8: a quote begins here"))
    try run("status", "--check").failed(5)
    try run("up").failed(2, saying: "2_b.up.sql:1:8: a quote begins here")
  }

  @Test("answers a baseline as JSON, and goes on where the other tool stopped")
  func baseline() throws {
    try scratch.write("1_a.up.sql", "CREATE TABLE a (n int);")
    try scratch.write("2_b.up.sql", "CREATE TABLE b (n int);")
    try database.connect().execute(
      """
      CREATE TABLE a (n int);
      CREATE TABLE schema_migrations (version bigint NOT NULL PRIMARY KEY, dirty boolean NOT NULL);
      INSERT INTO schema_migrations VALUES (1, true)
      """)
    try run("baseline", "--from", "golang-migrate").failed(
      5, saying: "golang-migrate has left unfinished: 1")
    try database.connect().execute("UPDATE schema_migrations SET dirty = false")
    for mode in ["--dry-run", "-v"] {
      let answer = try run("baseline", "--from", "golang-migrate", "--format", "json", mode).succeeded()
        .object()
      #expect(answer["from"] as? String == "golang-migrate")
      #expect(answer["baseline"] as? [[String: String]] == [["version": "1", "name": "a"]])
      #expect(answer["pending"] as? Int == 1 && answer["dry_run"] as? Bool == (mode == "--dry-run"))
    }
    #expect(try run("up").output.contains("1 migration applied"))
    try run("status", "--check").succeeded()
  }

  @Test("asks for either the version or the tool")
  func usage() throws {
    try scratch.write("1_a.up.sql", "")
    try run("baseline").failed(2)
    try run("baseline", "1", "--from", "dbmate").failed(2)
    try run("baseline", "--from", "alembic").failed(2)
    try run("baseline", "1", "--table", "x").failed(2)
    try run("baseline", "--from", "dbmate").failed(2, saying: "there is no table 'schema_migrations'")
    try run("baseline", "9").failed(2)
  }

  @Test("names the formats where a folder is of none, and makes the first file of a new one")
  func empty() throws {
    try run("up").failed(2, saying: "flyway: V1.2__add_fees.sql")
    try run("new", "first").succeeded()
    try run("status").succeeded()
  }
}
