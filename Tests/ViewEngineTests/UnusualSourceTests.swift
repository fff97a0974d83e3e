import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Tables that a view may be computed from, whose names or kinds are rare.
@Suite("An unusual source of a view")
struct UnusualSourceTests {
  private static let names = #""new", old, found, tg_op, tg_table_name, former, changed, sqlstate"#

  @Test("whose columns are named as what a trigger knows has writers that go on")
  func variables() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int, \(Self.names.replacing(",", with: " int,")) int);
      INSERT INTO app.item SELECT n % 20, n, n, n, n, n, n, n, n FROM generate_series(1, 40) n;
      """)
    try views.define(
      "mart.by_id", by: "id",
      capture: "id, new, old, found, tg_op, tg_table_name, former, changed, sqlstate",
      "SELECT k.id, sum(found) AS found FROM {keys} k JOIN app.item i ON i.id = k.id GROUP BY 1")
    try views.make()
    try views.expectExact(
      "mart.by_id",
      afterEach: [
        "INSERT INTO app.item SELECT 30, n, n, n, n, n, n, n, n FROM generate_series(1, 2) n",
        "UPDATE app.item SET found = found + 1, id = id + 1 WHERE old < 5",
        "DELETE FROM app.item WHERE id = 3",
      ])
  }

  @Test("whose name has capitals is there, and what is under it as well")
  func capitals() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app."Item" (id int) PARTITION BY LIST (id);
      CREATE TABLE app."Item1" PARTITION OF app."Item" FOR VALUES IN (1);
      INSERT INTO app."Item" VALUES (1);
      """)
    try views.define(
      "mart.by_id", fullBy: "id", #"SELECT id, count(*) AS n FROM app."Item" GROUP BY 1"#)
    try views.make()
    let number = try views.value("SELECT number FROM rivulet.view")
    #expect(try views.connection.transaction { try views.engine.remakeBroken(on: views.connection) })
    #expect(try views.value("SELECT number FROM rivulet.view") == number, "it was made again")
    #expect(try views.engine.status(on: views.connection).first?.behind == [])
    try views.connection.execute(#"CREATE TABLE app."Item2" PARTITION OF app."Item" FOR VALUES IN (2)"#)
    #expect(
      try views.engine.status(on: views.connection).first?.behind
        == ["tables were attached to app.Item or detached from it"])
    try views.refresh()
    try views.connection.execute(#"INSERT INTO app."Item" VALUES (1), (2)"#)
    #expect(try views.engine.status(on: views.connection).first?.behind == ["app.Item was changed"])
    #expect(try views.refresh(of: "mart.by_id").outcome == .refreshed)
    try views.expectExact("mart.by_id")
    try views.connection.execute(#"ALTER TABLE app."Item1" DISABLE TRIGGER ALL"#)
    let status = try #require(try views.engine.status(on: views.connection).first)
    #expect(status.isStale && status.behind.first?.contains("dropped or switched off") == true)
  }

  @Test(
    "that loses or gets rows past all triggers is not taken for one that is watched, nor is one with such a part",
    arguments: [
      ("ALTER TABLE app.item SET UNLOGGED", "a crash empties it"),
      ("ALTER TABLE app.part SET UNLOGGED", "a crash empties it"),
      (
        "INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate) VALUES (1, 'app.item'::regclass, 'r')",
        "a subscription fills it"
      ),
      (
        "INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate) VALUES (1, 'app.part'::regclass, 'r')",
        "a subscription fills it"
      ),
    ])
  func unseen(_ change: String, reason: String) throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int);
      CREATE TABLE app.part () INHERITS (app.item);
      \(change);
      """)
    try views.define(
      "mart.items", fullBy: "id", "SELECT id, count(*) AS n FROM app.item GROUP BY 1")
    #expect {
      try views.engine.synchronise(on: views.connection)
    } throws: {
      ($0 as? ViewProblem)?.message.contains(reason) == true
    }
    try views.define(
      "mart.items", "strategy: full\ndescription: Items\nkey: [id]\nfresh_for: 1h",
      "SELECT id, count(*) AS n FROM app.item GROUP BY 1")
    try views.make()
  }

  @Test("whose release is a number is asked for by a number when a release comes")
  func numbered() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int, release int) PARTITION BY LIST (release);
      CREATE TABLE app.item_2025 PARTITION OF app.item FOR VALUES IN (2025);
      INSERT INTO app.item VALUES (1, 2025);
      """)
    try views.define(
      "mart.by_year", by: "year", capture: "release", keys: "SELECT release - 1 FROM changed",
      "SELECT k.year, count(*) AS n FROM {keys} k JOIN app.item i ON i.release = k.year + 1 GROUP BY 1")
    try views.make()
    try views.connection.execute(
      """
      ALTER TABLE app.item_2025 DISABLE TRIGGER ALL;
      INSERT INTO app.item VALUES (2, 2025);
      """)
    for trigger in try views.connection.execute(
      "SELECT quote_ident(tgname) FROM pg_trigger WHERE tgrelid = 'app.item_2025'::regclass"
    ).rows.compactMap({ $0[0] }) {
      try views.connection.execute("ALTER TABLE app.item_2025 ENABLE ALWAYS TRIGGER \(trigger)")
    }
    try views.connection.execute(
      """
      INSERT INTO rivulet.view_mark (view, source, release, partition, reason)
      VALUES ('mart.by_year', 'app.item', '2025', 'app.item_2025', 'published')
      """)
    try views.expectExact("mart.by_year", refreshed: .incremental)
  }
}
