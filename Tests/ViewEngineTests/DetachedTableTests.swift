import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A table that was a source's, and still has its triggers.
@Suite("What changes in a table that was detached from a source")
struct DetachedTableTests {
  @Test("is not added to a view any more, nor what was begun in it before a refresh")
  func changes() throws {
    var views = try StoredViews("")
    try views.connection.execute(
      """
      CREATE TABLE app.part (state text, n int) PARTITION BY LIST (state);
      CREATE TABLE app.part_a PARTITION OF app.part FOR VALUES IN ('a');
      CREATE TABLE app.part_b PARTITION OF app.part FOR VALUES IN ('b');
      INSERT INTO app.part VALUES ('a', 1), ('b', 2), ('b', 3)
      """)
    try views.define(
      "mart.parts", by: "n", of: "app.part",
      "SELECT n, count(*) AS rows FROM {keys} k JOIN app.part p USING (n) GROUP BY 1")
    try views.make()
    #expect(try views.value("SELECT adds FROM rivulet.view_source") == "sums")
    try views.connection.execute("ALTER TABLE app.part DETACH PARTITION app.part_b")
    let writer = try views.database.connect()
    try writer.execute("BEGIN; INSERT INTO app.part_b VALUES ('b', 7)")
    // What was begun before the refresh is waited for, as where triggers are put back.
    let database = views.database
    let definitions = views.definitions
    let refreshing = Background {
      _ = try ViewEngine(definitions).refresh(RefreshRequest(), on: try database.connect())
    }
    #expect(try views.database.findsWaiter(forTable: "app.part_b"))
    try writer.execute("COMMIT")
    try refreshing.wait()
    try views.expectExact("mart.parts", "after the refresh that it was detached before")
    for change in ["INSERT INTO app.part_b VALUES ('b', 1)", "DELETE FROM app.part_b WHERE n = 2"] {
      try views.connection.execute(change)
      try views.refresh()
      try views.expectExact("mart.parts", "\(change)")
    }
    try views.connection.execute("ALTER TABLE app.part ATTACH PARTITION app.part_b FOR VALUES IN ('b')")
    try views.refresh()
    try views.expectExact("mart.parts", "after it was attached again")
    try views.expectExact("mart.parts", afterEach: ["INSERT INTO app.part_b VALUES ('b', 9)"])
  }

  @Test(
    "that was attached, written to and detached between two refreshes is not added", arguments: [true, false])
  func guest(isOther: Bool) throws {
    var views = try StoredViews("")
    try views.connection.execute(
      """
      CREATE TABLE app.part (state text, n int) PARTITION BY LIST (state);
      CREATE TABLE app.part_a PARTITION OF app.part FOR VALUES IN ('a');
      CREATE TABLE app.part_b PARTITION OF app.part FOR VALUES IN ('b');
      INSERT INTO app.part VALUES ('a', 1), ('b', 2)
      """)
    try views.define(
      "mart.parts", by: "n", of: "app.part",
      "SELECT n, count(*) AS rows FROM {keys} k JOIN app.part p USING (n) GROUP BY 1")
    try views.make()
    try views.connection.execute("ALTER TABLE app.part DETACH PARTITION app.part_b")
    // Now it is known to be away, and has no triggers.
    try views.refresh()
    if isOther {
      try views.connection.execute("DROP TABLE app.part_b; CREATE TABLE app.part_b (state text, n int)")
    }
    try views.connection.execute(
      """
      ALTER TABLE app.part ATTACH PARTITION app.part_b FOR VALUES IN ('b');
      INSERT INTO app.part VALUES ('b', 1), ('b', 3);
      ALTER TABLE app.part DETACH PARTITION app.part_b
      """)
    try views.refresh()
    try views.expectExact("mart.parts", "after it was a partition for a while")
    // Those that stay are added as before.
    try views.expectExact("mart.parts", afterEach: ["INSERT INTO app.part VALUES ('a', 9)"])
    #expect(
      try views.value("SELECT kind FROM rivulet.view_refresh ORDER BY refresh DESC LIMIT 1") == "incremental")
  }
}
