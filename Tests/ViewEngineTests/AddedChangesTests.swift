import Definitions
import PostgreSQL
import TestSupport
import Testing

@testable import ViewEngine

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

  /// How changes of a view are added up, `sums` or `rows`; nil where they are not.
  private func way(_ name: String = "mart.by_state") throws -> String? {
    try views.connection.query(
      "SELECT adds FROM rivulet.view_source WHERE view = $1 AND adds IS NOT NULL", [.text(name)]
    ).first?[0]
  }

  /// Why statements do not add up what they change of a view; nil where they do.
  private func obstacle(_ name: String = "mart.by_state") throws -> String? {
    let reason = try views.connection.query(
      "SELECT sums_reason FROM rivulet.view WHERE name = $1", [.text(name)])[0][0]
    return try way(name) == "sums" ? reason : reason ?? "no reason"
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
      ("count(DISTINCT i.note::varchar(5)) FILTER (WHERE i.n > 1) AS n", "it has count(DISTINCT)"),
      ("sum(DISTINCT i.n) AS n", "it has sum(DISTINCT)"),
      ("count(DISTINCT ARRAY[i.note]) AS n", "too long for an index"),
      ("string_agg(i.note, ',' ORDER BY i.id) AS n", "it has string_agg"),
      ("max(i.n) + stddev(i.n) AS n", "it has stddev"),
      ("sum(app.twice(i.n)) AS n", "not the server's own"),
      ("min(i.at::date) AS n", "depends on settings of the session"),
      ("max(i.at::text) AS n", "by way of their text"),
      ("count(i.n::app.positive) AS n", "values of a domain"),
      ("count(*) FILTER (WHERE (i.at, i.n) >= (date '2026-01-03', 0)) AS n", "compares rows"),
      ("count(i) AS n", "whole rows"),
      ("max(i.ctid) AS n", "columns of the system"), ("count(i.tableoid) AS n", "columns of the system"),
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
      let isAdded = other.1.contains("count(DISTINCT)") || other.1.contains("settings of the session")
      #expect(try way("mart.other_\(index)") == (isAdded ? "rows" : nil), "\(other.0)")
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
      ("two", "once"), ("outer", "outer join"), ("several", "its text does not tell"),
      ("having", "it has HAVING"),
      ("loose", "its text does not tell"), ("cased", "its text does not tell"),
      ("truth", "its text does not tell"),
      ("catalog", "not among its sources"), ("wider", "its text does not tell"),
      ("renamed", "not grouped by its key"),
    ] {
      let found = try obstacle("mart.\(name)")
      #expect(found?.contains(reason) == true, "\(name): \(found ?? "added")")
    }
    for name in ["loose", "cased", "several"] { #expect(try way("mart.\(name)") == "rows", "\(name)") }
    for name in ["two", "outer", "having", "catalog", "renamed"] {
      #expect(try way("mart.\(name)") == nil, "\(name)")
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

  /// The items by the title of their state, which another table has.
  private mutating func defineByTitle() throws {
    try views.connection.execute(
      """
      CREATE TABLE app.status (code text PRIMARY KEY, title text, is_open boolean);
      INSERT INTO app.status VALUES ('new', 'Waiting', true), ('open', 'Waiting', true), ('done', 'Over', false);
      """)
    try views.define(
      "mart.by_title",
      """
      strategy: incremental
      description: Items by the title of their state
      key: [title]
      rebuild_share: 100%
      sources:
        app.status: {capture: [title], keys: SELECT title FROM changed}
        app.item: {capture: [state], keys: SELECT s.title FROM changed JOIN app.status s ON s.code = changed.state}
      """,
      """
      SELECT k.title, count(*) AS n, sum(i.price) AS price, min(i.at) AS first, max(i.at::date) AS last,
        count(DISTINCT i.owner) AS owners, count(DISTINCT i.note) FILTER (WHERE s.is_open) AS notes,
        sum(i.n) FILTER (WHERE s.is_open) AS open
      FROM {keys} k JOIN app.status s ON s.title IS NOT DISTINCT FROM k.title JOIN app.item i ON i.state = s.code
      GROUP BY k.title
      """)
    try views.make()
    #expect(try way("mart.by_title") == "rows")
    #expect(try views.value("SELECT source FROM rivulet.view_source WHERE adds = 'rows'") == "app.item")
  }

  @Test("are those of rows that are joined to others by what distinguishes these, whichever of them change")
  mutating func joined() throws {
    try defineByTitle()
    try views.expectExact(
      "mart.by_title",
      afterEach: [
        "UPDATE app.item SET state = 'done' WHERE id = 4", "UPDATE app.item SET note = 'n' || id % 5",
        "DELETE FROM app.item WHERE owner = 2 AND state = 'new'",
        "INSERT INTO app.item SELECT g, 'open', g % 9, 1, 2.5, '2027-01-01', repeat('long', g) FROM generate_series(1000, 1400) g",
        "UPDATE app.status SET title = 'Over' WHERE code = 'open'",
        "UPDATE app.item SET owner = 77, note = NULL WHERE id % 3 = 0",
        "UPDATE app.item SET state = 'lost' WHERE id % 5 = 1",
        "INSERT INTO app.status VALUES ('lost', NULL, true)",
        "UPDATE app.item SET state = 'new' WHERE state = 'lost'; UPDATE app.status SET is_open = NOT is_open",
        "DELETE FROM app.status WHERE code = 'done'; DELETE FROM app.item WHERE state = 'done' AND n < 5",
        "INSERT INTO app.status VALUES ('done', 'Waiting', true)",
        "UPDATE app.status SET code = 'open' || code; UPDATE app.status SET code = 'open' WHERE code = 'openopen'",
        "DELETE FROM app.item WHERE id > 1200", "DELETE FROM app.item WHERE state = 'open'",
      ])
    #expect(try views.value("SELECT count(*) FROM app.item i JOIN app.status s ON s.code = i.state") == "0")
    #expect(
      try views.value("SELECT count(*) FROM rivulet.values_1_5") == "0", "nothing is kept of what is gone")
  }

  @Test("forget the smallest and greatest value that came and went between two refreshes")
  mutating func extremesOfRows() throws {
    try define(
      "min(i.n) AS least, max(i.n) AS most, max(i.at) FILTER (WHERE i.owner = 1) AS last, count(DISTINCT i.n) AS ns"
    )
    try views.make()
    #expect(try way() == "rows")
    try views.expectExact(
      "mart.by_state",
      afterEach: [
        "INSERT INTO app.item VALUES (8000, 'new', 1, 500, 1, '2030-01-01'), (8001, 'new', 1, 20, 1, '2029-01-01'); UPDATE app.item SET n = 400 WHERE id = 8000; UPDATE app.item SET state = 'open' WHERE id = 8000",
        "UPDATE app.item SET note = 'x' WHERE n = 400; DELETE FROM app.item WHERE n = 400",
        "UPDATE app.item SET note = 'y' WHERE id = 8001; UPDATE app.item SET n = NULL, at = NULL WHERE id = 8001",
        "INSERT INTO app.item VALUES (8002, 'brief', 1, -7, 1, NULL); UPDATE app.item SET note = 'z' WHERE id = 8002; DELETE FROM app.item WHERE id = 8002",
      ])
  }

  @Test("are left to the groups where a text says less than it seems")
  mutating func texts() throws {
    try views.connection.execute(
      """
      CREATE TABLE app.status (code text PRIMARY KEY, title text);
      CREATE TABLE app.own (id int, state text, rivulet_sign int);
      INSERT INTO app.status VALUES ('new', 'Waiting'), ('none', 'Empty');
      """)
    func define(_ name: String, _ select: String) throws {
      try views.define(
        name,
        """
        strategy: incremental
        description: Items by the title of their state
        key: [title]
        rebuild_share: 100%
        sources:
          app.status: {capture: [title], keys: SELECT title FROM changed}
          app.item: {capture: [state], keys: SELECT s.title FROM changed JOIN app.status s ON s.code = changed.state}
        """, select + " GROUP BY k.title")
    }
    let nested = [
      "JOIN app.item i ON i.state = s.code ON s.title = k.title",
      "CROSS JOIN app.item i ON s.title = k.title AND i.state = s.code",
    ]
    for (index, join) in nested.enumerated() {
      try define(
        "mart.nested_\(index)",
        "SELECT k.title, count(*) AS n, count(DISTINCT i.n) AS ns FROM {keys} k LEFT JOIN app.status s \(join)"
      )
    }
    try define(
      "mart.named",
      "SELECT k.title, sum(i.c) AS n FROM {keys} k JOIN app.status s USING (title) JOIN app.item AS i(a, b, c) ON i.b = s.code"
    )
    try define(
      "mart.all",
      "SELECT k.title, count(*) FILTER (WHERE ROW(i.*) IS NULL) AS n FROM {keys} k JOIN app.status s USING (title) JOIN app.item AS i ON i.state = s.code"
    )
    try views.define(
      "mart.own", by: "state", of: "app.own",
      "SELECT k.state, sum(i.rivulet_sign) AS n, count(DISTINCT i.id) AS ids FROM {keys} k JOIN app.own i USING (state) GROUP BY 1"
    )
    try views.define(
      "mart.former", by: "former", capture: "n", keys: "SELECT n FROM changed",
      "SELECT k.former, count(DISTINCT i.state) AS n FROM {keys} k JOIN app.item i ON i.n = k.former GROUP BY 1"
    )
    try views.make()
    for name in ["nested_0", "nested_1", "all", "own"] {
      #expect(try way("mart.\(name)") == nil, "\(name)")
    }
    #expect(try way("mart.former") == "rows")
    for change in [
      "INSERT INTO app.item VALUES (9100, 'none', 1, 3)",
      "INSERT INTO app.own VALUES (1, 'a', 2), (2, 'a', 3)",
      "UPDATE app.item SET n = n + 1, owner = 5 WHERE id % 3 = 0", "DELETE FROM app.own WHERE id = 1",
    ] {
      try views.connection.execute(change)
      try views.refresh()
      for view in views.definitions { try views.expectExact(view.name, "\(view.name): \(change)") }
    }
  }

  @Test(
    "follow the time zone of the project",
    arguments: ["count(*) FILTER (WHERE i.at < '2026-01-03 20:00') AS n", "max(i.at::date) AS day"])
  mutating func timeZone(_ columns: String) throws {
    try define(columns)
    try views.make()
    try views.connection.execute("UPDATE rivulet.setting SET value = 'Asia/Tokyo' WHERE name = 'time_zone'")
    try views.connection.execute("SET timezone = 'Asia/Tokyo'")
    try views.expectExact("mart.by_state", refreshed: .full)
    try views.expectExact(
      "mart.by_state",
      afterEach: [
        "UPDATE app.item SET at = '2026-01-03 21:00+09' WHERE id = 4", "DELETE FROM app.item WHERE id = 8",
      ])
  }

  @Test("are computed from all rows where one of them, which is gone, has no value")
  mutating func gone() throws {
    try define("count(DISTINCT 10 / (i.n + 1)) AS ns, count(DISTINCT i.note) AS notes")
    try views.make()
    try views.connection.execute(
      "INSERT INTO app.item VALUES (8100, 'new', 1, -1); DELETE FROM app.item WHERE id = 8100")
    try views.expectExact("mart.by_state", refreshed: .full)
    try views.connection.execute(
      """
      INSERT INTO app.item SELECT 8200 + g, 'new', 1, 1, 1, NULL, repeat('long ', 3000) || g % 2 FROM generate_series(1, 4) g;
      INSERT INTO app.item SELECT 8300, 'new', 1, 1, 1, NULL, '#' || encode(sha512(convert_to(note, 'UTF8')), 'hex')
        FROM app.item WHERE id = 8201
      """)
    try views.expectExact("mart.by_state", refreshed: .incremental)
    try views.expectExact(
      "mart.by_state",
      afterEach: ["DELETE FROM app.item WHERE id = 8201", "DELETE FROM app.item WHERE id = 8203"])
  }

  @Test("are exact where a writer has seen other rows of the joined table than the refresh before it")
  mutating func joinedMeanwhile() throws {
    try defineByTitle()
    let writer = try views.database.connect()
    try writer.execute(
      """
      BEGIN ISOLATION LEVEL REPEATABLE READ;
      UPDATE app.item SET price = price + 1 WHERE id = 5; INSERT INTO app.item VALUES (9000, 'open', 5, 5, 5);
      """)
    try views.expectExact(
      "mart.by_title", afterEach: ["UPDATE app.status SET title = 'Later' WHERE code = 'open'"])
    try writer.execute("DELETE FROM app.item WHERE id = 9; COMMIT")
    try views.expectExact("mart.by_title", refreshed: .incremental)
    try views.expectExact("mart.by_title", afterEach: ["DELETE FROM app.item WHERE id IN (1, 5, 9000)"])
  }

  @Test("of values that are counted once: whichever come and go, and how often, between two refreshes")
  mutating func distinct() throws {
    try define(
      "count(DISTINCT i.n) AS ns, count(DISTINCT i.price) + count(*) AS prices, count(DISTINCT i.owner) AS owners"
    )
    try views.make()
    #expect(try way() == "rows")
    try views.expectExact(
      "mart.by_state",
      afterEach: [
        "UPDATE app.item SET n = 3 WHERE state = 'new'", "UPDATE app.item SET n = NULL WHERE n = 3",
        "INSERT INTO app.item SELECT g, 'late', g % 2, g, 1.5 FROM generate_series(1000, 1010) g; DELETE FROM app.item WHERE id = 1004",
        "UPDATE app.item SET n = 1 WHERE state = 'late'; UPDATE app.item SET n = 2 WHERE state = 'late'",
        "DELETE FROM app.item WHERE state = 'late'", "UPDATE app.item SET state = NULL WHERE id % 2 = 0",
        "UPDATE app.item SET state = 'new', n = 9 WHERE state IS NULL",
      ])
    let table = "rivulet.values_\(try #require(try views.value("SELECT number FROM rivulet.view")))_1"
    try views.connection.execute(
      "UPDATE \(table) SET rivulet_n = 0 WHERE state = 'new'; UPDATE app.item SET n = 4 WHERE n = 9")
    try views.expectExact("mart.by_state", refreshed: .full)
    try views.connection.execute("DROP TABLE \(table)")
    _ = try views.engine.refresh(RefreshRequest(), on: views.connection)
    try views.make()
    try views.expectExact("mart.by_state", afterEach: ["UPDATE app.item SET n = 5 WHERE id < 50"])
    try views.define("mart.by_state", by: "state", "SELECT k.state FROM {keys} k")
    try views.make()
    #expect(try views.value("SELECT count(*) FROM pg_class WHERE relname ~ '^(values|sums)_'") == "0")
  }

  @Test("take little space in the queue, and give it back once a refresh has taken many")
  mutating func space() throws {
    try define("count(*) AS n, min(i.at) AS first")
    try views.make()
    try views.connection.execute(
      """
      DO $$ BEGIN
        FOR turn IN 1..20000 LOOP
          UPDATE app.item SET state = (ARRAY['new', 'open', 'done'])[1 + turn % 3] WHERE id = 4;
        END LOOP;
      END $$
      """)
    let queue = try #require(try views.value("SELECT queue FROM rivulet.view_source"))
    func size() throws -> Int? { try views.value("SELECT pg_relation_size('\(queue)')").flatMap(Int.init) }
    let (rows, bytes) = (try views.pending("mart.by_state"), try #require(try size()))
    #expect(rows > 39_000 && bytes < 56 * rows, "\(rows) rows take \(bytes) bytes")
    // More than the table has.
    try views.expectExact("mart.by_state", refreshed: .full)
    #expect(try size() == 0)
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
    try views.connection.execute("UPDATE \(table) SET rivulet_rows = 0 WHERE state = 'new'")
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

  @Test("are computed of all rows by one look at the table, as the SELECT itself is")
  mutating func plan() throws {
    try define("count(*) AS n, min(i.at) AS first")
    try views.define(
      "mart.open", by: "owner", capture: "owner, state",
      keys: "SELECT owner FROM changed WHERE state = ''open''",
      "SELECT owner, sum(n) AS n FROM {keys} k JOIN app.item i USING (owner) WHERE state = 'open' GROUP BY 1")
    for view in views.definitions {
      let shape = try SumsShape(view, of: "app.item")
      let plan = try views.connection.lines("EXPLAIN (COSTS OFF) \(shape.contributions(shape.fromAll))")
      #expect(plan.filter { $0.contains("Scan on") }.count == 1, "\(plan)")
      #expect(!plan.contains { $0.contains("Memoize") || $0.contains("Subquery Scan") }, "\(plan)")
    }
  }
}
