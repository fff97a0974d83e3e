import PostgreSQL
import SQLText
import TestSupport
import Testing

@testable import MigrationEngine

/// What we say of statements inside a transaction, and what the server does.
@Suite("Statements that no transaction holds")
struct RefusedInTransactionTests {
  /// Whether the server refuses a statement inside a transaction because of the transaction.
  private func isRefused(_ sql: String, _ connection: Connection, after first: String = "") throws -> Bool {
    try connection.execute("BEGIN;" + first)
    defer { _ = try? connection.execute("ROLLBACK") }
    do throws(PostgreSQLError) {
      try connection.execute(sql)
      return false
    } catch {
      return error.sqlState == "25001"
    }
  }

  private func connection() throws -> Connection {
    let connection = try TestServer.shared.makeDatabase().connect()
    try connection.execute(
      """
      CREATE TABLE t (n int PRIMARY KEY, concurrently_x int); CREATE TABLE concurrently_x (n int);
      CREATE INDEX i ON t (concurrently_x);
      CREATE TABLE schema (n int); CREATE TABLE tablespace (n int); CREATE TABLE "CONCURRENTLY" (n int);
      CREATE TABLE parted (n int PRIMARY KEY) PARTITION BY RANGE (n);
      CREATE TABLE part PARTITION OF parted FOR VALUES FROM (1) TO (2); CREATE TABLE detach (n int);
      CREATE MATERIALIZED VIEW m AS SELECT n FROM t; CREATE UNIQUE INDEX ON m (n);
      CREATE TYPE e AS ENUM ('a');
      """)
    try connection.execute("CLUSTER t USING t_pkey")
    return connection
  }

