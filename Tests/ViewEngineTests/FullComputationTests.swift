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
    var views = try StoredViews(
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
}
