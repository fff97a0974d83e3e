import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Views whose changes are added up to what is stored, without a look at the rows that have not changed.
@Suite("Changes that are added up")
struct AddedChangesTests {
  private var views: StoredViews

  init() throws {
    views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, state text, owner int, n int, price numeric(8, 2), at timestamptz,
        note text);
      CREATE TABLE app.other (id int PRIMARY KEY, state text);
      CREATE DOMAIN app.positive AS int CHECK (VALUE > -1000);
      CREATE FUNCTION app.twice(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 2 * $1';
      INSERT INTO app.item SELECT g, (ARRAY['new', 'open', 'done', NULL])[1 + g % 4], g % 3, g % 10, g * 1.25,
        timestamptz '2026-01-01' + g * interval '1 hour' FROM generate_series(1, 400) g;
      """)
  }

  /// A view of the items by state.
  private mutating func define(_ columns: String, name: String = "mart.by_state", _ rest: String = "") throws
  {
    try views.define(
      name, by: "state",
      """
      SELECT k.state, \(columns) FROM {keys} k JOIN app.item i ON i.state IS NOT DISTINCT FROM k.state \(rest)
      GROUP BY k.state
      """)
  }

  /// Why changes of a view are not added up; nil where they are.
  private func obstacle(_ name: String = "mart.by_state") throws -> String? {
    let row = try views.connection.query(
      "SELECT sums, sums_reason FROM rivulet.view WHERE name = $1", [.text(name)])[0]
    return try row.value(0, Bool.self) ? nil : row[1] ?? "no reason"
  }

  @Test("are those of counts, exact sums and extremes of one table; others say why they are not")
  mutating func shapes() throws {
    let added = [
      "count(*) AS n", "count(i.n) FILTER (WHERE i.n > 3) AS n", "sum(i.n) AS n", "sum(i.price) AS n",
      "avg(i.n) AS n", "round(avg(i.price), 2) AS n", "min(i.at) AS n", "max(i.price) AS n",
      "bool_or(i.n > 3) AS n", "every(i.n > 3) AS n", "coalesce(sum(i.n), 0) * 2 + count(*) AS n",
      "sum(i.n * interval '1 day') AS n", "min(i.note) AS n",
    ]
    let others = [
      ("sum(i.n::float8) AS n", "a sum of double precision is not the same in another order"),
      ("sum(i.price * i.n) AS n", "the sum of a numeric without a scale"),
      ("count(DISTINCT i.n) AS n", "it has count(DISTINCT)"),
      ("string_agg(i.note, ',' ORDER BY i.id) AS n", "its parts cannot be had"),
      ("sum(app.twice(i.n)) AS n", "not the server's own"),
      ("min(i.at::date) AS n", "depends on settings of the session"),
      ("max(i.at::text) AS n", "by way of their text"),
      ("count(i.n::app.positive) AS n", "values of a domain"),
      ("count(*) FILTER (WHERE (i.at, i.n) >= (date '2026-01-03', 0)) AS n", "compares rows"),
      ("count(i) AS n", "whole rows"),
      ("max(i.ctid) AS n", "its parts cannot be had"), ("count(i.tableoid) AS n", "its parts cannot be had"),
      ("count(*) FILTER (WHERE EXISTS (SELECT WHERE i.n > 2)) AS n", "a query within an expression"),
    ]
    for (index, columns) in added.enumerated() { try define(columns, name: "mart.added_\(index)") }
    for (index, other) in others.enumerated() { try define(other.0, name: "mart.other_\(index)") }
    try define(
      "count(*) AS n", name: "mart.joined", "LEFT JOIN LATERAL (SELECT i.n + 1) l(m) ON true WHERE l.m > 2")
    try define("count(*) AS n", name: "mart.two", "JOIN app.item o ON o.id = i.id")
    try define("count(*) AS n", name: "mart.outer", "RIGHT JOIN (VALUES (1)) v(x) ON true")
    try views.define(
      "mart.keyed", by: "state", keys: "SELECT lower(state) FROM changed",
      "SELECT k.state, count(*) AS n FROM {keys} k JOIN app.item i ON lower(i.state) = k.state GROUP BY 1")
    try views.define(
      "mart.several", by: "state", keys: "SELECT unnest(ARRAY[state, state]) FROM changed",
      "SELECT k.state, count(*) AS n FROM {keys} k JOIN app.item i ON i.state = k.state GROUP BY 1")
    try views.define(
      "mart.having", by: "state",
      "SELECT k.state, count(*) AS n FROM {keys} k JOIN app.item i USING (state) GROUP BY 1 HAVING count(*) > 3"
    )
    try views.make()
    for index in added.indices { #expect(try obstacle("mart.added_\(index)") == nil, "\(added[index])") }
    for (index, other) in others.enumerated() {
      let found = try obstacle("mart.other_\(index)")
      #expect(found?.contains(other.1) == true, "\(other.0): \(found ?? "added")")
    }
    try views.define(
      "mart.loose", by: "state",
      """
      SELECT k.state, count(*) AS n
      FROM {keys} k JOIN app.item i ON i.state = k.state OR i.state IS NULL AND k.state IS NULL GROUP BY 1
      """)
    try views.define(
      "mart.wider", by: "state", capture: "state, n", keys: "SELECT state FROM changed WHERE n > 3",
      "SELECT k.state, count(*) AS n FROM {keys} k JOIN app.item i USING (state) GROUP BY 1")
    try views.define(
      "mart.narrow", by: "state", capture: "state, n", keys: "SELECT state FROM changed WHERE n > 3",
      "SELECT k.state, count(*) AS n FROM {keys} k JOIN app.item i USING (state) WHERE i.n > 3 GROUP BY 1")
    try views.define(
      "mart.bare", by: "state",
      "SELECT state, count(*) AS n FROM {keys} k JOIN app.item USING (state) GROUP BY state")
    try views.define(
      "mart.cased", by: "state",
      """
      SELECT k.state, count(*) AS n FROM {keys} k
      JOIN app.item i ON CASE WHEN i.n < 5 THEN true AND i.state = k.state AND true ELSE i.state = k.state END GROUP BY 1
      """)
    try views.define(
      "mart.truth", by: "state", capture: "n", keys: "SELECT (n > 3) IS NOT FALSE FROM changed",
      "SELECT k.state, count(*) AS n FROM {keys} k JOIN app.item i ON k.state = (i.n > 3) IS NOT FALSE GROUP BY 1"
    )
    try views.define(
      "mart.catalog", by: "state",
      """
      SELECT k.state, count(*) AS n FROM {keys} k JOIN app.item i ON i.state = k.state
      CROSS JOIN (SELECT FROM pg_catalog.pg_am) a GROUP BY 1
      """)
    try views.define(
      "mart.place", by: "place", of: "app.item", capture: "n", keys: "SELECT n FROM changed",
      "SELECT k.place, min(i.at) AS n FROM {keys} k JOIN app.item i ON i.n = k.place GROUP BY 1")
    try views.define(
      "mart.renamed", by: "state",
      "SELECT k.state AS known, max(i.state) AS state FROM {keys} k JOIN app.item i USING (state) GROUP BY k.state"
    )
    try views.make()
    #expect(
      try obstacle("mart.joined") == nil && obstacle("mart.keyed") == nil && obstacle("mart.narrow") == nil)
    #expect(try obstacle("mart.bare") == nil && obstacle("mart.place") == nil)
    for (name, reason) in [
      ("two", "more than once"), ("outer", "outer join"), ("several", "its text does not tell"),
      ("having", "it has HAVING"),
      ("loose", "its text does not tell"), ("cased", "its text does not tell"),
      ("truth", "its text does not tell"),
      ("catalog", "more than one table"), ("wider", "its text does not tell"),
      ("renamed", "not grouped by its key"),
    ] {
      let found = try obstacle("mart.\(name)")
      #expect(found?.contains(reason) == true, "\(name): \(found ?? "added")")
    }
    // Whichever way they go, they are exact.
    for change in [
      "UPDATE app.item SET state = 'done', n = n + 1, price = price + 0.05 WHERE id % 7 = 0",
      "DELETE FROM app.item WHERE id < 20",
      "INSERT INTO app.item SELECT g, 'late', 1, NULL, NULL, NULL FROM generate_series(1000, 1010) g",
      "DELETE FROM app.item WHERE state = 'late'", "UPDATE app.item SET state = NULL WHERE state = 'open'",
    ] {
      try views.connection.execute(change)
      try views.refresh()
      // The groups of two are not those of their keys, whichever way they are computed.
      for view in views.definitions where !["mart.wider", "mart.truth"].contains(view.name) {
        try views.expectExact(view.name, "\(view.name): \(change)")
      }
    }
  }

  @Test(
    "leave one row for each group that a statement has changed, and none where it has changed nothing of it")
  mutating func queue() throws {
    try define("count(*) AS n, sum(i.n) AS sum, min(i.at) AS first, bool_or(i.n > 8) AS has")
    try views.make()
    for (change, rows) in [
      ("UPDATE app.item SET note = 'x'", 0), ("UPDATE app.item SET state = state, n = n", 0),
      ("UPDATE app.item SET n = n + 1 WHERE state = 'new'", 1),
      ("UPDATE app.item SET state = 'open' WHERE id = 8", 2), ("DELETE FROM app.item WHERE id > 500", 0),
      ("INSERT INTO app.item SELECT g, 'new', 1, 1 FROM generate_series(1001, 2000) g", 1),
      ("DELETE FROM app.item WHERE id BETWEEN 21 AND 40", 4),
    ] {
      try views.connection.execute(change)
      #expect(try views.pending("mart.by_state") == rows, "\(change)")
      try views.refresh()
      try views.expectExact("mart.by_state", "\(change)")
    }
  }

  @Test("ask a group again for its smallest and greatest value, where that was taken away")
  mutating func extremes() throws {
    try define("min(i.at) AS first, max(i.n) FILTER (WHERE i.owner = 1) AS most, count(*) AS n")
    try views.make()
    try views.expectExact(
      "mart.by_state",
      afterEach: [
        "DELETE FROM app.item WHERE id = (SELECT id FROM app.item WHERE state = 'open' ORDER BY at LIMIT 1)",
        "UPDATE app.item SET n = 100 WHERE id = 202", "UPDATE app.item SET n = 1 WHERE id = 202",
        "UPDATE app.item SET at = NULL WHERE state = 'done'",
        "UPDATE app.item SET at = now() + id * interval '1 s' WHERE state = 'done'",
        "DELETE FROM app.item WHERE id IN (SELECT min(id) FROM app.item GROUP BY state)",
        "UPDATE app.item SET at = at - interval '1 year', n = n - 50 WHERE owner = 1",
      ])
    // What one statement has brought another takes away again, before any refresh.
    try views.connection.execute(
      """
      INSERT INTO app.item VALUES (5000, 'open', 1, 900, 1, '1999-01-01');
      UPDATE app.item SET at = '1998-01-01', n = 901 WHERE id = 5000; DELETE FROM app.item WHERE id = 5000;
      INSERT INTO app.item VALUES (5001, 'brief', 1, 900, 1, '1999-01-01'); DELETE FROM app.item WHERE id = 5001;
      """)
    try views.expectExact("mart.by_state", refreshed: .incremental)
  }

  @Test("are computed from their rows where a value is no number")
  mutating func noNumber() throws {
    try define("sum(i.price) AS sum, avg(i.price) AS average")
    try views.make()
    try views.expectExact(
      "mart.by_state",
      afterEach: [
        "UPDATE app.item SET price = 'NaN' WHERE id = 4", "UPDATE app.item SET price = 2 WHERE id = 8",
        "UPDATE app.item SET price = 1 WHERE id = 4", "UPDATE app.item SET price = 3 WHERE id = 12",
      ])
  }

  @Test("fail nobody's statement where the view cannot be computed of it")
  mutating func failing() throws {
    try define("sum(10 / i.n) FILTER (WHERE i.owner = 1) AS sum", "WHERE i.n <> 3")
    try views.connection.execute("UPDATE app.item SET n = 1 WHERE n = 0")
    try views.make()
    #expect(try obstacle() == nil)
    try views.connection.execute("UPDATE app.item SET n = 0 WHERE id = 10")
    #expect(try views.engine.refresh(RefreshRequest(), on: views.connection).map(\.outcome) == [.failed])
    try views.connection.execute("UPDATE app.item SET n = 5 WHERE id = 10")
    try views.expectExact("mart.by_state", refreshed: .full)
    try views.expectExact("mart.by_state", afterEach: ["UPDATE app.item SET n = 2 WHERE id = 10"])
  }

  @Test("mean the same in every session: constants are those of the project's time zone")
  mutating func sessions() throws {
    try define(
      "count(*) FILTER (WHERE i.at >= '2026-01-03') AS n, bool_or(10 / i.n > 3) FILTER (WHERE i.n <> 0) AS b")
    try views.make()
    #expect(try obstacle() == nil)
    let other = try views.database.connect()
    try other.execute("SET timezone = 'Asia/Tokyo'; SET datestyle = 'SQL, DMY'")
    try other.execute("INSERT INTO app.item VALUES (7000, 'new', 1, 0, 1, '2026-01-02 20:00+00')")
    try views.expectExact("mart.by_state", refreshed: .incremental)
  }

  @Test("fail nobody's statement where a column has another name or meaning since, and are put right")
  mutating func altered() throws {
    try views.define(
      "mart.by_state", by: "state",
      "SELECT k.state, count(owner) AS n FROM {keys} k JOIN app.item i USING (state) GROUP BY 1")
    try views.make()
    try views.connection.execute(
      "ALTER TABLE app.item RENAME owner TO keeper; UPDATE app.item SET state = 'open' WHERE id = 4")
    _ = try? views.engine.refresh(RefreshRequest(), on: views.connection)
    try views.connection.execute("ALTER TABLE app.item RENAME keeper TO owner")
    let problems = try views.engine.synchronise(on: views.connection)
    #expect(problems.isEmpty)
    try views.refresh()
    try views.expectExact("mart.by_state")
    try views.connection.execute("UPDATE app.item SET state = 'done' WHERE id = 8")
    try views.expectExact("mart.by_state", refreshed: .incremental)
  }

  @Test("are computed from all rows where what is stored cannot be right")
  mutating func tampered() throws {
    try define("count(*) AS n")
    try views.make()
    let table = try #require(try views.value("SELECT 'rivulet.sums_' || number FROM rivulet.view"))
    try views.connection.execute("UPDATE \(table) SET rivulet_rows = 0, c1 = 0 WHERE state = 'new'")
    try views.connection.execute("DELETE FROM app.item WHERE id = 4")
    try views.expectExact("mart.by_state", refreshed: .full)
  }

  @Test(
    "are made again where the table of what is stored was dropped by hand, or its sources are others by now")
  mutating func remade() throws {
    try define("sum(i.price) AS sum")
    try views.make()
    func sums() throws -> String? { try views.value("SELECT 'rivulet.sums_' || number FROM rivulet.view") }
    try views.connection.execute("DROP TABLE \(try #require(try sums()))")
    _ = try views.engine.refresh(RefreshRequest(), on: views.connection)
    try views.make()
    try views.expectExact("mart.by_state", afterEach: ["UPDATE app.item SET price = 7 WHERE id = 4"])
    // Its plain view keeps a type from being altered; who drops it may.
    let plain = try #require(try views.value("SELECT 'rivulet.view_' || number FROM rivulet.view"))
    try views.connection.execute("DROP VIEW \(plain); ALTER TABLE app.item ALTER price TYPE numeric")
    try views.make()
    #expect(try obstacle()?.contains("without a scale") == true)
    try views.expectExact(
      "mart.by_state",
      afterEach: ["UPDATE app.item SET price = 1.12345 WHERE id = 4", "DELETE FROM app.item WHERE id = 4"])
  }

  @Test("ask for no value of rows that a FILTER leaves out")
  mutating func filtered() throws {
    try define(
      "max(10 / i.n) FILTER (WHERE i.n <> 0) AS most, bool_and(10 / i.n > 3) FILTER (WHERE i.n <> 0) AS every"
    )
    try views.make()
    #expect(try obstacle() == nil)
    try views.expectExact(
      "mart.by_state",
      afterEach: ["DELETE FROM app.item WHERE n = 1", "UPDATE app.item SET n = 0 WHERE n = 2"])
  }

  @Test("are taken whole by a refresh, or not at all, while many write")
  mutating func concurrent() throws {
    try define("count(*) AS n, sum(i.n) AS sum, min(i.at) AS first")
    try views.make()
    let database = views.database
    let writers = (0..<4).map { writer in
      Background {
        let connection = try database.connect()
        for turn in 0..<120 {
          let id = 1 + (turn * 7 + writer * 100) % 400
          try connection.execute(
            """
            UPDATE app.item SET state = (ARRAY['new', 'open', 'done'])[1 + \(turn) % 3], n = n + 1 WHERE id = \(id)
            """)
        }
      }
    }
    for _ in 0..<30 { try views.refresh() }
    for writer in writers { try writer.wait() }
    try views.refresh()
    try views.expectExact("mart.by_state")
    #expect(try views.pending("mart.by_state") == 0)
  }
}
