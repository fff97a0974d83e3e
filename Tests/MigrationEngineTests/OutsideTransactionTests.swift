import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// What PostgreSQL refuses in a transaction.
@Suite("A migration that no transaction can hold")
struct OutsideTransactionTests {
  private let own: OwnMigrations

  init() throws {
    own = try OwnMigrations()
    try own.write(
      "1_a.sql", up: "CREATE TABLE a (n int); INSERT INTO a VALUES (1), (1);", down: "DROP TABLE a;")
  }

  private func indexes() throws -> String? {
    try own.database.value(
      "SELECT string_agg(indexrelid::regclass || ':' || indisvalid, ' ' ORDER BY 1) FROM pg_index WHERE indrelid = 'a'::regclass"
    )
  }

  @Test("is found by itself, also on the way back")
  func concurrently() throws {
    try own.write(
      "2_index.sql", up: "CREATE INDEX CONCURRENTLY a_n_idx ON a (n);",
      down: "DROP INDEX CONCURRENTLY a_n_idx;")
    #expect(try own.up() == ["1", "2"])
    #expect(try indexes() == "a_n_idx:true")
    #expect(try own.down() == ["2"])
    #expect(try indexes() == nil)
    #expect(try own.states() == "1:applied")
    #expect(try own.database.value("SELECT count(*) FROM rivulet.migration_statement") == "0")
  }

  @Test("leaves no invalid index behind when it fails, and goes on when its cause is fixed")
  func failed() throws {
    try own.write(
      "2_index.sql",
      up: """
        CREATE TABLE b (n int);
        CREATE UNIQUE INDEX CONCURRENTLY "A key" ON a (n);
        CREATE TABLE c (n int);
        """, down: "DROP TABLE c; DROP INDEX \"A key\"; DROP TABLE b;")
    #expect(complaint { try own.up() }.hasPrefix("2_index.sql:3:1: ERROR 23505"))
    #expect(try indexes() == nil)
    #expect(try own.states() == "1:applied 2:partial")
    #expect(try own.tables() == "ab")
    try own.execute("DELETE FROM a")
    #expect(try own.up() == ["2"])
    #expect(try own.states() == "1:applied 2:applied")
    #expect(try indexes() == "\"A key\":true")
    #expect(try own.tables() == "abc")
  }

