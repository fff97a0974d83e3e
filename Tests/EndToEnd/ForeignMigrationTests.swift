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
    try run("up", "--set", "one=a").failed(
      2, saying: "V1__a.sql:2:14: the placeholder ${two} has no value")
    try run("up", "--set", "one").failed(2)
    try run("up", "--set", "one=a\nb", "--set", "two=c").failed(2)
    try run("up", "--set", "one=a", "--set=two=b").succeeded()
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
