import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Many transactions that are open at once and have each changed rows of the same groups.
@Suite("Writers of one group")
struct WritersOfOneGroupTests {
  private static let writers = 16
  private var views: StoredViews

  init() throws {
    views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, state text, owner int, n int, at timestamptz);
      INSERT INTO app.item SELECT g, 'open', 1, g, timestamptz '2026-01-01' + g * interval '1 hour'
      FROM generate_series(1, 64) g
      """)
    try views.define(
      "mart.by_state", by: "state",
      "SELECT k.state, count(*) AS n, min(i.at) AS first FROM {keys} k JOIN app.item i USING (state) GROUP BY 1"
    )
    try views.define(
      "mart.pending", by: "owner", capture: "owner, state",
      keys: "SELECT owner FROM changed WHERE state = ''open''",
      "SELECT owner, count(*) AS n FROM {keys} k JOIN app.item i USING (owner) WHERE i.state = 'open' GROUP BY 1"
    )
    try views.define(
      "mart.sum", by: "owner",
      "SELECT owner, sum(i.n) AS n, max(i.n) AS most FROM {keys} k JOIN app.item i USING (owner) GROUP BY 1")
    try views.make()
  }

  @Test("never wait for each other, nor for a refresh that is at work, and all of what they did is counted")
  func together() throws {
    #expect(try views.value("SELECT count(*) FROM rivulet.view_source WHERE adds = 'sums'") == "3")
    let connections = try (0..<Self.writers).map { _ in try views.database.connect() }
    for (index, connection) in connections.enumerated() {
      // One that waited would do so for ever, since this thread commits all of them.
      try connection.execute("SET lock_timeout = '10s'; BEGIN")
      try connection.execute(
        "UPDATE app.item SET n = n + 100, at = at - interval '1 day' WHERE id = \(index + 1)")
      try connection.execute("DELETE FROM app.item WHERE id = \(index + 17)")
      try connection.execute("INSERT INTO app.item VALUES (\(index + 1000), 'open', 1, 5, '2025-06-01')")
      if index % 4 == 3 { try views.refresh() }
    }
    let processes = connections.map { String($0.process) }.joined(separator: ", ")
    #expect(
      try views.connection.lines(
        """
        SELECT state, count(*), count(*) FILTER (WHERE cardinality(pg_blocking_pids(pid)) > 0)
        FROM pg_stat_activity WHERE pid IN (\(processes)) GROUP BY 1
        """) == ["idle in transaction|\(Self.writers)|0"])
    #expect(try views.value("SELECT n FROM mart.by_state") == "64", "none of them has committed")
    for (index, connection) in connections.enumerated() {
      try connection.execute(index % 4 == 2 ? "ROLLBACK" : "COMMIT")
    }
    // A row a statement of those that were committed; moving an item changes no count of those that are pending.
    for (view, statements) in [("mart.by_state", 3), ("mart.pending", 2), ("mart.sum", 3)] {
      #expect(try views.pending(view) == 12 * statements, "\(view)")
    }
    for refresh in try views.refresh() { #expect(refresh.kind == .incremental) }
    for view in views.definitions { try views.expectExact(view.name) }
  }
}
