import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A MERGE with an UPDATE action into a partitioned table, of which the server's transition tables are wrong.
@Suite("What a MERGE changes in a partitioned table")
struct MergedRowsTests {
  /// Updates what it finds, some of it into another partition, and inserts between two rows that it updates.
  private static let merge = """
    MERGE INTO app.part e USING (VALUES ('a', 5), ('a', 2), ('a', 6), ('a', 3)) s (state, day)
    ON e.state = s.state AND e.day = s.day
    WHEN MATCHED THEN UPDATE SET size = e.size + 1 WHEN NOT MATCHED THEN INSERT VALUES (s.state, s.day, 70)
    """
  private static let move = """
    MERGE INTO app.part e USING (VALUES ('a', 2), ('a', 3)) s (state, day) ON e.state = s.state AND e.day = s.day
    WHEN MATCHED THEN UPDATE SET state = 'b'
    """

  /// Views that go every way, of a table with parts.
  private func views() throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.part (state text, day int, size int) PARTITION BY LIST (state);
      CREATE TABLE app.part_a PARTITION OF app.part FOR VALUES IN ('a');
      CREATE TABLE app.part_b PARTITION OF app.part FOR VALUES IN ('b');
      INSERT INTO app.part VALUES ('a', 1, 10), ('a', 2, 20), ('a', 3, 30), ('b', 1, 40);
      """)
    try views.define(
      "mart.added", by: "state, day", of: "app.part",
      "SELECT state, day, sum(size) AS size FROM {keys} k JOIN app.part p USING (state, day) GROUP BY 1, 2")
    try views.define(
      "mart.listed", by: "state, day", of: "app.part",
      """
      SELECT state, day, array_agg(size ORDER BY size) AS sizes
      FROM {keys} k JOIN app.part p USING (state, day) GROUP BY 1, 2
      """)
    try views.define(
      "mart.rebuilt", fullBy: "state", "SELECT state, sum(size) AS size FROM app.part GROUP BY 1")
    try views.make()
    #expect(try views.value("SELECT adds FROM rivulet.view_source WHERE view = 'mart.added'") == "sums")
    #expect(try views.value("SELECT adds FROM rivulet.view_source WHERE view = 'mart.listed'") == nil)
    // So that rows are inserted between others that are updated.
    try views.connection.execute("SET enable_hashjoin = off; SET enable_mergejoin = off")
    return views
  }

  /// Each sent by itself, since the server's current query is all that was sent at once.
  @Test(
    "is in its views, however it is called",
    arguments: [
      [merge], [move], ["DO $$ BEGIN \(merge); END $$"], ["DO $$ BEGIN EXECUTE $m$ \(move) $m$; END $$"],
      ["PREPARE one AS \(merge)", "EXECUTE one"],
      ["CREATE FUNCTION app.f() RETURNS void LANGUAGE sql AS $$ \(merge) $$", "SELECT app.f()"],
      ["CREATE PROCEDURE app.p() LANGUAGE plpgsql AS $$ BEGIN \(move); END $$", "CALL app.p()"],
      ["/* m */ \(merge.lowercased())"],
    ])
  func merged(_ statements: [String]) throws {
    let views = try views()
    for statement in statements { try views.connection.execute(statement) }
    try views.refresh()
    for view in views.definitions { try views.expectExact(view.name) }
  }

  @Test(
    "is no other statement, whose changes are added up",
    arguments: [
      ["UPDATE app.part SET state = 'b' WHERE day = 2"], ["UPDATE app.part SET size = size + 1"],
      ["DO $$ BEGIN UPDATE app.part SET state = 'b' WHERE day = 2; END $$"],
      [
        "MERGE INTO app.part_a e USING (VALUES (2)) s (day) ON e.day = s.day WHEN MATCHED THEN UPDATE SET size = 7"
      ],
      ["MERGE INTO app.part e USING (VALUES (2)) s (day) ON e.day = s.day WHEN MATCHED THEN DELETE"],
      ["PREPARE one AS UPDATE app.part SET size = 3 WHERE day = 2", "EXECUTE one"],
    ])
  func others(_ statements: [String]) throws {
    let views = try views()
    for statement in statements { try views.connection.execute(statement) }
    let refreshed = try views.refresh()
    for name in ["mart.added", "mart.listed"] {
      #expect(refreshed.first { $0.view == name }?.kind == .incremental)
      try views.expectExact(name)
    }
  }
}
