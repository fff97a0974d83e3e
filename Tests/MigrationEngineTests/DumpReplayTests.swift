import Host
import MigrationEngine
import PostgreSQL
import TestSupport
import Testing

/// Schemas that are hard to write, each with what makes it so.
@Suite("Dumps replayed") struct DumpReplayTests {
  /// Statements that make a schema.
  struct Schema: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String

    init(_ description: String, _ sql: String) { (testDescription, self.sql) = (description, sql) }
  }

  static let schemas = [
    Schema(
      "two keys of the same columns, which the server takes for one within the parentheses",
      """
      CREATE TABLE t (id int CONSTRAINT z_key PRIMARY KEY, code text CONSTRAINT code_first UNIQUE);
      ALTER TABLE t ADD CONSTRAINT a_also UNIQUE (id), ADD CONSTRAINT code_again UNIQUE (code);
      CREATE TABLE r (id int REFERENCES t (id));
      """),
    Schema(
      "functions that only a family of operators names",
      """
      CREATE OPERATOR FAMILY hashed USING hash;
      CREATE FUNCTION zz_hash(int, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1 + $2';
      ALTER OPERATOR FAMILY hashed USING hash ADD FUNCTION 2 (int, int) zz_hash(int, bigint);
      """),
    Schema(
      "a comment on an aggregate of no arguments",
      """
      CREATE AGGREGATE rows_of (*) (SFUNC = int8inc, STYPE = int8, INITCOND = '0');
      COMMENT ON AGGREGATE rows_of (*) IS 'counts'; REVOKE EXECUTE ON FUNCTION rows_of() FROM PUBLIC;
      """),
    Schema(
      "generated columns of tables that inherit, from a generated one and from one that is not",
      """
      CREATE TABLE parent (a int NOT NULL, b int GENERATED ALWAYS AS (a * 2) STORED);
      CREATE TABLE later (a int NOT NULL, b int GENERATED ALWAYS AS (a * 2) STORED);
      ALTER TABLE later INHERIT parent;
      CREATE TABLE plain (a int, b int);
      CREATE TABLE computes (a int, b int GENERATED ALWAYS AS (a * 3) STORED) INHERITS (plain);
      """),
    Schema(
      "a constraint that was not validated, with heirs that have it so and one that came later",
      """
      CREATE TABLE a_root (d int);
      CREATE TABLE b_child () INHERITS (a_root);
      CREATE TABLE c_grandchild () INHERITS (b_child);
      ALTER TABLE a_root ADD CONSTRAINT positive CHECK (d > 0) NOT VALID;
      CREATE TABLE a_later () INHERITS (a_root);
      """),
    Schema(
      "an operator that nothing names any more and that never was more than a name",
      """
      CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq, NEGATOR = !==);
      DROP OPERATOR === (int, int);
      CREATE TABLE t (a int);
      """),
    Schema(
      "a compression that is not the one inherited",
      """
      CREATE TABLE parent (a text COMPRESSION pglz);
      CREATE TABLE child () INHERITS (parent);
      ALTER TABLE child ALTER a SET COMPRESSION default;
      """),
  ]

  @Test("a schema is the same after its dump was replayed", arguments: schemas)
  func replayed(_ schema: Schema) throws {
    let (database, copy) = (try TestServer.shared.makeDatabase(), try TestServer.shared.makeDatabase())
    let connection = try database.connect()
    try connection.execute(schema.sql)
    let dump = try SchemaDump(of: connection)
    #expect(dump.unsupported == [])
    let scratch = try Scratch()
    let file = try scratch.write("dump.sql", dump.sql)
    let run = try Subprocess(["psql", copy.url, "-Xqv", "ON_ERROR_STOP=1", "-f", file]).run()
    try #require(run.status == 0, "\(run.output)\n\(dump.sql)")
    let other = try copy.connect()
    let lines = try SchemaSnapshot.read(from: connection).differences(to: SchemaSnapshot.read(from: other))
    #expect(lines.map { $0.line(.drift) } == [])
    #expect(try SchemaDump(of: other).sql == dump.sql)
  }

  @Test("columns that a replay puts in another order are named")
  func order() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    try connection.execute(
      """
      CREATE TABLE parent (a int, b int);
      CREATE TABLE turned (b int, a int);
      ALTER TABLE turned INHERIT parent;
      CREATE TABLE mixed (own int);
      ALTER TABLE mixed ADD a int, ADD b int, INHERIT parent;
      """)
    #expect(
      try SchemaDump(of: connection).unsupported == [
        "the columns of public.mixed that come from its parents are between its own: replayed, they come first",
        "the columns of public.turned are not in the order of its parents: replayed, they are",
      ])
  }
}
