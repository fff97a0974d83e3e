import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// In a server of its own a tracker looks only at what was written, and misses nothing.
@Suite("Snapshots by the server's log") struct CatalogLogTests {
  /// Runs a test with a database of a server that nobody else uses.
  private func withServer(_ body: (Connection, Trackers) throws -> Void) throws {
    try ShadowServer.withServer(.embedded) { server in
      try server.withDatabase { connection in
        try connection.execute(SchemaSnapshotTests.roles)
        try body(connection, try Trackers(connection, server: server.target))
      }
    }
  }

  @Test("all rows of the catalogs are counted once, and then those of pages that were written")
  func once() throws {
    try withServer { connection, trackers in
      for number in 1...20 {
        try connection.execute("CREATE TABLE t\(number) (a serial PRIMARY KEY, b text DEFAULT 'x')")
        try trackers.expectSame()
        try connection.execute("DROP TABLE t\(number)")
        try trackers.expectSame()
        try connection.execute("CREATE TABLE t\(number) (a serial PRIMARY KEY, b text DEFAULT 'x')")
        try trackers.expectSame()
        trackers.settle()
      }
      #expect(trackers.logged.wholeCounts == 1)
      #expect(trackers.counting.wholeCounts == 61)
      #expect(trackers.wholeReadings == [1, 1])
    }
  }

  @Test(
    "what is changed in a way that only it is described by is read with what goes with it, and nothing else")
  func ownChange() throws {
    try ShadowServer.withServer(.embedded) { server in
      _ = try server.withDatabase { try $0.execute(SchemaSnapshotTests.roles) }
      for (given, changed) in CatalogLogTests.ownChanges {
        try server.withDatabase { connection in
          let trackers = try Trackers(connection, server: server.target)
          try connection.execute(given)
          try trackers.expectSame()
          trackers.settle()
          let whole = trackers.logged.wholeReadings
          try connection.execute(changed)
          try trackers.expectSame("\(changed)")
          #expect(trackers.logged.wholeReadings == whole, "\(changed)")
          #expect(trackers.logged.wholeCounts == 1)
        }
      }
    }
  }

  @Test("what is renamed is read with all that may name it")
  func renamed() throws {
    try withServer { connection, trackers in
      try connection.execute("CREATE TABLE t (a int); CREATE VIEW v AS SELECT a FROM t")
      try trackers.expectSame()
      trackers.settle()
      let whole = trackers.logged.wholeReadings
      for (number, change) in ["TABLE t RENAME TO u", "TABLE u RENAME a TO b", "VIEW v RENAME TO w"]
        .enumerated()
      {
        try connection.execute("ALTER \(change)")
        try trackers.expectSame()
        #expect(trackers.logged.wholeReadings == whole + 1 + number)
      }
    }
  }

  @Test("what another session has begun is seen when it commits, however long that takes")
  func open() throws {
    try withServer { connection, trackers in
      let other = try connection.another()
      try other.execute("BEGIN; CREATE TABLE t (a int); CREATE ROLE later")
      for _ in 1...3 { try trackers.expectSame() }
      trackers.settle()
      try trackers.expectSame()
      try other.execute("ALTER TABLE t ADD b int")
      try trackers.expectSame()
      try other.execute("GRANT SELECT ON t TO later; COMMIT")
      try trackers.expectSame()
      try other.execute("BEGIN; DROP TABLE t; ALTER ROLE later RENAME TO last")
      try trackers.expectSame()
      try other.execute("ROLLBACK")
      try trackers.expectSame()
      try other.execute("BEGIN; DROP TABLE t")
      trackers.settle()
      try trackers.expectSame()
      try other.execute("COMMIT")
      try trackers.expectSame()
    }
  }

