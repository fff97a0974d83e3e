import Foundation
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Stored views on a real server.
@Suite("A stored view")
struct StoredViewTests {
  private var views: StoredViews
  private var connection: Connection { views.connection }

  init() throws {
    views = try StoredViews(
      """
      CREATE TABLE app.visit (id int PRIMARY KEY, user_id int, visit_date date);
      CREATE TABLE app.procedure (id int PRIMARY KEY, visit_id int REFERENCES app.visit ON DELETE CASCADE, rvu numeric);
      CREATE INDEX ON app.visit (user_id); CREATE INDEX ON app.procedure (visit_id);
      INSERT INTO app.visit SELECT i, i % 100, DATE '2025-01-01' + i % 60 FROM generate_series(1, 1000) i;
      INSERT INTO app.procedure SELECT i, 1 + i % 1000, i % 7 FROM generate_series(1, 5000) i;
      """)
  }

  /// Relative value units by user and month, and of all months in one row.
  private mutating func defineMonths(_ more: String = "") throws {
    try views.define(
      "mart.by_month",
      """
      strategy: incremental
      description: Relative value units by user and month
      key: [user_id, month]
      sources:
        app.visit:
          capture: [id, user_id, visit_date]
          keys: SELECT user_id, date_trunc('month', visit_date)::date FROM changed
        app.procedure:
          capture: [visit_id]
          keys: |
            SELECT v.user_id, date_trunc('month', v.visit_date)::date
            FROM changed JOIN app.visit v ON v.id = visit_id
      \(more)
      """,
      """
      SELECT k.user_id, k.month, count(DISTINCT v.id) AS visits, sum(p.rvu) AS rvu
      FROM {keys} k
      JOIN app.visit v ON v.user_id = k.user_id AND date_trunc('month', v.visit_date)::date = k.month
      LEFT JOIN app.procedure p ON p.visit_id = v.id
      GROUP BY 1, 2
      """)
    try views.define(
      "mart.total", fullBy: "", "SELECT count(*) AS months, sum(rvu) AS rvu FROM mart.by_month")
  }

