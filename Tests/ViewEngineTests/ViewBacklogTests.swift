import Catalog
import PostgreSQL
import TestSupport
import Testing

@testable import ViewEngine

/// What waits to be computed, read from the catalog of the program alone.
@Suite("What a view lags behind by")
struct ViewBacklogTests {
  private let connection: Connection

  init() throws {
    connection = try TestServer.shared.makeDatabase().connect()
    try Catalog.prepare(connection)
    try connection.execute(
      """
      CREATE SCHEMA app;
      CREATE TABLE app.visit (id int, day date) PARTITION BY LIST (id);
      CREATE TABLE app.visit_1 PARTITION OF app.visit FOR VALUES IN (1);
      CREATE TABLE rivulet.queue_1_1 (id int);
      INSERT INTO rivulet.view (name, definition_hash, strategy) VALUES
        ('app.base', '', 'incremental'), ('app.top', '', 'full'), ('app.now', '', 'live'),
        ('app.peak', '', 'full'), ('app.summit', '', 'full');
      INSERT INTO rivulet.view_source (view, source, position, change, capture, queue, partitions) VALUES
        ('app.base', 'app.visit', 1, 'groups', '{id}', 'rivulet.queue_1_1', ARRAY['app.visit_1'::regclass::oid::text]),
        ('app.top', 'app.base', 1, 'rebuild', '{}', NULL, '{}'),
        ('app.peak', 'app.top', 1, 'rebuild', '{}', NULL, '{}'),
        ('app.summit', 'app.peak', 1, 'rebuild', '{}', NULL, '{}');
      UPDATE rivulet.view SET refreshed_at = now() WHERE strategy <> 'live';
      """)
    try watch("app.visit", by: "app.base", number: 1)
  }

  /// Puts the triggers of a view's first source on it.
  private func watch(_ source: String, by view: String, number: Int) throws {
    let capture = ChangeCapture(view: view, number: number, source: source, position: 1, capture: [])
    try capture.watch(on: connection)
  }

  private func behind(_ view: String) throws -> [String] {
    try ViewBacklog(on: connection)[view]?.sentences ?? ["no entry"]
  }

  @Test("is nothing where nothing has happened, and live views lag behind by nothing ever")
  func exact() throws {
    #expect(try behind("app.base") == [] && behind("app.top") == [])
    #expect(try ViewBacklog(on: connection)["app.now"] == nil)
  }

  @Test(
    "is what was captured, what was marked, tables that came, a first refresh that is still to come",
    arguments: [
      ("INSERT INTO rivulet.queue_1_1 VALUES (1), (NULL)", "2 changed rows of app.visit"),
      (
        "INSERT INTO rivulet.view_mark (view, source, reason) VALUES ('app.base', 'app.visit', 'truncated')",
        "app.visit was truncated"
      ),
      (
        "CREATE TABLE app.visit_2 PARTITION OF app.visit FOR VALUES IN (2)",
        "tables were attached to app.visit or detached from it"
      ),
      ("DROP TABLE app.visit_1", "tables were attached to app.visit or detached from it"),
      ("DROP TABLE rivulet.queue_1_1", "what changed in app.visit is not known: its queue is gone"),
      (
        "DROP TRIGGER rivulet_1_1_delete ON app.visit",
        "what changed in app.visit is not known: triggers of it are dropped or switched off"
      ),
      (
        "ALTER TABLE app.visit_1 DISABLE TRIGGER rivulet_1_1_truncate",
        "what changed in app.visit is not known: triggers of it are dropped or switched off"
      ),
      ("UPDATE rivulet.view SET refreshed_at = NULL WHERE name = 'app.base'", "it was never filled"),
    ])
  func reasons(change: String, reason: String) throws {
    try connection.execute(change)
    #expect(try behind("app.base") == [reason])
    #expect(try behind("app.top") == ["app.base, which it reads, is behind"])
    #expect(try behind("app.summit") == ["app.peak, which it reads, is behind"])
  }

