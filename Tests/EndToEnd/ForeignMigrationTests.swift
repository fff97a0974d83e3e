import Foundation
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
    let lacking = try run("up", "--set", "one=a")
    #expect(
      lacking.status == 2 && lacking.errors.contains("V1__a.sql:2:14: the placeholder ${two} has no value"))
    #expect(try run("up", "--set", "one").status == 2)
    #expect(try run("up", "--set", "one=a\nb", "--set", "two=c").status == 2)
    #expect(try run("up", "--set", "one=a", "--set=two=b").status == 0)
    #expect(try database.value("SELECT count(*) FROM pg_tables WHERE tablename IN ('a', 'b')") == "2")
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
    let dirty = try run("baseline", "--from", "golang-migrate")
    #expect(dirty.status == 5 && dirty.errors.contains("golang-migrate has left unfinished: 1"))
    try database.connect().execute("UPDATE schema_migrations SET dirty = false")
    for arguments in [["--dry-run"], []] {
      let outcome = try Program(database: database.url).run(
        ["migrate", "baseline", "--from", "golang-migrate", "--dir", scratch.path, "--format", "json"]
          + arguments)
      let answer = try outcome.object()
      #expect(outcome.status == 0 && answer["from"] as? String == "golang-migrate")
      #expect(answer["baseline"] as? [[String: String]] == [["version": "1", "name": "a"]])
      #expect(answer["pending"] as? Int == 1 && answer["dry_run"] as? Bool == !arguments.isEmpty)
    }
    #expect(try run("up").output.contains("1 migration applied"))
    #expect(try run("status", "--check").status == 0)
  }

  @Test("asks for either the version or the tool")
  func usage() throws {
    try scratch.write("1_a.up.sql", "")
    #expect(try run("baseline").status == 2)
    #expect(try run("baseline", "1", "--from", "dbmate").status == 2)
    #expect(try run("baseline", "--from", "alembic").status == 2)
    #expect(try run("baseline", "1", "--table", "x").status == 2)
    #expect(try run("baseline", "--from", "dbmate").errors.contains("there is no table 'schema_migrations'"))
    #expect(try run("baseline", "9").status == 2)
  }

  @Test("names the formats where a folder is of none, and makes the first file of a new one")
  func empty() throws {
    let outcome = try run("up")
    #expect(outcome.status == 2 && outcome.errors.contains("flyway: V1.2__add_fees.sql"))
    #expect(try run("new", "first").status == 0)
    #expect(try run("status").status == 0)
  }
}
