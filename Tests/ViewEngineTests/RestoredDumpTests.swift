import Definitions
import Host
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A database with stored views, written by pg_dump while changes wait and restored into another.
@Suite("Views of a restored dump")
struct RestoredDumpTests {
  private var views: StoredViews

  init() throws {
    views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, state text, owner int, n int) PARTITION BY RANGE (id);
      CREATE TABLE app.item_low PARTITION OF app.item FOR VALUES FROM (0) TO (200);
      CREATE TABLE app.item_high PARTITION OF app.item DEFAULT;
      CREATE TABLE app.owner (id int PRIMARY KEY, name text);
      INSERT INTO app.owner SELECT g, 'owner ' || g FROM generate_series(0, 9) g;
      INSERT INTO app.item SELECT g, (ARRAY['new', 'open', 'done', NULL])[1 + g % 4], g % 10, g % 7
      FROM generate_series(1, 400) g
      """)
    try views.define(
      "mart.by_state", by: "state",
      """
      SELECT k.state, count(*) AS items, min(i.n) AS least, sum(i.n) AS n
      FROM {keys} k JOIN app.item i ON i.state IS NOT DISTINCT FROM k.state GROUP BY 1
      """)
    try views.define(
      "mart.by_owner",
      """
      strategy: incremental
      description: Items by owner
      key: [owner]
      rebuild_share: 100%
      sources:
        app.item: {capture: [owner], keys: SELECT owner FROM changed}
        app.owner: {capture: [id], keys: SELECT id FROM changed}
      """,
      """
      SELECT k.owner, max(o.name) AS name, count(*) AS items
      FROM {keys} k JOIN app.item i USING (owner) JOIN app.owner o ON o.id = k.owner GROUP BY 1
      """)
    try views.define("mart.whole", fullBy: "", "SELECT count(*) AS n, sum(items) AS items FROM mart.by_state")
    try views.make()
    // These wait as it is dumped.
    try views.connection.execute(
      """
      UPDATE app.item SET state = 'done', n = n + 1 WHERE id % 5 = 0; DELETE FROM app.item WHERE id BETWEEN 190 AND 210;
      INSERT INTO app.item VALUES (900, 'late', 3, 8); UPDATE app.owner SET name = 'another' WHERE id = 4
      """)
    for view in ["mart.by_state", "mart.by_owner"] { try #require(try views.pending(view) > 0) }
  }

  @Test(
    "are exact after a refresh, and follow changes from then on, however it was restored",
    arguments: [
      "pg_dump -d \"$1\" | psql -qX -v ON_ERROR_STOP=1 -d \"$2\" -o /dev/null",
      "pg_dump -Fc -d \"$1\" -f all && pg_restore -j2 --exit-on-error -d \"$2\" all",
      // All triggers are there as the rows come.
      """
      pg_dump -Fc -d "$1" -f all && pg_restore -s --exit-on-error -d "$2" all &&
      pg_restore -a --exit-on-error -d "$2" all
      """,
      // The same, with the triggers switched off meanwhile, and on again.
      """
      pg_dump -Fc -d "$1" -f all && pg_restore -s --exit-on-error -d "$2" all &&
      pg_restore -a --disable-triggers --exit-on-error -d "$2" all
      """,
      "pg_dump -Fd -j2 -d \"$1\" -f folder && pg_restore -j2 --exit-on-error -d \"$2\" folder",
    ])
  func restored(by script: String) throws {
    let other = try TestServer.shared.makeDatabase()
    let scratch = try Scratch()
    let command = ["sh", "-c", "cd \"$0\" && \(script)", scratch.path, views.database.url, other.url]
    let outcome = try Subprocess(command).run()
    #expect(outcome.status == 0, "\(outcome.output)")
    let copy = StoredViews(views.definitions, in: other, by: try other.connect())
    #expect(
      try copy.engine.status(on: copy.connection).filter { $0.behind.isEmpty }.map(\.name) == [],
      "what was waiting waits")
    try copy.refresh()
    func expectExact(_ comment: Comment) throws {
      for view in copy.definitions { try copy.expectExact(view.name, comment) }
      let found = try copy.engine.compare(on: copy.connection)
      #expect(found.map(\.outcome) == [.exact, .exact, .exact], comment)
    }
    try expectExact("after the first refresh")
    try copy.connection.execute(
      """
      UPDATE app.item SET state = 'new', owner = 1 WHERE id = 7; DELETE FROM app.item WHERE state = 'late';
      UPDATE app.owner SET name = 'again' WHERE id = 4
      """)
    let refreshed = try copy.refresh().filter { $0.view != "mart.whole" }
    #expect(refreshed.map(\.kind) == [.incremental, .incremental])
    try expectExact("after changes")
  }
}