  /// Makes and fills what is defined.
  private func make() throws { #expect(try views.engine.synchronise(on: connection).isEmpty) }

  private func isExact(_ view: String) throws -> Bool { try views.differences(of: view).isEmpty }

  @Test("is filled when it is made, and computes the groups that have changed")
  mutating func incremental() throws {
    try defineMonths()
    try make()
    #expect(try connection.query("SELECT count(*) FROM mart.by_month")[0].value(0, Int.self) > 100)
    try views.expectExact("mart.by_month")
    #expect(try views.refresh().map(\.outcome) == [.unchanged, .unchanged])
    try connection.execute(
      """
      UPDATE app.procedure SET rvu = rvu + 1 WHERE id = 17;
      UPDATE app.visit SET user_id = 3 WHERE id = 4;
      DELETE FROM app.visit WHERE id = 7;
      INSERT INTO app.visit VALUES (5000, NULL, '2026-01-01')
      """)
    #expect(try !isExact("mart.by_month"))
    let done = try views.refresh()
    #expect(done.map(\.outcome) == [.refreshed, .refreshed])
    #expect(done[0].kind == .incremental, "\(done[0])")
    #expect(done[0].groups == 5)
    try views.expectExact("mart.by_month")
    try views.expectExact("mart.total")
    try connection.execute("TRUNCATE app.procedure")
    let truncated = try views.refresh()
    #expect(truncated[0].reason == "app.procedure was truncated")
    try views.expectExact("mart.by_month")
    try views.expectExact("mart.total")
  }

  @Test("is computed as a whole when a function that it uses has changed, or a plain view")
  mutating func code() throws {
    try connection.execute(
      """
      CREATE FUNCTION app.weight(numeric) RETURNS numeric IMMUTABLE LANGUAGE sql AS $$ SELECT $1 * 2 $$;
      CREATE VIEW app.heavy AS SELECT id, visit_id, rvu FROM app.procedure WHERE rvu > 3
      """)
    try views.define(
      "mart.weight", by: "visit_id", of: "app.procedure",
      """
      SELECT k.visit_id, sum(app.weight(h.rvu)) AS weight
      FROM {keys} k JOIN app.heavy h ON h.visit_id = k.visit_id GROUP BY k.visit_id
      """)
    try make()
    #expect(try views.refresh().map(\.outcome) == [.unchanged])
    let changes = [
      "CREATE OR REPLACE FUNCTION app.weight(numeric) RETURNS numeric IMMUTABLE LANGUAGE sql AS $$ SELECT $1 * 3 $$",
      "CREATE OR REPLACE VIEW app.heavy AS SELECT id, visit_id, rvu FROM app.procedure WHERE rvu > 4",
    ]
    for change in changes {
      try connection.execute(change)
      #expect(try !isExact("mart.weight"))
      #expect(try views.engine.status(on: connection)[0].behind.count == 1)
      let done = try views.refresh()
      #expect(done[0].reason == "a function or a plain view that it is computed with has changed")
      try views.expectExact("mart.weight")
      #expect(try views.engine.status(on: connection)[0].behind.isEmpty)
    }
    // Computed, and changed again, in the transaction that changed it first.
    func weigh(_ times: Int) throws {
      try connection.execute(
        "CREATE OR REPLACE FUNCTION app.weight(numeric) RETURNS numeric IMMUTABLE LANGUAGE sql AS $$ SELECT $1 * \(times) $$"
      )
    }
    try connection.transaction {
      try weigh(4)
      try connection.execute("DROP TABLE mart.weight CASCADE")
      #expect(try views.engine.remakeBroken(on: connection))
      try views.expectExact("mart.weight")
      try weigh(5)
    }
    #expect(try views.refresh().map(\.kind) == [.full])
    try views.expectExact("mart.weight")
    // Changed in what does not count.
    try connection.execute(
      "GRANT SELECT ON app.procedure TO PUBLIC; ALTER FUNCTION app.weight(numeric) COST 7; ALTER VIEW app.heavy SET (security_barrier)"
    )
    let request = RefreshRequest(.named(["mart.weight"]))
    #expect(try views.engine.refresh(request, on: connection).map(\.outcome) == [.unchanged])
  }

  @Test("shows each reader the rows that are the reader's own, and those only whom it is granted to")
  mutating func owners() throws {
    let (reader, stranger) = (
      "view_reader_\(UInt32.random(in: 0 ... .max))", "view_stranger_\(UInt32.random(in: 0 ... .max))"
    )
    try connection.execute(
      """
      CREATE ROLE \(reader); CREATE ROLE \(stranger); GRANT USAGE ON SCHEMA mart TO \(reader), \(stranger);
      CREATE SCHEMA auth; GRANT USAGE ON SCHEMA auth TO \(reader);
      CREATE FUNCTION auth.uid() RETURNS int STABLE LANGUAGE sql AS $$
        SELECT nullif(current_setting('app.reader', true), '')::int $$
      """)
    defer {
      _ = try? connection.execute("DROP OWNED BY \(reader), \(stranger); DROP ROLE \(reader), \(stranger)")
    }
    try defineMonths("owner_column: user_id\ngrants: {\(reader): select}")
    try make()
    func seen(by role: String, as user: String) throws -> String? {
      defer { _ = try? connection.execute("RESET ROLE; RESET app.reader") }
      try connection.execute("SET ROLE \(role); SET app.reader = '\(user)'")
      return try connection.query("SELECT string_agg(DISTINCT user_id::text, ',') FROM mart.by_month")[0][0]
    }
    #expect(try seen(by: reader, as: "7") == "7")
    #expect(try seen(by: reader, as: "") == nil)
    #expect(throws: PostgreSQLError.self) { try seen(by: stranger, as: "7") }
    for change in ["DELETE FROM mart.by_month", "UPDATE mart.by_month SET visits = 0"] {
      #expect(throws: PostgreSQLError.self) {
        defer { _ = try? connection.execute("RESET ROLE") }
        try connection.execute("SET ROLE \(reader)")
        try connection.execute(change)
      }
    }
    // Who refreshes is not bound by the policy, and what was granted is granted after the view was made
    // again.
    try connection.execute("UPDATE app.visit SET user_id = 7 WHERE id = 8")
    try views.refresh()
    try views.expectExact("mart.by_month")
    try defineMonths("owner_column: user_id\ngrants: {\(reader): select}\nfresh_for: 1h")
    try make()
    #expect(try seen(by: reader, as: "7") == "7")
  }