  /// Compares what we say with what the server does; gives how many statements it refuses.
  private func compare(_ statements: [String], _ connection: Connection, after first: String = "") throws
    -> Int
  {
    var refused = 0
    for sql in statements {
      let statement = try #require(try SQLScript(sql).statements.first)
      let found = try isRefused(sql, connection, after: first)
      #expect(
        statement.isRefusedInTransaction == found, "\(sql): the server \(found ? "refuses" : "takes") it")
      refused += found ? 1 : 0
    }
    return refused
  }

  @Test("are those that the server refuses, and near misses are none")
  func agree() throws {
    let refused = try compare(Self.statements, connection())
    // A server that refuses nothing, or everything, proves nothing.
    #expect(refused > 30 && refused < Self.statements.count - 30)
  }

  @Test("of a subscription are those that the server refuses")
  func subscriptions() throws {
    let connection = try connection()
    try connection.execute(
      "CREATE SUBSCRIPTION \(Self.subscription) CONNECTION '' PUBLICATION p WITH (connect = false)")
    defer {
      _ = try? connection.execute("ALTER SUBSCRIPTION \(Self.subscription) SET (slot_name = NONE)")
      _ = try? connection.execute("DROP SUBSCRIPTION \(Self.subscription)")
    }
    // Enabled in the same transaction only, so that nobody tries to reach the publisher.
    _ = try compare(Self.subscriptions, connection, after: "ALTER SUBSCRIPTION \(Self.subscription) ENABLE")
  }

  @Test(
    "and depend on the catalog are the server's to refuse",
    arguments: [
      "REINDEX TABLE parted", "REINDEX INDEX parted_pkey", "CLUSTER parted USING parted_pkey", "DISCARD ALL",
    ])
  func unknown(sql: String) throws {
    #expect(try isRefused(sql, connection()))
    #expect(try #require(try SQLScript(sql).statements.first).isRefusedInTransaction == false)
  }

  private static let statements = [
    "VACUUM", "VACUUM t", "VACUUM (ANALYZE) t", "vacuum full t", "ANALYZE t", "ANALYZE VERBOSE", "CHECKPOINT",
    "CREATE DATABASE d", "CREATE DATABASE d TEMPLATE template0", "DROP DATABASE d",
    "DROP DATABASE IF EXISTS d", "DROP DATABASE d WITH (FORCE)", "CREATE TABLESPACE s LOCATION '/nowhere'",
    "DROP TABLESPACE s", "ALTER TABLESPACE pg_default RESET (seq_page_cost)",
    "ALTER DATABASE d SET TABLESPACE pg_default", "ALTER DATABASE d TABLESPACE pg_default",
    "ALTER DATABASE d WITH TABLESPACE = pg_default", "ALTER DATABASE postgres CONNECTION LIMIT 5",
    "ALTER DATABASE postgres SET default_tablespace = ''", "ALTER DATABASE tablespace SET work_mem = '4MB'",
    "ALTER DATABASE d OWNER TO tablespace", "CREATE INDEX CONCURRENTLY ON t (n)",
    "CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON t (n)", "CREATE UNIQUE INDEX CONCURRENTLY a ON t (n)",
    "create /* ; */ index\n-- a\nconcurrently a on t (n)", "CREATE INDEX concurrently_x ON t (n)",
    "CREATE INDEX a ON concurrently_x (n)", "CREATE INDEX a ON t (concurrently_x)",
    "CREATE INDEX /* CONCURRENTLY */ a ON t (n)",
    "CREATE INDEX a ON \"CONCURRENTLY\" (n) WHERE n::text <> 'CONCURRENTLY'",
    "CREATE INDEX \"concurrently\" ON t (n)", "DROP INDEX CONCURRENTLY i",
    "DROP INDEX CONCURRENTLY IF EXISTS i", "DROP INDEX i", "DROP INDEX IF EXISTS concurrently_x",
    "DROP TABLE \"CONCURRENTLY\"", "REINDEX INDEX i", "REINDEX INDEX CONCURRENTLY i", "REINDEX TABLE t",
    "REINDEX TABLE CONCURRENTLY t", "REINDEX (VERBOSE) TABLE t", "REINDEX (CONCURRENTLY) TABLE t",
    "REINDEX (VERBOSE, CONCURRENTLY) INDEX i", "REINDEX (CONCURRENTLY true) TABLE t",
    "REINDEX (CONCURRENTLY false) TABLE t", "REINDEX (CONCURRENTLY 0, VERBOSE) TABLE t",
    "REINDEX (CONCURRENTLY off) TABLE t", "REINDEX SCHEMA public", "REINDEX SCHEMA CONCURRENTLY public",
    "REINDEX (VERBOSE) SCHEMA public", "REINDEX DATABASE postgres", "REINDEX SYSTEM postgres",
    "REINDEX TABLE schema", "REINDEX TABLE concurrently_x", "REINDEX TABLE \"CONCURRENTLY\"", "CLUSTER",
    "CLUSTER VERBOSE", "CLUSTER t", "CLUSTER t USING t_pkey", "CLUSTER VERBOSE t", "CLUSTER (VERBOSE) t",
    "CLUSTER t_pkey ON t", "ALTER SYSTEM SET work_mem = '4MB'", "ALTER SYSTEM RESET ALL",
    "ALTER TABLE parted DETACH PARTITION part CONCURRENTLY",
    "ALTER TABLE IF EXISTS ONLY parted DETACH PARTITION part CONCURRENTLY",
    "ALTER TABLE parted DETACH PARTITION part", "ALTER TABLE parted DETACH PARTITION part FINALIZE",
    "ALTER TABLE parted ATTACH PARTITION t DEFAULT", "ALTER TABLE detach RENAME TO \"CONCURRENTLY2\"",
    "ALTER TABLE detach ADD COLUMN system int", "ALTER TYPE e ADD VALUE 'b'",
    "ALTER TYPE e ADD VALUE 'CONCURRENTLY'", "REFRESH MATERIALIZED VIEW m",
    "REFRESH MATERIALIZED VIEW CONCURRENTLY m", "CREATE TABLE database (n int)",
    "CREATE TABLE vacuum (n int)", "COMMENT ON TABLE t IS 'VACUUM; CREATE DATABASE'",
    "ALTER TABLE t SET (fillfactor = 90)", "ALTER TABLE t SET TABLESPACE pg_default",
    "ALTER INDEX i SET TABLESPACE pg_default", "ALTER TABLE tablespace ADD system int",
    "ALTER TABLE ALL IN TABLESPACE pg_default SET TABLESPACE pg_default", "DISCARD PLANS", "DISCARD TEMP",
    "DO $$ BEGIN PERFORM 'VACUUM'; END $$", "LOCK TABLE t", "TRUNCATE t", "DROP OWNED BY CURRENT_USER",
    "LISTEN vacuum", "SET work_mem = '4MB'", "GRANT CREATE ON TABLESPACE pg_default TO PUBLIC",
    "CREATE EXTENSION IF NOT EXISTS plpgsql",
  ]

  /// Subscriptions' names are the whole cluster's.
  private static let subscription = "refused_in_transaction"

  private static let subscriptions = [
    "CREATE SUBSCRIPTION s2 CONNECTION 'dbname=nowhere' PUBLICATION p",
    "CREATE SUBSCRIPTION s2 CONNECTION '' PUBLICATION p WITH (create_slot = true)",
    "CREATE SUBSCRIPTION s2 CONNECTION '' PUBLICATION p WITH (create_slot)",
    "CREATE SUBSCRIPTION s2 CONNECTION '' PUBLICATION p WITH (connect = false)",
    "CREATE SUBSCRIPTION s2 CONNECTION '' PUBLICATION p WITH (enabled = false, connect = off)",
    "CREATE SUBSCRIPTION s2 CONNECTION '' PUBLICATION p WITH (create_slot = 'false')",
    "ALTER SUBSCRIPTION \(subscription) REFRESH PUBLICATION",
    "ALTER SUBSCRIPTION \(subscription) OWNER TO CURRENT_USER",
    "ALTER SUBSCRIPTION \(subscription) SET PUBLICATION q",
    "ALTER SUBSCRIPTION \(subscription) SET PUBLICATION q WITH (refresh = false)",
    "ALTER SUBSCRIPTION \(subscription) ADD PUBLICATION q WITH (refresh = false)",
    "ALTER SUBSCRIPTION \(subscription) DISABLE", "ALTER SUBSCRIPTION \(subscription) SET (binary = true)",
    "ALTER SUBSCRIPTION \(subscription) CONNECTION 'dbname=elsewhere'", "DROP SUBSCRIPTION \(subscription)",
  ]
}
