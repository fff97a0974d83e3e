import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Migrations, and neighbours in the database, that mean no good.
@Suite("A hostile migration or neighbour")
struct HostileMigrationTests {
  private let own: OwnMigrations

  init() throws { own = try OwnMigrations() }

  @Test("cannot have its functions called in place of the catalog's")
  func overloads() throws {
    try own.execute(
      """
      CREATE FUNCTION public.hashtextextended(text, int) RETURNS bigint LANGUAGE plpgsql AS
        $$BEGIN RAISE EXCEPTION 'called'; END$$;
      CREATE FUNCTION public.format(text, name, name) RETURNS text LANGUAGE plpgsql AS
        $$BEGIN RAISE EXCEPTION 'called'; END$$;
      CREATE TABLE a (n int); INSERT INTO a VALUES (1), (1);
      """)
    try own.write(
      "1_key.sql", up: "CREATE UNIQUE INDEX CONCURRENTLY a_key ON a (n);", down: "DROP INDEX a_key;")
    #expect(complaint { try own.up() }.contains("23505"))
    try own.execute("DELETE FROM a")
    #expect(try own.up() == ["1"])
  }

  @Test("leaves no temporary table for the next to mistake for its own", arguments: ["", " ON COMMIT DROP"])
  func temporaryTables(also: String) throws {
    try own.execute("CREATE TABLE users (a int)")
    try own.write("1_temp.sql", up: "CREATE TEMP TABLE users (x int)\(also);", down: "SELECT 1;")
    try own.write("2_users.sql", up: "ALTER TABLE users ADD COLUMN b int;", down: "ALTER TABLE users DROP b;")
    #expect(try own.up() == ["1", "2"])
    let columns =
      "SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = 'public.users'::regclass AND attnum > 0"
    #expect(try own.database.value(columns) == "a b")
  }

  @Test("does not release the lock that keeps others away", arguments: ["", "VACUUM;"])
  func unlocking(also: String) throws {
    try own.write("1_unlock.sql", up: "SELECT pg_advisory_unlock_all(); \(also)")
    try own.write("2_b.sql", up: "CREATE TABLE b (n int);")
    #expect(
      complaint { try own.up() }.hasPrefix("1_unlock.sql: migration 1 releases all advisory locks"))
    #expect(try own.tables() == nil)
  }

  @Test("is refused where it would throw away all that the session has")
  func discarding() throws {
    try own.scratch.write("1_unlock.sql", "-- rivulet:up transaction=off\nSELECT 1;\nDISCARD ALL;")
    #expect(complaint { try own.up() }.contains(".sql:3:"))
  }

  @Test("that changes the encoding leaves the history as it was written")
  func encoding() throws {
    try own.write(
      "1_cafe.sql", up: "CREATE TABLE \"café\" (n int);\nSET client_encoding = LATIN1;",
      down: "DROP TABLE \"café\";")
    #expect(try own.up() == ["1"])
    #expect(try own.down() == ["1"])
    #expect(try own.tables() == nil)
  }

  @Test("that is not UTF-8 is refused, with nothing done")
  func latin1() throws {
    let bytes = Array("-- rivulet:up\nCREATE TABLE a AS SELECT 'caf".utf8) + [0xe9] + Array("' AS t;\n".utf8)
    try own.scratch.write("1_a.sql", bytes: bytes)
    #expect(complaint { try own.up() }.contains("UTF-8"))
  }

  @Test("keeps its own schema's neighbours in a path that names them")
  func ownSchema() throws {
    try own.execute("CREATE SCHEMA app; CREATE SCHEMA rivulet")
    let connection = try own.database.connect()
    try connection.execute(
      "ALTER DATABASE \(Quote.identifier(own.database.name)) SET search_path = rivulet, app")
    try own.write("1_a.sql", up: "CREATE TABLE one (n int);", down: "DROP TABLE one;")
    try own.write("2_b.sql", up: "CREATE TABLE two (n int);\nVACUUM two;", down: "DROP TABLE two;")
    #expect(try own.up() == ["1", "2"])
    #expect(
      try own.database.value(
        "SELECT string_agg(schemaname, ' ') FROM pg_tables WHERE tablename IN ('one', 'two')") == "app app")
  }

  @Test("spares an invalid index that somebody else has left or is building")
  func othersIndexes() throws {
    try own.execute("CREATE TABLE a (n int, m int); INSERT INTO a VALUES (1, 1), (1, 1)")
    let other = try own.database.connect()
    #expect(throws: PostgreSQLError.self) {
      try other.execute("CREATE UNIQUE INDEX CONCURRENTLY a_n_idx ON a (n)")
    }
    try own.write("1_index.sql", up: "CREATE UNIQUE INDEX CONCURRENTLY ON a (m);", down: "SELECT 1;")
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(
      try own.database.value(
        "SELECT string_agg(indexrelid::regclass::text, ' ') FROM pg_index WHERE indrelid = 'a'::regclass")
        == "a_n_idx")
  }

  @Test("may begin with what has to come before any query")
  func isolation() throws {
    try own.write(
      "1_a.sql",
      up:
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;\nCREATE TABLE a AS SELECT current_setting('transaction_isolation') AS t;",
      down: "DROP TABLE a;")
    #expect(try own.up() == ["1"])
    #expect(try own.database.value("SELECT t FROM a") == "serializable")
  }

  @Test("may say what is wrong in its own words, and the place in its code")
  func ownWords() throws {
    try own.write(
      "1_a.sql",
      up:
        "DO $$\nBEGIN\n  RAISE EXCEPTION 'three plans lack a payer' USING HINT = 'run the fix first';\nEND $$;"
    )
    let said = complaint { try own.up() }
    #expect(said.contains("three plans lack a payer") && said.contains("HINT: run the fix first"))
    #expect(said.contains("CONTEXT: function inline_code_block line 3"))
    // What a function of the database says may quote a row.
    try own.execute(
      "CREATE FUNCTION public.strict() RETURNS int LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'Doe'; END$$")
    try own.write("1_a.sql", up: "SELECT public.strict();")
    let quoted = complaint { try own.up() }
    #expect(!quoted.contains("Doe") && quoted.contains("strict() line 1"))
  }
}
