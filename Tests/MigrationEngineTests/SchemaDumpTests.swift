import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Dumps of real databases, replayed, and held against `pg_dump`.
@Suite("The dump of a schema")
struct SchemaDumpTests {
  private let database: TestDatabase
  private let replayed: TestDatabase

  init() throws {
    database = try TestServer.shared.makeDatabase()
    replayed = try TestServer.shared.makeDatabase()
  }

  private func dump(_ database: TestDatabase, leavingOut relations: Set<String> = []) throws -> SchemaDump {
    try SchemaDump(of: try database.connect(), leavingOut: relations)
  }

  /// What a database's dump is after it was replayed by psql on an empty one.
  private func replay(_ dump: SchemaDump) throws -> String {
    let scratch = try Scratch()
    let file = try scratch.write("dump.sql", dump.sql)
    let run = try Subprocess(["psql", replayed.url, "-Xqv", "ON_ERROR_STOP=1", "-f", file]).run()
    try #require(run.status == 0)
    return try self.dump(replayed).sql
  }

  /// The statements of `pg_dump`, which knows nothing of ours; in an order of their own, since those of one
  /// object may be granted in another order.
  private func oracle(_ database: TestDatabase) throws -> [String] {
    let run = try Subprocess(["pg_dump", "--schema-only", "--no-owner", database.url]).run()
    try #require(run.status == 0)
    return run.output.split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("\\") && !$0.hasPrefix("--") && !$0.contains("password 'secret") }.sorted()
  }

  private static let zoo = SharedData.project + "/Tests/MigrationEngineTests/Zoo/zoo.sql"

  private func makeZoo() throws {
    let sql = try String(contentsOfFile: SchemaDumpTests.zoo, encoding: .utf8)
    try database.connect().execute(sql)
  }

  @Test("replays everything that a schema can hold, to the letter")
  func zoo() throws {
    try makeZoo()
    let dump = try dump(database)
    #expect(try replay(dump) == dump.sql)
    #expect(try oracle(replayed) == oracle(database))
    #expect(
      dump.unsupported == ["options of the user mapping for public on server pg are left out: password"])
    #expect(!dump.sql.contains("secret of the zoo"))
  }

  @Test("is a migration that this program can apply")
  func ownReplay() throws {
    try makeZoo()
    let dump = try dump(database)
    let scratch = try Scratch()
    try scratch.write("0001_all.sql", "-- rivulet:up\n" + dump.sql)
    let engine = MigrationEngine(
      connection: try replayed.connect(), folder: try MigrationFolder(scratch.path))
    try engine.up(.natural) { _, _ in }
    #expect(try self.dump(replayed).sql == dump.sql)
  }

  @Test("replays this project's own schema")
  func project() throws {
    let run = try Program(database: database.url).run(
      "migrate", "up", "--dir", SharedData.project + "/Migrations")
    try #require(run.status == 0)
    let dump = try dump(database)
    #expect(dump.unsupported.isEmpty)
    #expect(dump.sql.contains("CREATE TABLE cms.rvu ("))
    #expect(!dump.sql.contains("CREATE TABLE rivulet."))
    #expect(try replay(dump) == dump.sql)
    try replayed.connect().execute("CREATE SCHEMA IF NOT EXISTS rivulet")
    let ours = { (line: String) in !line.contains("rivulet") }
    let before = Set(try oracle(database).filter(ours))
    #expect(Set(try oracle(replayed)).subtracting(before).filter(ours).isEmpty)
  }

  @Test("is the same whatever the order in which things were made")
  func order() throws {
    let pieces = [
      "CREATE TABLE b (n int)",
      "CREATE TABLE a (n int CONSTRAINT z CHECK (n > 0) CONSTRAINT y CHECK (n > 1))",
      "CREATE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "CREATE TYPE \"Ü\" AS ENUM ('x')", "CREATE TYPE z AS (n int)", "CREATE TYPE \"Z\" AS (n int)",
    ]
    let more = [
      "CREATE VIEW w AS SELECT n FROM a", "CREATE VIEW v AS SELECT n FROM b", "CREATE INDEX i ON b (n)",
      "CREATE INDEX h ON b (n)", "COMMENT ON CONSTRAINT z ON a IS 'z'", "COMMENT ON CONSTRAINT y ON a IS 'y'",
      "GRANT SELECT ON a TO PUBLIC", "GRANT INSERT ON a TO pg_monitor, pg_read_all_data",
      "ALTER TABLE b SET (fillfactor = 50)", "ALTER TABLE b SET (autovacuum_enabled = off)",
    ]
    let straight = try database.connect()
    for piece in pieces + more { try straight.execute(piece) }
    let backwards = try replayed.connect()
    for piece in pieces.reversed() + more.reversed() { try backwards.execute(piece) }
    #expect(try dump(database).sql == dump(replayed).sql)
  }

  @Test("says nothing of columns that were dropped")
  func holes() throws {
    try database.connect().execute(
      """
      CREATE TABLE p (x int, a int, b text) PARTITION BY LIST (a);
      ALTER TABLE p DROP COLUMN x, ADD COLUMN c int DEFAULT 3, DROP COLUMN b;
      CREATE TABLE q (c int DEFAULT 3, a int, y int);
      ALTER TABLE q DROP COLUMN y;
      ALTER TABLE p ATTACH PARTITION q FOR VALUES IN (1);
      """)
    let dump = try dump(database)
    #expect(!dump.sql.contains("dropped"))
    #expect(try replay(dump) == dump.sql)
    #expect(try replayed.value("INSERT INTO p (a) VALUES (1) RETURNING c") == "3")
  }

  @Test("opens circles: defaults that need the other table, functions that call each other")
  func circles() throws {
    try database.connect().execute(
      """
      CREATE TABLE a (n int);
      CREATE TABLE b (n int);
      CREATE FUNCTION in_a() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM a; END;
      CREATE FUNCTION in_b() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM b; END;
      ALTER TABLE a ALTER n SET DEFAULT in_b();
      ALTER TABLE b ALTER n SET DEFAULT in_a();
      CREATE FUNCTION ping() RETURNS int LANGUAGE sql RETURN 1;
      CREATE FUNCTION pong() RETURNS int LANGUAGE sql RETURN ping();
      CREATE OR REPLACE FUNCTION ping() RETURNS int LANGUAGE sql RETURN pong();
      """)
    let dump = try dump(database)
    #expect(dump.unsupported.isEmpty)
    #expect(try replay(dump) == dump.sql)
    #expect(try replayed.value("INSERT INTO a DEFAULT VALUES RETURNING n") == "0")
  }

  @Test("writes an owner's rights for the role that will own it, and says nothing of temporary tables")
  func owners() throws {
    let connection = try database.connect()
    try connection.execute(
      """
      CREATE TEMP TABLE passing (id serial PRIMARY KEY, n int CHECK (n > 0));
      CREATE TABLE t (n int);
      ALTER TABLE t OWNER TO pg_monitor;
      REVOKE DELETE ON t FROM pg_monitor;
      GRANT SELECT ON t TO pg_read_all_data;
      """)
    let dump = try SchemaDump(of: connection)
    #expect(
      dump.sql.hasSuffix(
        """
        REVOKE DELETE ON TABLE public.t FROM CURRENT_USER;
        GRANT SELECT ON TABLE public.t TO pg_read_all_data;

        """))
    #expect(!dump.sql.contains("passing"))
    #expect(dump.unsupported.isEmpty)
    #expect(try replay(dump) == dump.sql)
  }

  @Test("has nothing of an empty database, and no schema public where there is none")
  func empty() throws {
    #expect(try dump(database).count == 0)
    try database.connect().execute("DROP SCHEMA public")
    let dump = try dump(database)
    #expect(try replay(dump) == dump.sql)
    #expect(try replayed.value("SELECT to_regnamespace('public')") == nil)
  }

  @Test("leaves relations out with what is theirs, and says what cannot do without them")
  func leavingOut() throws {
    try database.connect().execute(
      """
      CREATE TABLE kept (id int PRIMARY KEY) PARTITION BY LIST (id);
      CREATE TABLE gone PARTITION OF kept FOR VALUES IN (1);
      CREATE INDEX on_gone ON gone (id);
      CREATE VIEW reads AS SELECT id FROM gone;
      CREATE VIEW reads_again AS SELECT id FROM reads;
      """)
    let dump = try dump(database, leavingOut: ["public.gone"])
    #expect(!dump.sql.contains("gone"))
    #expect(
      dump.unsupported == [
        "view public.reads is left out, since it needs something that is left out",
        "view public.reads_again is left out, since it needs something that is left out",
      ])
    #expect(try replay(dump) == dump.sql)
  }

  @Test("reports an index that is not valid")
  func invalidIndex() throws {
    let connection = try database.connect()
    try connection.execute("CREATE TABLE t (n int); INSERT INTO t VALUES (1), (1)")
    _ = try? connection.execute("CREATE UNIQUE INDEX CONCURRENTLY broken ON t (n)")
    #expect(try dump(database).unsupported == ["index public.broken is left out: it is not valid"])
  }

  @Test("writes to the output, or to a file, and keeps derived views only with --all")
  func commandLine() throws {
    try database.connect().execute("CREATE TABLE t (n int)")
    let program = Program(database: database.url)
    let expected = try dump(database).sql
    #expect(try program.run("migrate", "dump").output == expected)
    #expect(try program.run("migrate", "dump", "--format", "json").object()["sql"] as? String == expected)
    let scratch = try Scratch()
    let file = scratch.path + "/s.sql"
    let answer = try program.run("migrate", "dump", "-o", file, "--format", "json").object()
    #expect(answer["file"] as? String == file)
    #expect(answer["objects"] as? Int == 1)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == expected)

    try #require(try program.run("migrate", "up").status == 0)
    #expect(try !program.run("migrate", "dump").output.contains("CREATE VIEW cms.current_rvu"))
    #expect(try program.run("migrate", "dump", "--all").output.contains("CREATE VIEW cms.current_rvu"))
  }
}
