import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// All groups of a view, where the server's several processes are worth it.
@Suite("All groups of a view")
struct FullComputationTests {
  @Test(
    "are computed by several processes where the server would do so for the SELECT, first and again",
    arguments: ["sum(amount)", "max(amount::float8)", "count(DISTINCT amount)"])
  func parallel(_ amount: String) throws {
    var views = try Self.parallelViews()
    let plans = Shared<[String]>([])
    views.connection.onNotice { notice in plans.change { $0.append(notice.message) } }
    try views.defineByOwner("mart.amount", of: "app.item", amount)
    try views.make()
    func computed() -> [String] {
      let found = plans.value.filter { $0.contains("CREATE TEMP TABLE rivulet_") && $0.contains("on item") }
      plans.change { $0 = [] }
      return found
    }
    let first = computed()
    #expect(first.contains { $0.contains("Gather") }, "\(first)")
    try views.connection.execute("UPDATE app.item SET amount = amount + 1")
    plans.change { $0 = [] }
    #expect(try views.refresh(of: "mart.amount", RefreshRequest(isFull: true)).kind == .full)
    let again = computed()
    #expect(again.contains { $0.contains("Gather") }, "\(again)")
    views.connection.onNotice { _ in }
    try views.connection.execute("RESET auto_explain.log_min_duration")
    try views.expectExact("mart.amount")
  }

  @Test(
    "are a few of them, and are computed by several processes as well where they are large",
    arguments: [true, false])
  func few(areByGroups: Bool) throws {
    var views = try Self.parallelViews()
    try views.connection.execute(
      "CREATE TABLE app.owner (id int PRIMARY KEY, name text); INSERT INTO app.owner SELECT n, 'n' || n FROM generate_series(0, 4) n"
    )
    try views.define(
      "mart.amount",
      """
      strategy: incremental
      description: Amounts of each owner
      key: [id]
      rebuild_share: 100%
      sources:
        app.item: {capture: [owner], keys: SELECT owner FROM changed}
        app.owner: {capture: [id], keys: SELECT id FROM changed}
      """,
      """
      SELECT k.id, max(o.name) AS name, sum(i.amount\(areByGroups ? "::float8" : "")) AS amount
      FROM {keys} k JOIN app.item i ON i.owner = k.id JOIN app.owner o ON o.id = i.owner GROUP BY k.id
      """)
    try views.make()
    let plans = Shared<[String]>([])
    views.connection.onNotice { notice in plans.change { $0.append(notice.message) } }
    try views.connection.execute("UPDATE app.owner SET name = name || 'x' WHERE id IN (1, 2)")
    plans.change { $0 = [] }
    #expect(try views.refresh(of: "mart.amount").kind == .incremental)
    let computed = plans.value.filter { $0.contains("CREATE TEMP TABLE rivulet_") && $0.contains("on item") }
    views.connection.onNotice { _ in }
    try views.connection.execute("RESET auto_explain.log_min_duration")
    #expect(computed.count == 2 && computed.allSatisfy { $0.contains("Gather") }, "\(computed)")
    try views.expectExact("mart.amount")
  }

  @Test("are computed by several processes for two views that one migration has made again")
  func several() throws {
    var views = try Self.parallelViews()
    try views.defineByOwner("mart.amount", of: "app.item")
    try views.defineByOwner("mart.most", of: "app.item", "max(amount::float8)")
    try views.make()
    try views.connection.transaction {
      #expect(try views.engine.release(on: views.connection))
      try views.connection.execute("ALTER TABLE app.item ALTER amount TYPE bigint")
      #expect(try views.engine.restore(on: views.connection).isEmpty)
    }
    views.connection.onNotice { _ in }
    try views.connection.execute("RESET auto_explain.log_min_duration")
    try views.expectExact("mart.amount")
    try views.expectExact("mart.most")
  }

  @Test("are computed where more rows were changed than there are")
  func more() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, owner int, amount int);
      INSERT INTO app.item SELECT n, n % 5, n FROM generate_series(1, 100) n
      """)
    try views.defineByOwner("mart.amount", of: "app.item", "count(DISTINCT amount)")
    try views.make()
    try views.expectExact("mart.amount", afterEach: ["UPDATE app.item SET amount = amount + 1"])
    try views.connection.execute(
      """
      DO $$ BEGIN FOR n IN 1 .. 300 LOOP UPDATE app.item SET amount = amount + 1; END LOOP; END $$
      """)
    try views.connection.execute("VACUUM ANALYZE app.item")
    let refresh = try views.refresh(of: "mart.amount")
    #expect(refresh.kind == .full && refresh.reason == "more rows were changed than there are")
    try views.expectExact("mart.amount")
  }

  @Test("are not needed by who may add up what was changed, and not read the rows")
  func policies() throws {
    var views = try StoredViews(
      "CREATE TABLE app.item (code text, n int); INSERT INTO app.item VALUES ('a', 1)")
    try views.define(
      "mart.items", by: "code",
      "SELECT code, count(*) AS rows FROM {keys} k JOIN app.item i USING (code) GROUP BY 1")
    try views.make()
    let role = "r\(views.database.name.suffix(12))"
    try views.connection.execute(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA app, mart, rivulet TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA rivulet, mart TO \(role); GRANT SELECT ON app.item TO \(role);
      ALTER TABLE app.item ENABLE ROW LEVEL SECURITY
      """)
    let other = try Connection(to: ConnectionTarget(views.database.url(as: role)))
    for count in [1, 30_000] {
      try views.connection.execute(
        "INSERT INTO app.item SELECT 'code number ' || g, g FROM generate_series(1, \(count)) g")
      let refreshed = try views.engine.refresh(RefreshRequest(), on: other)
      let error = String(describing: refreshed.first?.error)
      #expect(refreshed.map(\.kind) == [.incremental], "\(count): \(error)")
      try views.expectExact("mart.items")
    }
  }

  /// Of a session that has much computed by several processes, and says how.
  private static func parallelViews() throws -> StoredViews {
    let views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, owner int, amount int);
      INSERT INTO app.item SELECT n, n % 5, n FROM generate_series(1, 20000) n; ANALYZE app.item;
      """)
    try views.connection.execute(
      """
      SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
      SET max_parallel_workers_per_gather = 2;
      LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_level = notice
      """)
    return views
  }
}
