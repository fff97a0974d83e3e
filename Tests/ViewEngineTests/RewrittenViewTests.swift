import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A view of which more rows change than stay, and all are computed: all are written again, unless somebody
/// learns of its changes by triggers.
@Suite("A view whose rows are all written again")
struct RewrittenViewTests {
  /// Of forty owners, with a row each.
  private func amounts() throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, owner int, amount int);
      INSERT INTO app.item SELECT n, n, n FROM generate_series(1, 40) n
      """)
    try views.define(
      "mart.amount", fullBy: "owner", "SELECT owner, sum(amount)::int AS amount FROM app.item GROUP BY owner")
    try views.make()
    return views
  }

  /// Of five owners the amount changes of none, one is gone and one is new; 34 change.
  private static let most = """
    UPDATE app.item SET amount = amount + 1 WHERE id > 5;
    DELETE FROM app.item WHERE id = 40; INSERT INTO app.item VALUES (41, 41, 1)
    """
  private static let full = RefreshRequest(isFull: true)

  /// How many rows were written by another transaction than the first.
  private func written(_ views: StoredViews, since transaction: String?) throws -> String? {
    try views.value("SELECT count(*) FROM mart.amount WHERE xmin::text <> '\(transaction ?? "")'")
  }

  @Test("has the counts of what differs, and its rows in the order of its key")
  func counts() throws {
    let views = try amounts()
    let first = try views.value("SELECT DISTINCT xmin::text FROM mart.amount")
    try views.connection.execute(Self.most)
    let refresh = try views.refresh(of: "mart.amount", Self.full)
    #expect([refresh.inserted, refresh.updated, refresh.deleted] == [1, 34, 1])
    try views.expectExact("mart.amount")
    #expect(try written(views, since: first) == "40")
    let inOrder = "SELECT array_agg(owner ORDER BY ctid) = array_agg(owner ORDER BY owner) FROM mart.amount"
    #expect(try views.value(inOrder) == "t")
    #expect(try views.value("SELECT rows || ' ' || groups FROM rivulet.view") == "40 40")
    // Nothing differs now, and little does then.
    let second = try views.value("SELECT DISTINCT xmin::text FROM mart.amount")
    #expect(try views.refresh(of: "mart.amount", Self.full).rowsChanged == 0)
    #expect(try written(views, since: second) == "0")
    try views.connection.execute("UPDATE app.item SET amount = 0 WHERE id <= 9")
    let third = try views.refresh(of: "mart.amount", Self.full)
    #expect([third.inserted, third.updated, third.deleted] == [0, 9, 0])
    #expect(try written(views, since: second) == "9")
    try views.expectExact("mart.amount")
  }

  @Test("is not, where another view or a foreign key learns of its rows", arguments: [true, false])
  func triggers(isView: Bool) throws {
    var views = try amounts()
    if isView {
      try views.define("mart.total", fullBy: "total", "SELECT sum(amount) AS total FROM mart.amount")
      try views.make()
    } else {
      try views.connection.execute(
        """
        CREATE TABLE app.limits (owner int REFERENCES mart.amount (owner) ON DELETE CASCADE);
        INSERT INTO app.limits SELECT n FROM generate_series(1, 40) n
        """)
    }
    let first = try views.value("SELECT DISTINCT xmin::text FROM mart.amount")
    try views.connection.execute(Self.most)
    let refresh = try views.refresh(of: "mart.amount", Self.full)
    #expect([refresh.inserted, refresh.updated, refresh.deleted] == [1, 34, 1])
    #expect(try written(views, since: first) == "35")
    try views.expectExact("mart.amount")
    if isView {
      try views.expectExact("mart.total")
    } else {
      #expect(try views.value("SELECT count(*) FROM app.limits") == "39")
    }
  }

  @Test("keeps what was put on it and what reads it, also in sessions that are open")
  func dependants() throws {
    let views = try amounts()
    let role = "r\(views.database.name.suffix(12))"
    try views.connection.execute(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA mart TO \(role); GRANT SELECT ON mart.amount TO \(role);
      CREATE INDEX amount_idx ON mart.amount (amount); COMMENT ON COLUMN mart.amount.amount IS 'in cents';
      CREATE VIEW mart.large AS SELECT * FROM mart.amount WHERE amount > 30;
      CREATE FUNCTION mart.sum() RETURNS bigint LANGUAGE sql STABLE BEGIN ATOMIC SELECT sum(amount) FROM mart.amount; END
      """)
    let reader = try Connection(to: ConnectionTarget(views.database.url(as: role)))
    try reader.execute("PREPARE amount AS SELECT sum(amount) FROM mart.amount")
    #expect(try reader.execute("EXECUTE amount")[0][0] == "820")
    let kept = """
      SELECT c.oid, c.relowner, c.relacl, c.relkind, array_agg(i.indexrelid ORDER BY 1), col_description(c.oid, 2)
      FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid WHERE c.oid = 'mart.amount'::regclass GROUP BY c.oid
      """
    let before = try views.connection.execute(kept).rows.map { row in (0..<6).map { row[$0] } }
    try views.connection.execute("UPDATE app.item SET amount = amount + 1")
    #expect(try views.refresh(of: "mart.amount", Self.full).updated == 40)
    #expect(try views.connection.execute(kept).rows.map { row in (0..<6).map { row[$0] } } == before)
    #expect(try reader.execute("EXECUTE amount")[0][0] == "860")
    #expect(try views.value("SELECT count(*) || ' ' || mart.sum() FROM mart.large") == "11 860")
    try views.connection.execute("SET enable_seqscan = off")
    #expect(try views.value("SELECT owner FROM mart.amount WHERE amount = 41") == "40")
  }

  @Test("is old to who reads meanwhile or began before, without a wait, and stays old where it is killed")
  func meanwhile() throws {
    let views = try amounts()
    let (database, definitions) = (views.database, views.definitions)
    let sum = "SELECT count(*) || ' ' || sum(amount) FROM mart.amount"
    let earlier = try database.connect()
    try earlier.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT")
    try views.connection.execute("UPDATE app.item SET amount = amount + 1")
    for isKilled in [true, false] {
      let holder = try database.connect()
      // Statistics are taken once all is written.
      try holder.execute("BEGIN; LOCK TABLE mart.amount IN SHARE UPDATE EXCLUSIVE MODE")
      let refresh = Background {
        let done = try ViewEngine(definitions).refresh(Self.full, on: database.connect())
        #expect(done.map(\.updated) == [40])
      }
      try #require(try database.findsWaiter(forTable: "mart.amount"))
      let reader = try database.connect()
      try reader.execute("SET lock_timeout = '1s'")
      #expect(try reader.execute(sum)[0][0] == "40 820")
      if isKilled {
        try reader.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'mart.amount'::regclass"
        )
        #expect(throws: PostgreSQLError.self) { try refresh.wait() }
        try holder.execute("COMMIT")
        #expect(try reader.execute(sum)[0][0] == "40 820")
      } else {
        try holder.execute("COMMIT")
        try refresh.wait()
        #expect(try reader.execute(sum)[0][0] == "40 860")
      }
      // It has read nothing of the view before: what it sees is by its snapshot alone.
      #expect(try earlier.execute(sum)[0][0] == "40 820")
    }
    try views.expectExact("mart.amount")
  }

  @Test("needs no more rights than to change its rows")
  func rights() throws {
    let views = try amounts()
    let role = "r\(views.database.name.suffix(12))"
    try views.connection.execute(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA app, mart, rivulet TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA rivulet TO \(role); GRANT SELECT ON app.item TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON mart.amount TO \(role); UPDATE app.item SET amount = amount + 1
      """)
    let other = try Connection(to: ConnectionTarget(views.database.url(as: role)))
    let done = try views.engine.refresh(Self.full, on: other)
    #expect(done.map(\.updated) == [40], "\(String(describing: done.first?.error))")
    try views.expectExact("mart.amount")
  }
}
