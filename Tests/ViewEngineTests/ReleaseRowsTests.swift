import Definitions
import PostgreSQL
import TestSupport
import Testing

@testable import ViewEngine

/// Views over tables of releases whose changes are added up.
@Suite("A release that comes or goes")
struct ReleaseRowsTests {
  private var views: StoredViews
  private static let names = ["mart.by_code", "mart.by_title"]
  private static let byTitle = """
    strategy: incremental
    description: Prices by title
    key: [title]
    rebuild_share: 100%
    sources:
      app.price: {capture: [code], keys: SELECT c.title FROM changed JOIN app.code c USING (code)}
      app.code: {capture: [title], keys: SELECT title FROM changed}
    """

  /// Two views, one of which statements could add up and one that joins; three releases, two of them published.
  init() throws {
    views = try StoredViews(
      """
      CREATE TABLE app.price (release text, code text, amount numeric(8, 2), note text) PARTITION BY LIST (release);
      CREATE TABLE app.code (code text PRIMARY KEY, title text);
      INSERT INTO app.code SELECT 'c' || g, 't' || g % 3 FROM generate_series(1, 20) g;
      INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('p', 'published', '', '')
      """)
    for release in 1...3 {
      // Of columns in another order, as of a table that was attached.
      try views.connection.execute(
        """
        CREATE TABLE app.price_\(release) (amount numeric(8, 2), note text, code text, release text);
        INSERT INTO app.price_\(release)
        SELECT g + \(release), nullif('n' || g % 4, 'n1'), 'c' || g % (20 - \(release)), '\(release)'
        FROM generate_series(1, 200) g;
        INSERT INTO rivulet.release (pipeline, release, revision, state, run)
        VALUES ('p', '\(release)', 1, 'published', 1);
        INSERT INTO rivulet.release_table VALUES ('p', '\(release)', 1, 'app.price', 'app.price_\(release)', 0)
        """)
    }
    try publish(1)
    try publish(2)
    let columns = """
      count(*) AS rows, sum(p.amount) AS amount, min(p.amount) AS least, max(p.amount) AS most,
      bool_or(p.note IS NULL) AS has_none
      """
    try views.define(
      Self.names[0], by: "code", of: "app.price",
      """
      SELECT k.code, \(columns) FROM {keys} k JOIN app.price p ON p.code IS NOT DISTINCT FROM k.code
      WHERE p.amount > 5 GROUP BY k.code
      """)
    try views.define(
      Self.names[1],
      Self.byTitle,
      """
      SELECT k.title, \(columns), count(DISTINCT p.note) AS notes, count(DISTINCT p.amount) AS amounts
      FROM {keys} k JOIN app.code c ON c.title IS NOT DISTINCT FROM k.title JOIN app.price p ON p.code = c.code
      GROUP BY k.title
      """)
    try views.make()
    #expect(
      try views.connection.query(
        "SELECT adds FROM rivulet.view_source WHERE source = 'app.price' ORDER BY view"
      )
      .rows.map { $0[0] } == ["sums", "rows"])
  }

  /// What publishing does, and marks as it does.
  private func publish(_ release: Int) throws {
    try views.connection.execute(
      """
      ALTER TABLE app.price ATTACH PARTITION app.price_\(release) FOR VALUES IN ('\(release)');
      \(Self.mark(release, "came"))
      """)
  }

  private func withdraw(_ release: Int) throws {
    try views.connection.execute(
      "ALTER TABLE app.price DETACH PARTITION app.price_\(release); \(Self.mark(release, "went"))")
  }

  private static func mark(_ release: Int, _ reason: String) -> String {
    """
    INSERT INTO rivulet.view_mark (view, source, release, partition, reason)
    SELECT view, source, '\(release)', 'app.price_\(release)', '\(reason)'
    FROM rivulet.view_source WHERE source = 'app.price'
    """
  }

  private func expectExact(_ kind: ViewRefresh.Kind?, _ comment: Comment) throws {
    for refresh in try views.refresh() where kind != nil { #expect(refresh.kind == kind, comment) }
    for name in Self.names { try views.expectExact(name, comment) }
    let compared = try views.engine.compare(on: views.connection)
    #expect(compared.map(\.outcome) == [.exact, .exact], comment)
  }

  @Test("is added or taken away whole, whatever else came and went meanwhile")
  func whole() throws {
    try publish(3)
    try expectExact(.incremental, "one came")
    try withdraw(1)
    try expectExact(.incremental, "one went")
    try withdraw(2)
    try publish(1)
    try expectExact(.incremental, "one took the place of another")
    try publish(2)
    try withdraw(2)
    try expectExact(.incremental, "one came and went")
    try withdraw(1)
    try publish(1)
    try expectExact(.incremental, "one went and came")
    try publish(2)
    _ = try views.refresh(RefreshRequest(isFull: true))
    try withdraw(2)
    try expectExact(.incremental, "one went that was there when all was computed")
    for release in [1, 3] { try withdraw(release) }
    try expectExact(.incremental, "nothing is left")
    #expect(try views.value("SELECT count(*) FROM mart.by_code") == "0")
  }

  @Test("is all that is read of the table")
  func alone() throws {
    let rows = "SELECT (SELECT sum(rows) FROM mart.by_code) AS a, (SELECT sum(rows) FROM mart.by_title) AS b"
    try views.connection.execute("CREATE TABLE app.before AS \(rows)")
    // No trigger sees it, and nobody looks at it.
    try views.connection.execute("INSERT INTO app.price_1 SELECT * FROM app.price_1")
    try publish(3)
    _ = try views.refresh()
    let added = try views.value("SELECT concat_ws(' ', n.a - o.a, n.b - o.b) FROM (\(rows)) n, app.before o")
    let expected = """
      SELECT concat_ws(' ', count(*) FILTER (WHERE amount > 5), count(*) FILTER (WHERE code <> 'c0')) FROM app.price_3
      """
    #expect(try added == views.value(expected))
  }

  @Test("has groups computed where its rows may be among those that statements have changed")
  func others() throws {
    try publish(3)
    try views.connection.execute(
      "INSERT INTO app.price VALUES ('3', 'c1', 900, 'new'); DELETE FROM app.price WHERE amount = 50")
    try expectExact(nil, "rows were changed in it")
    try withdraw(3)
    try views.connection.execute("UPDATE app.price SET amount = 7 WHERE code = 'c2'")
    try expectExact(.incremental, "it went with rows that were changed")
    try publish(3)
    try views.connection.execute("UPDATE app.code SET title = 't9' WHERE code = 'c3'")
    try expectExact(nil, "what it is joined to has changed")
    try views.connection.execute(
      "UPDATE app.price_3 SET amount = 6 WHERE code = 'c4'; \(Self.mark(3, "written"))")
    try expectExact(.incremental, "it was written past the table")
    try withdraw(3)
    try views.connection.execute("ALTER TABLE app.price_3 RENAME COLUMN note TO remark")
    try expectExact(.incremental, "it has other columns")
    try withdraw(2)
    try views.connection.execute("DROP TABLE app.price_2")
    try expectExact(.full, "its table is gone")
    try withdraw(1)
    try expectExact(.incremental, "the last one went")
  }

  @Test(
    "that came, and whose rows were changed by way of the source, has the groups computed that these went from",
    arguments: [
      "DELETE FROM app.price WHERE release = '3' AND code = 'c1'",
      "UPDATE app.price SET code = 'c2' WHERE release = '3' AND code = 'c1'",
      "DELETE FROM app.price WHERE release = '3'",
    ], [true, false])
  func left(_ change: String, isGone: Bool) throws {
    var views = views
    let columns = "count(*) AS rows, sum(p.amount) AS amount"
    try views.define(
      "mart.sums", by: "code", of: "app.price",
      "SELECT k.code, \(columns) FROM {keys} k JOIN app.price p USING (code) GROUP BY k.code")
    try views.define(
      "mart.rows",
      Self.byTitle,
      """
      SELECT k.title, \(columns) FROM {keys} k JOIN app.code c USING (title) JOIN app.price p ON p.code = c.code
      GROUP BY k.title
      """)
    try views.make()
    try publish(3)
    try views.connection.execute(change)
    if isGone { try withdraw(3) }
    try views.refresh()
    for name in ["mart.sums", "mart.rows"] { try views.expectExact(name, "\(name)") }
  }

  @Test("has all computed where its table is gone, though another has its name, or nobody said so")
  func gone() throws {
    try withdraw(2)
    try views.connection.execute("DROP TABLE app.price_2; CREATE TABLE app.price_2 (LIKE app.price_1)")
    try expectExact(.full, "another has its name")
    try views.connection.execute("DROP TABLE app.price_1")
    try publish(3)
    try expectExact(.full, "another went by hand")
  }

  @Test("may be dropped while it is about to be read")
  func dropped() throws {
    try withdraw(2)
    let dropper = try views.database.connect()
    try dropper.execute("BEGIN; DROP TABLE app.price_2")
    let (database, definitions) = (views.database, views.definitions)
    let refreshing = Background {
      for view in try ViewEngine(definitions).refresh(RefreshRequest(), on: database.connect()) {
        try #require(!view.hasFailed, "\(view.view): \(String(describing: view.error))")
      }
    }
    #expect(try views.database.findsWaiter(forTable: "app.price_2"))
    try dropper.execute("COMMIT")
    try refreshing.wait()
    for name in Self.names { try views.expectExact(name, "dropped") }
  }

  @Test("has all computed by who may read the source, and not its table")
  func rights() throws {
    let role = "r" + views.database.name.suffix(12)
    try views.connection.execute(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA app, mart, rivulet TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA rivulet, mart TO \(role); GRANT SELECT ON app.price, app.code TO \(role)
      """)
    let other = try Connection(to: ConnectionTarget(views.database.url(as: role)))
    try publish(3)
    for isOver in [false, true] {
      if isOver { try withdraw(2) }
      for view in try views.engine.refresh(RefreshRequest(), on: other) {
        #expect(!view.hasFailed, "\(view.view): \(String(describing: view.error))")
      }
      for name in Self.names { try views.expectExact(name, "over: \(isOver)") }
    }
  }
}
