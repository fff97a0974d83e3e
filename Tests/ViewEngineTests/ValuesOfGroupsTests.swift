import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A few groups are computed by their values, which are rows of somebody's.
@Suite("Values of the groups that are computed")
struct ValuesOfGroupsTests {
  @Test("are in no log when their rows fail, and the place in the file is reported")
  func log() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, owner text, amount int);
      INSERT INTO app.item SELECT n, 'owner ' || n, n FROM generate_series(1, 20) n;
      """)
    try views.define(
      "mart.by_owner", by: "owner",
      """
      SELECT k.owner, sum(100 / i.amount) AS amount
      FROM {keys} k JOIN app.item i ON i.owner = k.owner
      WHERE k.owner IN (SELECT owner FROM {keys} x) AND i.id > 0 GROUP BY 1
      """)
    try views.make()
    let secret = "secret \(views.database.name)"
    try views.connection.query("INSERT INTO app.item VALUES (21, $1, 0)", [.text(secret)])
    try views.connection.execute("SET log_min_messages = warning; SET log_min_error_statement = error")
    let failed = try #require(try views.engine.refresh(RefreshRequest(), on: views.connection).first)
    try views.connection.execute("RESET log_min_messages; RESET log_min_error_statement")
    let error = try #require(failed.error.map { "\($0)" })
    #expect(error.contains("division by zero") && !error.contains(secret), "\(error)")
    let log = try TestServer.shared.log()
    #expect(log.contains("division by zero"))
    #expect(!log.contains(secret))
    // Behind the values a place is the file's still. All groups are computed by a plain view, which goes
    // along with a new name; a few by the file's own words.
    try views.connection.execute(
      """
      SET log_min_messages = warning; UPDATE app.item SET amount = 4;
      ALTER TABLE app.item RENAME COLUMN id TO ident
      """)
    #expect(try views.engine.refresh(RefreshRequest(), on: views.connection).first?.kind == .full)
    try views.connection.query("UPDATE app.item SET amount = 5 WHERE owner = $1", [.text(secret)])
    let moved = try #require(try views.engine.refresh(RefreshRequest(), on: views.connection).first)
    let problem = try #require(moved.error as? ViewProblem)
    #expect(problem.mark?.line == 12 && problem.mark?.column == 51, "\(problem)")
    #expect(!(try TestServer.shared.log().contains(secret)))
    try views.connection.execute(
      "ALTER TABLE app.item RENAME COLUMN ident TO id; UPDATE app.item SET amount = 4")
    try views.refresh()
    try views.expectExact("mart.by_owner")
  }

  @Test("leave out the partitions that cannot hold them before any is read")
  func partitions() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int, owner int, amount int) PARTITION BY LIST (owner);
      CREATE TABLE app.first PARTITION OF app.item FOR VALUES IN (1);
      CREATE TABLE app.second PARTITION OF app.item FOR VALUES IN (2, NULL);
      INSERT INTO app.item VALUES (1, 1, 1), (2, 2, 2), (3, NULL, 3);
      """)
    try views.define(
      "mart.by_owner", by: "owner",
      """
      SELECT k.owner, array_agg(i.id ORDER BY i.id) AS items
      FROM {keys} k JOIN app.item i ON (i.owner = k.owner OR i.owner IS NULL AND k.owner IS NULL) GROUP BY 1
      """)
    try views.make()
    // The server reports each plan that is used.
    try views.connection.execute(
      """
      LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_level = notice;
      INSERT INTO app.item VALUES (4, 1, 4)
      """)
    let plans = Shared<[String]>([])
    views.connection.onNotice { notice in plans.change { $0.append(notice.message) } }
    #expect(try views.refresh(of: "mart.by_owner").kind == .incremental)
    views.connection.onNotice { _ in }
    try views.connection.execute("RESET auto_explain.log_min_duration")
    let plan = try #require(
      plans.value.first { $0.contains("TABLE rivulet_fresh") && $0.contains(" on first i") })
    #expect(!plan.contains("second") && !plan.contains("Removed"), "\(plan)")
    try views.expectExact("mart.by_owner")
    try views.connection.execute("INSERT INTO app.item VALUES (5, NULL, 5)")
    try views.expectExact("mart.by_owner", refreshed: .incremental)
  }

  @Test("are of no report where somebody's own index on the view refuses a row")
  func refused() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, owner int, amount int);
      INSERT INTO app.item SELECT n, n, n FROM generate_series(1, 20) n;
      """)
    try views.define(
      "mart.by_owner", by: "owner",
      "SELECT k.owner, sum(i.amount) AS amount FROM {keys} k JOIN app.item i ON i.owner = k.owner GROUP BY 1")
    try views.make()
    try views.connection.execute(
      "ALTER TABLE mart.by_owner ADD CHECK (amount < 777000); UPDATE app.item SET amount = 777001 WHERE id = 1"
    )
    let failed = try #require(try views.engine.refresh(RefreshRequest(), on: views.connection).first)
    #expect(failed.error is ViewProblem)
    #expect(failed.error.map { "\($0)" }?.contains("777001") == false)
  }
}
