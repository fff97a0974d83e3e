import Foundation
import Host
import PostgreSQL
import SQLText
import TestSupport
import Testing

/// Our taking apart of scripts against the server's own.
@Suite("Scripts as the server takes them apart")
struct ScriptSplittingTests {
  private let database: TestDatabase

  init() throws {
    database = try TestServer.shared.makeDatabase()
    try database.connect().execute(
      """
      CREATE TABLE copied (line text); CREATE TABLE ruled (n int);
      CREATE RULE a AS ON INSERT TO ruled DO ALSO (SELECT 1; SELECT 2; SELECT ';');
      CREATE RULE c AS ON UPDATE TO ruled DO INSTEAD NOTHING
      """)
  }

  @Test("finds as many statements as the server answers to, and each is one alone", arguments: 1...150)
  func generated(seed: UInt64) throws { try compare(seed, on: database.connect()) }

  @Test(
    "goes on finding them for a while",
    .enabled(if: ScriptSplittingTests.fuzzSeconds > 0, "RIVULET_FUZZ_SECONDS says how long"))
  func fuzz() throws {
    let connection = try database.connect()
    let end = Machine.seconds + ScriptSplittingTests.fuzzSeconds
    var seed = UInt64(Date().timeIntervalSince1970) << 20
    while Machine.seconds < end {
      try compare(seed, on: connection)
      seed += 1
    }
  }

  private static var fuzzSeconds: Double {
    ProcessInfo.processInfo.environment["RIVULET_FUZZ_SECONDS"].flatMap(Double.init) ?? 0
  }

  private func compare(_ seed: UInt64, on connection: Connection) throws {
    var generator = ScriptGenerator(seed: seed)
    let (sql, count) = generator.script()
    let script = try SQLScript(sql)
    #expect(script.statements.count == count, "seed \(seed): \(sql)")
    let answers = try connection.run(script: script.text) { script.data(of: script.statements[$0]) }
    #expect(answers == count, "seed \(seed): \(sql)")
    for statement in script.statements {
      let alone = try connection.run(script: statement.text) { _ in script.data(of: statement) }
      #expect(alone == 1, "seed \(seed): \(statement.text)")
    }
  }

  @Test("gives back what pg_dump wrote: a dump that is replayed is dumped as the same text")
  func replay() throws {
    try database.connect().execute(ScriptSplittingTests.zoo)
    let first = try dump(database)
    let copy = try TestServer.shared.makeDatabase()
    let script = try SQLScript(first)
    let done = try copy.connect().run(script: script.text) { script.data(of: script.statements[$0]) }
    #expect(done == script.statements.count)
    #expect(done > 30)
    #expect(withoutKey(try dump(copy)) == withoutKey(first))
  }

  private func dump(_ database: TestDatabase) throws -> String {
    let outcome = try Subprocess(["pg_dump", "--no-owner", "--dbname", database.url]).run()
    try #require(outcome.status == 0, "\(outcome.output)")
    return outcome.output
  }

  /// A dump's `\restrict` has a random key.
  private func withoutKey(_ dump: String) -> [Substring] {
    dump.split(separator: "\n").filter { !$0.contains("restrict ") }
  }

  private static let zoo = """
    CREATE SCHEMA "odd; schema";
    CREATE TYPE "odd; schema".colour AS ENUM ('a;', 'it''s', '$$', '\\');
    CREATE DOMAIN positive AS int CHECK (value > 0);
    CREATE TABLE "odd; schema"."end" ("case" int PRIMARY KEY, "begin" text DEFAULT E'\\';\\n', c "odd; schema".colour);
    INSERT INTO "odd; schema"."end" SELECT n, E'row;\\t''\\\\' || E'\\n\\\\.\\n' || chr(233) || '$$ -- /*', '$$'
      FROM generate_series(1, 50) n;
    COMMENT ON TABLE "odd; schema"."end" IS 'a; -- /* $$ \\ ''';
    CREATE VIEW seen AS SELECT "case" AS "end", CASE WHEN "case" > 1 THEN ';' END AS "case" FROM "odd; schema"."end";
    CREATE FUNCTION atomic(n int) RETURNS int
      BEGIN ATOMIC SELECT 1 AS end; SELECT CASE n WHEN 1 THEN 2 END; END;
    CREATE PROCEDURE begin(n int) BEGIN ATOMIC INSERT INTO ruled VALUES (n); DELETE FROM ruled; END;
    CREATE FUNCTION quoted() RETURNS text LANGUAGE plpgsql AS
      $a$ BEGIN /* ; */ RETURN $b$;$b$ || $$;$$ || E'\\''; -- ;
      END $a$;
    CREATE FUNCTION fired() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
    CREATE TRIGGER fire BEFORE INSERT ON ruled FOR EACH ROW WHEN (new.n > 1) EXECUTE FUNCTION fired();
    CREATE RULE several AS ON DELETE TO copied DO ALSO (INSERT INTO ruled VALUES (1); DELETE FROM ruled);
    CREATE TABLE parted (n int, t text) PARTITION BY RANGE (n);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (10);
    CREATE INDEX "i;" ON parted (n) WHERE t <> ';';
    CREATE POLICY p ON copied USING (line <> ';');
    CREATE SEQUENCE s OWNED BY copied.line;
    CREATE STATISTICS st ON n, t FROM parted;
    """
}