  @Test(
    "has the groups that its sources have, whatever its SELECT makes of them",
    arguments: [
      "SELECT k.user_id, count(v.id) AS visits FROM {keys} k LEFT JOIN app.visit v ON v.user_id = k.user_id GROUP BY 1",
      "SELECT k.user_id, (SELECT count(*) FROM app.visit v WHERE v.user_id = k.user_id) AS visits FROM {keys} k",
      "SELECT k.user_id, EXISTS (SELECT FROM app.visit) AS visits FROM {keys} k",
      "SELECT k.user_id, count(v.id) AS visits FROM {keys} k "
        + "LEFT JOIN app.visit v ON v.user_id IS NOT DISTINCT FROM k.user_id GROUP BY 1",
    ], [1, 30])
  mutating func presentGroups(select: String, users: Int) throws {
    try views.define("mart.visits", by: "user_id", of: "app.visit", select)
    try connection.execute("UPDATE app.visit SET user_id = NULL WHERE user_id = 50")
    try make()
    try views.expectExact("mart.visits")
    try views.expectExact(
      "mart.visits",
      afterEach: [
        "DELETE FROM app.visit WHERE user_id < \(users)",
        "DELETE FROM app.visit WHERE user_id IS NULL",
        "INSERT INTO app.visit SELECT -i, i, '2025-01-01' FROM generate_series(0, \(users)) i",
        "INSERT INTO app.visit VALUES (-100, NULL, '2025-01-01')",
      ])
  }

  @Test("is out of step where somebody has dropped its table, though nothing waits to be computed of it")
  mutating func dropped() throws {
    try defineMonths()
    try make()
    try connection.execute("DROP TABLE mart.total CASCADE")
    let done = try views.engine.refresh(RefreshRequest(.named(["mart.total"])), on: connection)
    #expect(done.last?.error as? RefreshError == .outOfStep("mart.total"))
    #expect(done.dropLast().allSatisfy { $0.outcome == .unchanged })
  }

