import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// A tracker says the same as a snapshot of everything, whatever has changed since it last looked.
@Suite("Tracked snapshots") struct SnapshotTrackerTests {
  private let connection: Connection
  /// One that counts all rows of the catalogs, and one that the server's log tells which were written.
  private let trackers: Trackers

  init() throws {
    connection = try TestServer.shared.makeDatabase().connect()
    try connection.execute(SchemaSnapshotTests.roles)
    trackers = try Trackers(connection, server: connection.target.database("postgres"))
  }

  private func expectSame(_ comment: Comment? = nil) throws { try trackers.expectSame(comment) }

  @Test("every change that a snapshot knows is seen", arguments: SchemaSnapshotTests.changes)
  func change(_ change: SchemaSnapshotTests.Change) throws {
    try connection.execute(change.given)
    try expectSame()
    trackers.settle()
    try connection.execute(change.done)
    try expectSame()
  }

  @Test(
    "what is added to what is there from before is read with it, and nothing else",
    arguments: [
      ("", "CREATE TABLE u (a serial PRIMARY KEY, b text UNIQUE CHECK (b <> ''))"),
      ("", "CREATE SCHEMA s; CREATE VIEW s.v AS SELECT 1 AS n; COMMENT ON COLUMN s.v.n IS 'one'"),
      ("", "CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN d AS mood CHECK (VALUE > 'a')"),
      ("CREATE TABLE t (a int, b text)", "CREATE STATISTICS s ON a, b FROM t; CREATE POLICY p ON t"),
      (
        "CREATE TABLE t (a int); CREATE INDEX i ON t (a)",
        "CREATE INDEX j ON t (a); COMMENT ON INDEX i IS 'x'"
      ),
      ("CREATE TABLE t (a int CONSTRAINT c CHECK (a > 0))", "COMMENT ON CONSTRAINT c ON t IS 'x'"),
      ("CREATE TABLE t (a int PRIMARY KEY)", "COMMENT ON COLUMN t.a IS 'x'; COMMENT ON INDEX t_pkey IS 'y'"),
      (
        "CREATE TABLE p (a int PRIMARY KEY) PARTITION BY LIST (a); CREATE TABLE p0 PARTITION OF p DEFAULT",
        "COMMENT ON TABLE p0 IS 'x'; CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)"
      ),
      (
        "CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE u (a int REFERENCES t)",
        // The first key that refers to a table changes the table's own row.
        "CREATE TABLE w (a int REFERENCES t)"
      ),
      ("CREATE TYPE mood AS ENUM ('a')", "ALTER TYPE mood ADD VALUE 'b'"),
      ("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "COMMENT ON FUNCTION f() IS 'x'"),
    ])
  func addition(given: String, added: String) throws {
    try connection.execute(given)
    try expectSame()
    trackers.settle()
    let whole = trackers.wholeReadings
    try connection.execute(added)
    try expectSame()
    #expect(trackers.wholeReadings == whole)
  }

  @Test("what was added and taken away again needs no look at the schema at all")
  func backAgain() throws {
    try connection.execute("CREATE TABLE t (a int)")
    try expectSame()
    trackers.settle()
    let whole = trackers.wholeReadings
    for _ in 1...2 {
      try connection.execute("CREATE TABLE u (a serial PRIMARY KEY); CREATE INDEX ON t (a)")
      try expectSame()
      try connection.execute("DROP TABLE u; DROP INDEX t_a_idx")
      try expectSame()
    }
    #expect(trackers.wholeReadings == whole)
  }

  @Test("what is added in the server's own schema, or to an extension, makes it read everything")
  func farReaching() throws {
    try connection.execute("CREATE TABLE t (a int); CREATE INDEX i ON t (a)")
    try expectSame()
    trackers.settle()
    let whole = trackers.wholeReadings
    try connection.execute("CREATE FUNCTION pg_catalog.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'")
    try expectSame()
    #expect(trackers.wholeReadings == whole.map { $0 + 1 })
    trackers.settle()
    try connection.execute("ALTER EXTENSION plpgsql ADD TABLE t")
    try expectSame()
    trackers.settle()
    // The index of a member goes with it, and is no reason to read everything.
    let before = trackers.wholeReadings
    try connection.execute("CREATE INDEX j ON t (a); CREATE TABLE u (a int)")
    try expectSame()
    #expect(trackers.wholeReadings == before)
  }

  @Test("a session that a migration has ended is opened again")
  func ended() throws {
    try connection.execute(
      """
      CREATE TABLE t (a int); SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    try expectSame()
  }

  /// Statements at random, most of them on what others have made; one that the server refuses changes nothing.
  @Test("whatever comes after whatever, with a settling here and there", arguments: 1...4)
  func random(seed: Int) throws {
    var numbers = RandomNumbers(seed: UInt64(seed))
    for turn in 1...60 {
      let statement = try trackers.change(SnapshotTrackerTests.statements, &numbers)
      try expectSame("seed \(seed), turn \(turn): \(statement)")
      if numbers.oneIn(2) { trackers.settle() }
    }
  }

  static let statements = """
    CREATE TABLE t# (a int PRIMARY KEY, b text DEFAULT 'x', c% int)
    DROP TABLE t# CASCADE
    CREATE TABLE s@.t# (a serial, c% int UNIQUE)
    CREATE SCHEMA s@
    DROP SCHEMA s@ CASCADE
    ALTER SCHEMA s@ RENAME TO s@
    ALTER TABLE t# RENAME TO t#
    ALTER TABLE t# RENAME c% TO c%
    ALTER TABLE t# ADD c% int
    ALTER TABLE t# DROP c% CASCADE
    ALTER TABLE t# ALTER c% TYPE bigint
    ALTER TABLE t# ALTER c% SET DEFAULT %
    ALTER TABLE t# ALTER c% DROP DEFAULT
    ALTER TABLE t# ADD CONSTRAINT k% CHECK (a > %)
    ALTER TABLE t# DROP CONSTRAINT k%
    ALTER TABLE t# ADD CONSTRAINT f% FOREIGN KEY (c%) REFERENCES t# (a)
    ALTER TABLE t# SET SCHEMA s@
    CREATE INDEX i# ON t# (c%)
    DROP INDEX i#
    ALTER INDEX i# RENAME TO i#
    CREATE VIEW v# AS SELECT a, c% FROM t#
    DROP VIEW v# CASCADE
    CREATE OR REPLACE VIEW v# AS SELECT a FROM t#
    CREATE MATERIALIZED VIEW m% AS SELECT * FROM v#
    CREATE TYPE e@ AS ENUM ('a')
    ALTER TYPE e@ ADD VALUE '%'
    ALTER TYPE e@ RENAME TO e@
    DROP TYPE e@ CASCADE
    ALTER TABLE t# ADD c% e@
    CREATE OR REPLACE FUNCTION f@() RETURNS int LANGUAGE sql AS 'SELECT %'
    CREATE FUNCTION f@(t#) RETURNS int LANGUAGE sql AS 'SELECT %'
    DROP FUNCTION f@ CASCADE
    ALTER TABLE t# ALTER c% SET DEFAULT f@()
    COMMENT ON TABLE t# IS '%'
    COMMENT ON COLUMN t#.c% IS NULL
    COMMENT ON COLUMN t#.c% IS '%'
    GRANT SELECT ON t# TO snapshot_reader
    REVOKE ALL ON t# FROM snapshot_reader
    ALTER TABLE t# ENABLE ROW LEVEL SECURITY
    CREATE POLICY p% ON t# USING (a > %)
    DROP POLICY p% ON t#
    CREATE TABLE p@ (a int, c% int) PARTITION BY LIST (a)
    CREATE TABLE t# PARTITION OF p@ FOR VALUES IN (%)
    ALTER TABLE p@ ATTACH PARTITION t# FOR VALUES IN (%)
    ALTER TABLE p@ DETACH PARTITION t#
    DROP TABLE p@ CASCADE
    CREATE TABLE t# (e int) INHERITS (t#)
    CREATE SEQUENCE q@
    ALTER SEQUENCE q@ OWNED BY t#.c%
    CREATE TRIGGER g% BEFORE UPDATE ON t# EXECUTE FUNCTION suppress_redundant_updates_trigger()
    DROP TRIGGER g% ON t#
    ALTER TABLE t# DISABLE TRIGGER g%
    CREATE STATISTICS x% ON a, c% FROM t#
    INSERT INTO t# (a) VALUES (#)
    ANALYZE
    VACUUM t#
    CREATE TABLE t# AS SELECT % AS a, # AS c1
    ALTER TABLE t# CLUSTER ON i#
    ALTER TABLE t# REPLICA IDENTITY USING INDEX i#
    CREATE DOMAIN d@ AS int CHECK (VALUE > %)
    ALTER DOMAIN d@ ADD CONSTRAINT k% CHECK (VALUE < 100%)
    ALTER TABLE t# ADD c% d@
    DROP DOMAIN d@ CASCADE
    CREATE PUBLICATION u@ FOR TABLE t#
    DROP PUBLICATION u@
    ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO snapshot_reader
    REINDEX TABLE t#
    VACUUM FULL pg_class
    BEGIN; CREATE TABLE t# (a int); ROLLBACK
    """.split(separator: "\n")
}