  @Test("is read of one view with what it reads, and with as many rows counted as are asked for")
  func one() throws {
    try connection.execute("INSERT INTO rivulet.queue_1_1 SELECT generate_series(1, 100)")
    let base = try ViewBacklog(of: "app.base", limit: 1, on: connection)
    #expect(base.entries.keys.sorted() == ["app.base"] && base["app.base"]?.pending == 1)
    #expect(try ViewBacklog(of: "app.top", on: connection).entries.keys.sorted() == ["app.base", "app.top"])
    #expect(try ViewBacklog(on: connection)["app.base"]?.pendingBySource == ["app.visit": 100])
  }

  @Test("is no table that came by publishing")
  func published() throws {
    try connection.execute(
      """
      INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('p', 'published', '', '');
      INSERT INTO rivulet.release (pipeline, release, revision, state, run) VALUES ('p', '2', 1, 'published', 1);
      INSERT INTO rivulet.release_table VALUES ('p', '2', 1, 'app.visit', 'app.visit_2', 0);
      CREATE TABLE app.visit_2 PARTITION OF app.visit FOR VALUES IN (2);
      """)
    #expect(try behind("app.base") == [])
  }

  @Test("is the day that has turned, for views that depend on it only, or the day that is asked for")
  func date() throws {
    try connection.execute(
      "UPDATE rivulet.view SET follows_date = true, as_of = rivulet.today() WHERE name = 'app.base'")
    #expect(try behind("app.base") == [])
    try connection.execute("SET rivulet.on_date = '2020-02-29'")
    #expect(try behind("app.base").first?.hasSuffix("not 2020-02-29") == true)
    try connection.execute("RESET rivulet.on_date")
    try connection.execute("UPDATE rivulet.view SET as_of = '2020-02-28' WHERE name = 'app.base'")
    let today = try #require(try connection.execute("SELECT rivulet.today()").first?[0])
    #expect(try behind("app.base") == ["it shows 2020-02-28, not \(today)"])
    #expect(try behind("app.top") == ["app.base, which it reads, is behind"])
  }

  @Test("makes a view stale at once, or after as long as its definition allows")
  func stale() throws {
    try connection.execute(
      "UPDATE rivulet.view SET fresh_for = '1 hour' WHERE name = 'app.base'; INSERT INTO rivulet.queue_1_1 VALUES (1)"
    )
    #expect(try ViewBacklog(on: connection)["app.base"]?.isStale == false)
    try connection.execute("UPDATE rivulet.view SET refreshed_at = now() - interval '61 minutes'")
    #expect(try ViewBacklog(on: connection)["app.base"]?.isStale == true)
  }

  @Test(
    "is in the status of each view, with what it reads, what reads it, and what is defined and not made")
  func status() throws {
    try connection.execute(
      """
      CREATE TABLE app.base (n int); CREATE UNIQUE INDEX ON app.base (n); CREATE TABLE app.top (n int);
      CREATE VIEW app.now AS SELECT n FROM app.base;
      INSERT INTO rivulet.queue_1_1 VALUES (1);
      INSERT INTO rivulet.view_refresh (view, kind, seconds, groups, inserted, updated, deleted)
        VALUES ('app.base', 'full', 2, NULL, 5, 0, 0), ('app.base', 'incremental', 0.5, 3, 1, 1, 1);
      UPDATE rivulet.view SET rows = 6, warnings = '{slow,wide}', file = 'f.sql' WHERE name = 'app.base'
      """)
    try watch("app.base", by: "app.top", number: 2)
    let statuses = try ViewEngine([]).status(on: connection)
    #expect(statuses.map(\.name) == ["app.base", "app.now", "app.peak", "app.summit", "app.top"])
    let base = try #require(statuses.first)
    #expect(base.rows == 6 && base.pending == 1 && base.isStale && base.warnings == ["slow", "wide"])
    #expect(base.readBy == ["app.now"] && base.indexes.count == 1 && base.file == "f.sql")
    #expect(base.sources.map(\.capture) == [["id"]] && base.sources[0].pending == 1)
    #expect(base.refreshes.map(\.rowsChanged) == [3, 5] && base.refreshes[0].groups == 3)
    let live = statuses[1]
    #expect(
      live.behind.isEmpty && !live.isStale && live.rows == nil && live.sources.map(\.name) == ["app.base"])
    #expect(live.definition.contains("SELECT"))
  }
}