  @Test("lets writers go on where a captured column was renamed by hand, and says what does not fit any more")
  mutating func renamed() throws {
    try defineMonths()
    try make()
    try connection.execute("ALTER TABLE app.procedure RENAME visit_id TO visit")
    #expect(throws: PostgreSQLError.self) { try connection.execute("DELETE FROM app.procedure WHERE id = 1") }
    let refreshed = try views.engine.refresh(RefreshRequest(.named(["mart.by_month"])), on: connection)
    #expect(refreshed.first?.error as? RefreshError == .outOfStep("mart.by_month"))
    let problems = try views.engine.synchronise(on: connection)
    #expect(problems.map(\.view).sorted() == ["mart.by_month", "mart.total"])
    #expect(
      problems.first { $0.view == "mart.by_month" }?.message == "app.procedure has no column 'visit_id'")
    try connection.execute(
      "DELETE FROM app.procedure WHERE id = 1; ALTER TABLE app.procedure RENAME visit TO visit_id")
    try make()
    try views.expectExact("mart.by_month")
  }

  @Test("follows the date from when a function that it uses does")
  mutating func datedFunction() throws {
    try connection.execute(
      "CREATE FUNCTION app.day() RETURNS date STABLE BEGIN ATOMIC SELECT DATE '2025-02-01'; END")
    try views.define(
      "mart.recent", fullBy: "", "SELECT count(*) AS visits FROM app.visit WHERE visit_date >= app.day()")
    try make()
    let request = RefreshRequest(.named(["mart.recent"]), date: "2025-01-01")
    #expect(throws: RefreshError.self) { try views.engine.refresh(request, on: connection) }
    try connection.execute(
      "CREATE OR REPLACE FUNCTION app.day() RETURNS date STABLE BEGIN ATOMIC SELECT rivulet.today(); END")
    #expect(try views.refresh()[0].outcome == .refreshed)
    #expect(try views.engine.refresh(request, on: connection)[0].outcome == .refreshed)
    #expect(try connection.query("SELECT visits FROM mart.recent")[0].value(0, Int.self) == 1000)
    #expect(try views.engine.status(on: connection)[0].isStale)
  }

  @Test("is the same for every role that refreshes it, whatever that session's time zone and search path")
  mutating func sessions() throws {
    try connection.execute(
      """
      CREATE TABLE public.kind (id int PRIMARY KEY, name text); INSERT INTO public.kind VALUES (1, 'public');
      CREATE SCHEMA other; CREATE TABLE other.kind (id int PRIMARY KEY, name text); INSERT INTO other.kind VALUES (1, 'other');
      CREATE TABLE app.call (id int PRIMARY KEY, at timestamptz);
      INSERT INTO app.call SELECT i, '2025-01-01 00:00Z'::timestamptz + i * interval '1 hour' FROM generate_series(1, 100) i;
      UPDATE rivulet.setting SET value = 'America/New_York' WHERE name = 'time_zone'
      """)
    try views.define(
      "mart.calls",
      """
      strategy: incremental
      description: Calls of each day
      key: [day]
      rebuild_share: 100%
      sources:
        app.call: {capture: [at], keys: 'SELECT at::date FROM changed'}
        public.kind: rebuild
      """,
      """
      SELECT k.day, count(*) AS calls, min(kind.name) AS kind, min(c.at::text) AS first
      FROM {keys} k JOIN app.call c ON c.at::date = k.day JOIN kind ON kind.id = 1 GROUP BY 1
      """)
    try make()
    try connection.execute("SET timezone = 'America/New_York'")
    try views.expectExact("mart.calls")
    try connection.execute(
      "SET timezone = 'Asia/Tokyo'; SET search_path = other; UPDATE app.call SET id = id + 1000")
    #expect(try views.refresh()[0].kind == .incremental)
    try connection.execute("RESET search_path; SET timezone = 'America/New_York'")
    try views.expectExact("mart.calls")
    #expect(try connection.query("SELECT DISTINCT kind FROM mart.calls")[0][0] == "public")
  }

  @Test("sees a column that a whole row has gained, and a function behind an operator that has changed")
  mutating func hiddenParts() throws {
    try connection.execute(
      """
      CREATE FUNCTION app.plus(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT $1 + $2 $$;
      CREATE OPERATOR app.@@@ (FUNCTION = app.plus, LEFTARG = int, RIGHTARG = int)
      """)
    try views.define(
      "mart.whole", by: "id", of: "app.visit",
      """
      SELECT k.id, to_jsonb(v) AS row, v.user_id OPERATOR(app.@@@) 1 AS next
      FROM {keys} k JOIN app.visit v ON v.id = k.id
      """)
    try make()
    for change in [
      "ALTER TABLE app.visit ADD COLUMN note text DEFAULT 'n'",
      "CREATE OR REPLACE FUNCTION app.plus(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT $1 - $2 $$",
    ] {
      try connection.execute(change)
      #expect(try views.refresh()[0].kind == .full)
      try views.expectExact("mart.whole")
    }
  }

  @Test("opens nothing that belongs to it by default privileges, but only what its definition grants")
  mutating func defaultPrivileges() throws {
    let role = "reporting_" + UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(12)
    try connection.execute(
      """
      CREATE ROLE \(role);
      ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO \(role), PUBLIC;
      ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO \(role)
      """)
    defer { _ = try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
    try defineMonths()
    try make()
    let open = """
      SELECT string_agg(name, ' ' ORDER BY name) FROM (
        SELECT relname FROM pg_class c, aclexplode(relacl) a
        WHERE (relname ~ '^(queue|view)_[0-9]' OR relnamespace = 'mart'::regnamespace) AND a.grantee <> relowner
        UNION ALL
        SELECT proname FROM pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) a
        WHERE proname ~ '^capture_' AND a.grantee <> proowner) found(name)
      """
    #expect(try connection.query(open).first?[0] == nil)
    // The plain views are made again after a migration.
    try connection.transaction {
      #expect(try views.engine.release(on: connection))
      try views.engine.restore(on: connection)
    }
    #expect(try connection.query(open).first?[0] == nil)
    try connection.execute("GRANT SELECT ON mart.total TO \(role)")
    try connection.execute("DROP TABLE rivulet.queue_1_1")
    try views.engine.synchronise(on: connection)
    #expect(try connection.query(open).first?[0] == "total", "what is granted on the view itself is kept")
  }

  @Test("that cannot be filled is reported each time, with the others, until it can")
  mutating func unfilled() throws {
    try defineMonths()
    for name in ["mart.bad", "mart.worse"] {
      try views.define(name, fullBy: "id", "SELECT id, 1 / (user_id - 3) AS share FROM app.visit")
    }
    for _ in 1...2 {
      let error = #expect(throws: UnfilledViews.self) { try views.engine.synchronise(on: connection) }
      #expect(error.map { [$0.first.view] + $0.others.map(\.view) } == ["mart.bad", "mart.worse"])
      #expect(try connection.query("SELECT count(*) > 0 FROM mart.by_month")[0].value(0))
    }
    // One alone is reported with what is wrong with it.
    var alone = views
    alone.forget("mart.worse")
    #expect(throws: ViewProblem.self) { try alone.engine.synchronise(on: connection) }
    try connection.execute("UPDATE app.visit SET user_id = 4 WHERE user_id = 3")
    try views.engine.synchronise(on: connection)
    try views.expectExact("mart.worse")
  }

  @Test("that is defined and not made has failed where all are refreshed, and the others are refreshed")
  mutating func unmade() throws {
    try defineMonths()
    try make()
    try connection.execute("DELETE FROM app.procedure WHERE id < 100")
    try views.define("mart.new", fullBy: "id", "SELECT id FROM app.visit")
    let done = try views.engine.refresh(RefreshRequest(), on: connection)
    #expect(done.map(\.view) == ["mart.new", "mart.by_month", "mart.total"])
    #expect(done.map(\.outcome) == [.failed, .refreshed, .refreshed])
    guard case RefreshError.outOfStep("mart.new")? = done[0].error else {
      Issue.record("\(String(describing: done[0].error))")
      return
    }
    // What asks for the readers of a table is not concerned with it.
    let readers = try views.engine.refresh(RefreshRequest(.readers(of: ["app.visit"])), on: connection)
    #expect(readers.allSatisfy { $0.view != "mart.new" } && !readers.isEmpty)
  }

  @Test("says why all of it is computed where it had no groups")
  mutating func noGroups() throws {
    try defineMonths()
    try connection.execute(
      "DELETE FROM app.procedure; CREATE TABLE kept AS TABLE app.visit; DELETE FROM app.visit")
    try views.engine.synchronise(on: connection)
    try connection.execute("INSERT INTO app.visit SELECT * FROM kept")
    let reason = try views.engine.refresh(RefreshRequest(), on: connection)[0].reason
    #expect(reason?.hasPrefix("there were no groups, and now there may be ") == true, "\(reason ?? "")")
  }
}
