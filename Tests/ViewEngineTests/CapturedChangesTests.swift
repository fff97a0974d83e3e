import Foundation
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

@testable import Definitions

/// What is remembered of changes, and what it costs those who make them.
@Suite("Changes of what a view reads")
struct CapturedChangesTests {
  private static let view = "mart.by_owner"

  private static let select = """
    SELECT k.owner, count(*) AS items, sum(i.amount) AS amount
    FROM {keys} k JOIN app.item i ON (i.owner = k.owner OR i.owner IS NULL AND k.owner IS NULL) GROUP BY 1
    """

  private func make(_ more: String = "") throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, owner int, amount numeric);
      CREATE INDEX ON app.item (owner);
      INSERT INTO app.item SELECT n, n % 20, n FROM generate_series(1, 200) n;
      \(more)
      """)
    try views.define(Self.view, by: "owner", Self.select)
    try views.make()
    return views
  }

  /// A change of each kind, with the groups that it is about.
  private static let changes = [
    "INSERT INTO app.item VALUES (1001, 3, 1), (1002, NULL, 2)", "UPDATE app.item SET owner = 4 WHERE id = 3",
    "UPDATE app.item SET amount = 1.50 WHERE id = 5", "UPDATE app.item SET id = 3000 WHERE id = 6",
    "DELETE FROM app.item WHERE owner = 9",
    "INSERT INTO app.item VALUES (7, 1, 1) ON CONFLICT (id) DO UPDATE SET owner = excluded.owner",
    """
    MERGE INTO app.item i USING (VALUES (10, 1), (5000, 2)) s (id, owner) ON i.id = s.id
    WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.owner, 0)
    """,
  ]

  @Test("are remembered in the transaction that makes them, and gone with it", arguments: changes)
  func transactional(_ change: String) throws {
    let views = try make()
    let connection = views.connection
    try connection.execute("BEGIN; \(change); ROLLBACK")
    #expect(try views.pending(Self.view) == 0)
    try connection.execute("BEGIN; SAVEPOINT s; \(change); ROLLBACK TO s; COMMIT")
    #expect(try views.pending(Self.view) == 0)
    try connection.execute(
      "DO $$ BEGIN BEGIN \(change); RAISE 'no'; EXCEPTION WHEN OTHERS THEN NULL; END; END $$")
    #expect(try views.pending(Self.view) == 0)
    #expect(try views.refresh(of: Self.view).outcome == .unchanged)
    try connection.execute("BEGIN; SAVEPOINT s; \(change); RELEASE s; COMMIT")
    #expect(try views.pending(Self.view) > 0)
    let refreshed = try views.refresh(of: Self.view)
    #expect(refreshed.kind == .incremental && (1...3).contains(refreshed.groups ?? 0), "\(refreshed)")
    #expect(try views.pending(Self.view) == 0)
    try views.expectExact(Self.view)
  }

  @Test("of no row leave nothing to do")
  func none() throws {
    let views = try make()
    try views.connection.execute(
      "UPDATE app.item SET owner = 1 WHERE false; DELETE FROM app.item WHERE id < 0; INSERT INTO app.item SELECT 1, 2, 3 LIMIT 0"
    )
    #expect(try views.pending(Self.view) == 0)
    #expect(try views.refresh(of: Self.view).outcome == .unchanged)
  }

  @Test("may be made by a role that has no right on the program's schema, nor may it read what is remembered")
  func roles() throws {
    let role = "writer_\(UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(12))"
    let views = try make()
    let connection = views.connection
    try connection.execute(
      """
      CREATE ROLE \(role);
      GRANT USAGE ON SCHEMA app TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON app.item TO \(role)
      """)
    defer { _ = try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
    let queue = try #require(try views.value("SELECT queue FROM rivulet.view_source WHERE queue IS NOT NULL"))
    let writer = try views.database.connect()
    try writer.execute("SET ROLE \(role)")
    for forbidden in [
      "SELECT FROM \(queue)", "INSERT INTO \(queue) DEFAULT VALUES", "DELETE FROM rivulet.view_mark",
    ] {
      #expect { try writer.execute(forbidden) } throws: { ($0 as? PostgreSQLError)?.sqlState == "42501" }
    }
    // A search path of one's own does not lead what is remembered astray.
    try writer.execute(
      "CREATE TEMP TABLE item (owner int); CREATE TEMP TABLE changed (owner int); SET search_path = pg_temp, app"
    )
    for change in Self.changes { try writer.execute(change) }
    try views.expectExact(Self.view, refreshed: .incremental)
    try writer.execute("TRUNCATE app.item")
    try views.expectExact(Self.view, refreshed: .full)
  }

  @Test("are remembered where triggers are held back as for a replica")
  func replica() throws {
    let views = try make()
    try views.connection.execute("SET session_replication_role = replica")
    for change in Self.changes { try views.connection.execute(change) }
    try views.connection.execute("RESET session_replication_role")
    try views.expectExact(Self.view, refreshed: .incremental)
    try views.connection.execute(
      "SET session_replication_role = replica; TRUNCATE app.item; RESET session_replication_role")
    try views.refresh()
    try views.expectExact(Self.view)
  }

  @Test(
    "that no trigger saw are made up for by computing everything",
    arguments: [
      "ALTER TABLE app.item DISABLE TRIGGER ALL", "ALTER TABLE app.item DISABLE TRIGGER %",
      "DROP TRIGGER % ON app.item",
      "ALTER TABLE app.item ENABLE TRIGGER %", "ALTER TABLE app.item ENABLE REPLICA TRIGGER %",
    ])
  func withoutTriggers(_ change: String) throws {
    let views = try make()
    let connection = views.connection
    let triggers = try connection.execute(
      "SELECT quote_ident(tgname) FROM pg_trigger WHERE tgrelid = 'app.item'::regclass AND NOT tgisinternal"
    ).rows.compactMap { $0[0] }
    #expect(triggers.count >= 4)
    for trigger in change.contains("%") ? triggers : [""] {
      try connection.execute(change.replacing("%", with: trigger))
    }
    for change in Self.changes { try connection.execute(change) }
    #expect(try views.refresh(of: Self.view).outcome == .refreshed)
    try views.expectExact(Self.view)
    // And they are there again.
    try connection.execute(
      "UPDATE app.item SET amount = amount + 1 WHERE owner = 4; INSERT INTO app.item VALUES (9, 9, 9) ON CONFLICT DO NOTHING"
    )
    try views.expectExact(Self.view, refreshed: .incremental)
    try connection.execute(
      "SET session_replication_role = replica; DELETE FROM app.item WHERE owner = 4; RESET session_replication_role"
    )
    try views.refresh()
    try views.expectExact(Self.view)
  }

  /// The server follows the old table, the definition means the new one.
  @Test(
    "of a table that has taken another's name are not taken for its: the view is to be made again, and is")
  func replaced() throws {
    let views = try make()
    try views.connection.execute(
      """
      ALTER TABLE app.item RENAME TO old;
      CREATE TABLE app.item (LIKE app.old INCLUDING ALL);
      INSERT INTO app.item VALUES (1, 1, 1), (2, 2, 2)
      """)
    let refused = try views.engine.refresh(RefreshRequest(), on: views.connection)
    #expect(refused.map(\.outcome) == [.failed])
    #expect(refused.first?.error.map { "\($0)" }?.contains("not in the database as it is defined") == true)
    #expect(try views.value("SELECT count(*) FROM \(Self.view)") == "20")
    #expect(try views.engine.synchronise(on: views.connection).isEmpty)
    try views.expectExact(Self.view)
    try views.connection.execute("INSERT INTO app.item VALUES (3, 2, 2); UPDATE app.old SET owner = 3")
    try views.expectExact(Self.view, refreshed: .incremental)
  }

  /// The same of a source with two partitions, `app.first` and `app.second`.
  private func partitioned() throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int, owner int, amount numeric) PARTITION BY RANGE (id);
      CREATE TABLE app.first PARTITION OF app.item FOR VALUES FROM (1) TO (101);
      CREATE TABLE app.second PARTITION OF app.item FOR VALUES FROM (101) TO (201);
      INSERT INTO app.item SELECT n, n % 20, n FROM generate_series(1, 150) n;
      """)
    try views.define(Self.view, by: "owner", Self.select)
    try views.make()
    return views
  }

  /// No query of the source sees its rows any more, though it is still written down to be under it.
  @Test("by a partition are noticed whose detaching was broken off half done")
  func halfDetached() throws {
    let views = try partitioned()
    let reader = try views.connection.another()
    try reader.execute("BEGIN; SELECT FROM app.item")
    try views.connection.execute("SET lock_timeout = '300ms'")
    #expect(throws: PostgreSQLError.self) {
      try views.connection.execute("ALTER TABLE app.item DETACH PARTITION app.first CONCURRENTLY")
    }
    try views.connection.execute("RESET lock_timeout")
    try reader.execute("COMMIT")
    try #require(try views.value("SELECT count(*) FROM pg_inherits WHERE inhdetachpending") == "1")
    try views.expectExact(Self.view, refreshed: .full)
    try views.connection.execute("INSERT INTO app.item VALUES (190, 7, 1)")
    try views.expectExact(Self.view, refreshed: .incremental)
    try views.connection.execute("ALTER TABLE app.item DETACH PARTITION app.first FINALIZE")
    try views.refresh()
    try views.expectExact(Self.view)
  }

  /// Names and number of the partitions are what they were.
  @Test("by tables that change places under the source are noticed")
  func exchanged() throws {
    let views = try partitioned()
    // A table that was under it, and so has the triggers, waits for its turn under another name.
    try views.connection.execute("ALTER TABLE app.item DETACH PARTITION app.second")
    try views.refresh()
    try views.expectExact(Self.view)
    try views.connection.execute(
      """
      ALTER TABLE app.item DETACH PARTITION app.first;
      ALTER TABLE app.first RENAME TO spare;
      ALTER TABLE app.second RENAME TO first;
      ALTER TABLE app.item ATTACH PARTITION app.first FOR VALUES FROM (101) TO (201)
      """)
    try views.refresh()
    try views.expectExact(Self.view)
  }

  @Test("of a million rows by one COPY are remembered, each group once")
  func million() throws {
    let views = try make("INSERT INTO app.item SELECT 1000 + n, n, 1 FROM generate_series(0, 999) n;")
    let loaded = try views.connection.copy(into: "app.item", columns: ["id", "owner", "amount"]) { buffer in
      for id in 10_001...1_010_000 {
        buffer.field(id)
        buffer.field(id % 1000)
        buffer.field(1)
        try buffer.endRow()
      }
    }
    #expect(loaded == 1_000_000)
    #expect(try views.pending(Self.view) == 1000)
    let refreshed = try views.refresh(of: Self.view)
    #expect(refreshed.kind == .incremental && refreshed.groups == 1000, "\(refreshed)")
    try views.expectExact(Self.view)
  }

  @Test("of one group by several open transactions never wait for each other")
  func concurrent() throws {
    let views = try make()
    let writers = try (0..<3).map { _ in try views.database.connect() }
    for (index, writer) in writers.enumerated() {
      try writer.execute(
        """
        SET lock_timeout = '1s'; BEGIN ISOLATION LEVEL \(["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"][index]);
        UPDATE app.item SET amount = amount + 1 WHERE id = \(1 + 20 * index);
        INSERT INTO app.item VALUES (\(2000 + index), 1, 1), (\(3000 + index), 2, 1);
        DELETE FROM app.item WHERE id = \(101 + 20 * index)
        """)
    }
    // Nor do they for a refresh, nor it for them.
    try views.connection.execute("SET lock_timeout = '1s'; UPDATE app.item SET amount = 0 WHERE id = 199")
    #expect(try views.refresh(of: Self.view).kind == .incremental)
    for writer in writers.reversed() { try writer.execute("COMMIT") }
    try views.expectExact(Self.view, refreshed: .incremental)
  }
}