  @Test("drops the invalid index that a killed one has left")
  func invalid() throws {
    #expect(try own.up() == ["1"])
    try own.write("2_index.sql", up: "CREATE UNIQUE INDEX CONCURRENTLY Ä_Key ON a (n);")
    // What a server leaves that is stopped in the middle; of a name it folds only the letters of ASCII.
    #expect(throws: PostgreSQLError.self) {
      try own.execute("CREATE UNIQUE INDEX CONCURRENTLY Ä_Key ON a (n)")
    }
    #expect(try indexes() == "\"Ä_key\":false")
    try own.execute(
      "INSERT INTO rivulet.migration_statement VALUES ('versioned', '2', 'index', 'up', 1, 'x', 'started')")
    try own.execute("DELETE FROM a")
    #expect(try own.up() == ["2"])
    #expect(try indexes() == "\"Ä_key\":true")
  }

  @Test("finishes what a killed one has left half detached")
  func detach() throws {
    try own.execute(
      "CREATE TABLE p (n int) PARTITION BY LIST (n); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)")
    try own.write("2_detach.sql", up: "ALTER TABLE p DETACH PARTITION p1 CONCURRENTLY;\nVACUUM p1;")
    // Who has seen the partition keeps the second half waiting.
    let holder = try own.database.connect()
    try holder.execute("BEGIN; SELECT FROM p")
    #expect(throws: MigrationError.self) { try own.up { $0.lockWait = 0.5 } }
    try holder.execute("COMMIT")
    #expect(try own.database.value("SELECT inhdetachpending FROM pg_inherits") == "t")
    #expect(try own.up() == ["2"])
    #expect(try own.database.value("SELECT count(*) FROM pg_inherits") == "0")
  }

  @Test("drops what a killed rebuild of a table's indexes has left")
  func rebuild() throws {
    #expect(try own.up() == ["1"])
    try own.execute("CREATE INDEX a_idx ON a (n)")
    try own.write("2_rebuild.sql", up: "REINDEX TABLE CONCURRENTLY a;")
    let holder = try own.database.connect()
    try holder.execute("BEGIN; LOCK TABLE a IN ROW EXCLUSIVE MODE")
    #expect(throws: MigrationError.self) { try own.up { $0.lockWait = 0.5 } }
    try holder.execute("COMMIT")
    #expect(try own.up() == ["2"])
    #expect(try indexes() == "a_idx:true")
  }

  @Test("is missed when its file is gone while it is done in part")
  func fileGone() throws {
    try own.write("2_b.sql", up: "VACUUM a;\nCREATE TABLE b (n nothing);")
    #expect(throws: MigrationError.self) { try own.up() }
    try FileManager.default.removeItem(atPath: own.scratch.path + "/2_b.sql")
    #expect(complaint { try own.up() }.contains("have no file any more: 2 b"))
  }

  @Test("that is repeatable is shown as done in part, and can be brought into step")
  func repeatable() throws {
    #expect(try own.up() == ["1"])
    let good = "CREATE OR REPLACE VIEW v AS SELECT 1 AS n;"
    try own.scratch.write("R_v.sql", good)
    #expect(try own.up() == ["v"])
    try own.scratch.write("R_v.sql", "CREATE OR REPLACE VIEW v AS SELECT 2 AS n;\nVACUUM a;\nSELECT 1 / 0;")
    #expect(throws: MigrationError.self) { try own.up() }
    try own.scratch.write("R_v.sql", good)
    #expect(try own.states() == "1:applied v:partial")
    #expect(try own.engine().status().isInStep == false)
    #expect(try own.engine().repair("R_v", .acceptFile) != nil)
    try own.scratch.write("R_v.sql", "CREATE OR REPLACE VIEW v AS SELECT 3 AS n;\nVACUUM a;")
    #expect(try own.up() == ["v"])
    #expect(try own.states() == "1:applied v:applied")
  }

  @Test("sets a path by a function for what comes after it, also when it goes on later")
  func setConfig() throws {
    let head =
      "SELECT pg_catalog.set_config('search_path', 'app', false);\nCREATE SCHEMA IF NOT EXISTS app;\nVACUUM public.a;\n"
    try own.write("2_w.sql", up: head + "CREATE TABLE w (n nothing);")
    #expect(throws: MigrationError.self) { try own.up() }
    try own.write("2_w.sql", up: head + "CREATE TABLE w (n int);")
    #expect(try own.up() == ["2"])
    #expect(try own.database.value("SELECT schemaname FROM pg_tables WHERE tablename = 'w'") == "app")
  }

  @Test(
    "is refused where it holds what means nothing there",
    arguments: ["SET LOCAL search_path = x", "SAVEPOINT s", "LOCK TABLE a"])
  func idle(statement: String) throws {
    try own.write("2_b.sql", up: "VACUUM a;\n\(statement);")
    #expect(complaint { try own.up() }.contains(".sql:3:"))
    #expect(try own.states() == "1:applied")
  }

  @Test("is left out of a dry run with what needs it, the server's own refusals too")
  func dryRunOfDependents() throws {
    try own.write("2_index.sql", up: "CREATE UNIQUE INDEX CONCURRENTLY a_key ON a (n);")
    try own.write("3_key.sql", up: "ALTER TABLE a ADD CONSTRAINT a_unique UNIQUE USING INDEX a_key;")
    try own.scratch.write(
      "4_call.sql", "-- rivulet:up transaction=off\nDO $$ BEGIN COMMIT; END $$;\nCREATE TABLE c (n int);")
    let left = try own.engine().dryRun(.natural).map(\.unexecuted.count)
    #expect(left == [0, 1, 1, 1])
    #expect(try own.tables() == nil)
  }

  @Test("takes a statement for done that was killed after it was done and before that was recorded")
  func unnoted() throws {
    #expect(try own.up() == ["1"])
    try own.write("2_index.sql", up: "CREATE INDEX CONCURRENTLY a_n_idx ON a (n);\nCREATE TABLE b (n int);")
    try own.execute(
      """
      CREATE INDEX a_n_idx ON a (n);
      INSERT INTO rivulet.migration_statement VALUES ('versioned', '2', 'index', 'up', 1, 'x', 'started');
      """)
    #expect(try own.states() == "1:applied 2:partial")
    #expect(try own.up() == ["2"])
    #expect(try own.tables() == "ab")
  }

  @Test("does not take an index for its own that was there before")
  func foreignIndex() throws {
    #expect(try own.up() == ["1"])
    try own.execute("CREATE INDEX a_n_idx ON a (n)")
    try own.write("2_index.sql", up: "CREATE INDEX CONCURRENTLY a_n_idx ON a (n);")
    for _ in 1...2 {
      #expect(complaint { try own.up() }.contains("42P07"))
    }
  }

  @Test("may be fixed behind the statements that are done, and not in them")
  func fixed() throws {
    #expect(try own.up() == ["1"])
    try own.write("2_b.sql", up: "CREATE TABLE b (n int);\nVACUUM a;\nCREATE TABLE nowhere.c (n int);")
    #expect(throws: MigrationError.self) { try own.up() }
    try own.write("2_b.sql", up: "CREATE TABLE b (n bigint);\nVACUUM a;\nCREATE TABLE c (n int);")
    #expect(complaint { try own.up() }.contains("and statement 1, which is done, has been edited"))
    try own.write("2_b.sql", up: "CREATE TABLE b (n int);\nVACUUM a;\nCREATE TABLE c (n int);")
    #expect(try own.up() == ["2"])
    #expect(try own.tables() == "abc")
  }

  @Test("keeps its settings for the statements after them, also when it goes on later, and for nobody else")
  func settings() throws {
    try own.write(
      "2_b.sql",
      up: "SET search_path = other;\nCREATE SCHEMA other;\nVACUUM public.a;\nCREATE TABLE b (n nothing);",
      down: "DROP SCHEMA other CASCADE;")
    #expect(throws: MigrationError.self) { try own.up() }
    try own.write(
      "2_b.sql",
      up: "SET search_path = other;\nCREATE SCHEMA other;\nVACUUM public.a;\nCREATE TABLE b (n int);",
      down: "DROP SCHEMA other CASCADE;")
    try own.write("3_c.sql", up: "CREATE TABLE c (n int);")
    #expect(try own.up() == ["2", "3"])
    #expect(
      try own.database.value(
        "SELECT to_regclass('other.b') IS NOT NULL AND to_regclass('public.c') IS NOT NULL") == "t")
  }

  @Test("may take on a role that knows nothing of the journal, and set how long it waits for locks")
  func role() throws {
    try own.execute("GRANT CREATE ON SCHEMA public TO pg_monitor")
    try own.write(
      "2_b.sql",
      up: """
        SET ROLE pg_monitor;
        SET lock_timeout = '7s';
        CREATE TABLE b AS SELECT current_setting('lock_timeout') AS t;
        CREATE INDEX CONCURRENTLY b_idx ON b (t);
        INSERT INTO b VALUES (current_setting('lock_timeout'));
        """, down: "DROP TABLE b;")
    #expect(try own.up() == ["1", "2"])
    #expect(try own.database.value("SELECT string_agg(t, ' ') FROM b") == "7s 7s")
    #expect(try own.database.value("SELECT tableowner FROM pg_tables WHERE tablename = 'b'") == "pg_monitor")
  }

  @Test("is rehearsed from where it stopped")
  func dryRunOfTheRest() throws {
    try own.write("2_b.sql", up: "CREATE TABLE b (n int);\nVACUUM a;\nCREATE TABLE nowhere.c (n int);")
    #expect(throws: MigrationError.self) { try own.up() }
    try own.write("2_b.sql", up: "CREATE TABLE b (n int);\nVACUUM a;\nCREATE TABLE c (n int);")
    #expect(try own.engine().dryRun(.natural).map(\.unexecuted) == [[]])
    #expect(try own.tables() == "ab")
  }

  @Test("runs so where its file asks for it, each statement for good")
  func asked() throws {
    try own.scratch.write(
      "2_b.sql",
      "-- rivulet:up transaction=off\nCREATE TABLE b (n int);\nSELECT 1 / 0;\n-- rivulet:down\nDROP TABLE b;")
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(try own.tables() == "ab")
    #expect(try own.states() == "1:applied 2:partial")
  }

  @Test("that is done in part keeps the way back shut, and one reverted in part the way forward")
  func underWay() throws {
    try own.write(
      "2_b.sql", up: "CREATE TABLE b (n int);\nVACUUM a;\nCREATE TABLE c (n int);",
      down: "DROP TABLE c;\nVACUUM a;\nDROP TABLE b;")
    try own.execute("CREATE TABLE c (n int)")
    #expect(throws: MigrationError.self) { try own.up() }
    #expect(throws: (MigrationError).self) { try own.down() }
    try own.execute("DROP TABLE c")
    #expect(try own.up() == ["2"])
    try own.execute("CREATE VIEW v AS SELECT n FROM b")
    #expect(throws: MigrationError.self) { try own.down() }
    #expect(try own.states() == "1:applied 2:partial")
    #expect(complaint { try own.up() }.contains("reverted in part"))
    try own.execute("DROP VIEW v")
    #expect(try own.down() == ["2"])
    #expect(try own.tables() == "a")
    #expect(try own.up() == ["2"])
  }

  @Test("may hold what only the server knows, where its file asks to run outside one")
  func onlyTheServerKnows() throws {
    try own.scratch.write(
      "2_b.sql",
      """
      -- rivulet:up transaction=off
      CREATE TABLE p (n int PRIMARY KEY) PARTITION BY LIST (n);
      CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);
      REINDEX TABLE p;
      CREATE PROCEDURE fill() LANGUAGE plpgsql AS 'BEGIN INSERT INTO p VALUES (1); COMMIT; END';
      CALL fill();
      SELECT 1 / 0;
      """)
    for _ in 1...2 {
      #expect(complaint { try own.up() }.contains(".sql:7:"))
    }
    #expect(try own.database.value("SELECT count(*) FROM p") == "1")
  }

  @Test("waits only briefly for a lock that others would queue behind")
  func vacuumFull() throws {
    #expect(try own.up() == ["1"])
    try own.write("2_full.sql", up: "VACUUM FULL a;")
    let holder = try own.database.connect()
    try holder.execute("SET idle_in_transaction_session_timeout = '120s'; BEGIN; SELECT FROM a")
    var reports: [String] = []
    let applied = try own.up {
      ($0.lockTimeout, $0.lockWait) = ("100ms", 120)
      $0.tell = {
        reports.append($0)
        // It gets the lock once it has tried twice in vain.
        if reports.count == 2 { _ = try? holder.execute("COMMIT") }
      }
    }
    #expect(applied == ["2"] && reports.count >= 2)
    #expect(reports.allSatisfy { $0.contains("a lock was not granted in time") }, "\(reports)")

    // It does not wait longer than it may.
    try own.write("3_full.sql", up: "VACUUM FULL a;")
    try holder.execute("BEGIN; SELECT FROM a")
    #expect(complaint { try own.up { ($0.lockTimeout, $0.lockWait) = ("100ms", 1) } }.contains("55P03"))
    try holder.execute("COMMIT")
    #expect(try own.up() == ["3"])
  }

  @Test("is refused where all shall be one transaction, before anything is done")
  func singleTransaction() throws {
    try own.write("2_vacuum.sql", up: "VACUUM a;")
    #expect(
      complaint { try own.up { $0.isSingleTransaction = true } }
        .hasPrefix("no transaction can hold all statements of 2 vacuum: "))
    #expect(try own.tables() == nil)
  }

  @Test("is left out of a dry run, which says so and keeps nothing")
  func dryRun() throws {
    try own.write(
      "2_b.sql", up: "CREATE TABLE b (n int);\nCREATE INDEX CONCURRENTLY b_idx ON b (n);",
      verify: "SELECT 'b_idx'::regclass;")
    try own.write("3_c.sql", up: "CREATE TABLE c AS SELECT n FROM b;")
    let steps = try own.engine().dryRun(.natural)
    #expect(steps.map(\.version) == ["1", "2", "3"])
    #expect(steps[1].unexecuted.count == 1)
    #expect(steps[1].unexecuted[0].hasSuffix("2_b.sql:3: CREATE INDEX CONCURRENTLY b_idx ON b (n)"))
    #expect(try own.tables() == nil)
    #expect(try own.database.value("SELECT to_regnamespace('rivulet')") == nil)
    try own.write("4_d.sql", up: "CREATE TABLE d AS SELECT m FROM b;")
    #expect(complaint { try own.engine().dryRun(.natural) }.contains(".sql:2:"))
  }
}