  @Test("where the log cannot be read any more, all is counted again")
  func unreadable() throws {
    try ShadowServer.withServer(.embedded) { server in
      try server.withDatabase { connection in
        let trackers = try Trackers(connection, server: server.target)
        try connection.execute("CREATE TABLE t (a int)")
        try trackers.expectSame()
        trackers.settle()
        #expect(trackers.logged.wholeCounts == 1)
        try Connection(to: server.target).execute("DROP EXTENSION pg_walinspect")
        for number in 1...2 {
          try connection.execute("ALTER TABLE t ADD b\(number) int; CREATE TABLE u\(number) (a int)")
          try trackers.expectSame()
          #expect(trackers.logged.wholeCounts == 1 + number)
        }
      }
    }
  }

  @Test("whatever comes after whatever, roles and catalogs themselves among it", arguments: 1...3)
  func random(seed: Int) throws {
    try withServer { connection, trackers in
      try connection.execute("CREATE ROLE r1; CREATE ROLE r2")
      let other = try connection.another()
      var numbers = RandomNumbers(seed: UInt64(seed))
      for turn in 1...150 {
        let statement = try trackers.change(
          numbers.oneIn(3) ? CatalogLogTests.statements : SnapshotTrackerTests.statements, &numbers)
        if numbers.oneIn(12), !other.isInTransaction {
          try other.execute("BEGIN; CREATE TABLE other\(turn) (a serial PRIMARY KEY)")
        } else if numbers.oneIn(4), other.isInTransaction {
          try other.execute(numbers.oneIn(2) ? "COMMIT" : "ROLLBACK")
        }
        try trackers.expectSame("seed \(seed), turn \(turn): \(statement)")
        if numbers.oneIn(2) { trackers.settle() }
      }
    }
  }

  private static let statements = """
    ALTER ROLE r@ RENAME TO r#
    COMMENT ON ROLE r@ IS '%'
    COMMENT ON DATABASE postgres IS '%'
    GRANT SELECT (a) ON t# TO r@
    GRANT USAGE ON SCHEMA s@ TO r@ WITH GRANT OPTION
    ALTER TABLE t# OWNER TO r@
    ALTER SCHEMA s@ OWNER TO r@
    REASSIGN OWNED BY r@ TO r#
    DROP OWNED BY r@
    ALTER DEFAULT PRIVILEGES FOR ROLE r@ GRANT SELECT ON TABLES TO PUBLIC
    COMMENT ON SCHEMA s@ IS '%'
    COMMENT ON INDEX i# IS '%'
    COMMENT ON CONSTRAINT k% ON t# IS '%'
    VACUUM
    VACUUM FULL
    VACUUM FREEZE
    CHECKPOINT
    REINDEX TABLE pg_class
    CLUSTER pg_depend USING pg_depend_depender_index
    SET allow_system_table_mods = on; UPDATE pg_class SET reloptions = '{fillfactor=%0}' WHERE relname = 't#'
    SET allow_system_table_mods = on; DELETE FROM pg_description WHERE description = '%'
    SET track_counts = off; CREATE TABLE t# (a int, c% int)
    SET synchronous_commit = off; CREATE TABLE t# (a int, c% int)
    BEGIN; SAVEPOINT a; CREATE TABLE t# (a int); ROLLBACK TO a; CREATE TABLE t# (c% int, a int); COMMIT
    CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA s@
    DROP EXTENSION IF EXISTS pg_trgm CASCADE
    CREATE SERVER f@ FOREIGN DATA WRAPPER w
    CREATE FOREIGN DATA WRAPPER w
    DROP FOREIGN DATA WRAPPER w CASCADE
    CREATE CAST (t# AS int) WITH FUNCTION f@(t#)
    CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)
    CREATE AGGREGATE g@(int) (SFUNC = int4pl, STYPE = int)
    CREATE TEXT SEARCH CONFIGURATION c@ (COPY = simple)
    CREATE EVENT TRIGGER e@ ON ddl_command_end EXECUTE FUNCTION h()
    CREATE FUNCTION h() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'
    DROP FUNCTION h() CASCADE
    ALTER TABLE t# ADD c% int GENERATED ALWAYS AS IDENTITY
    """.split(separator: "\n")
}
