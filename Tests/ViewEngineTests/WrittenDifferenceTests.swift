import PostgreSQL
import Testing
import ViewEngine

/// What is stored and what was computed are brought together, and the difference is written.
@Suite("The difference that is written")
struct WrittenDifferenceTests {
  /// A change of `app.item`, and how many rows of the view are inserted, updated and deleted for it.
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    /// Run and refreshed before.
    let before: String
    let written: [Int]

    init(_ what: String, _ sql: String, after before: String = "", writing written: [Int]) {
      testDescription = what
      self.sql = sql
      self.before = before
      self.written = written
    }

    /// Expects what it writes to a view.
    func expect(_ name: String, _ views: StoredViews, isFull: Bool = false) throws {
      try views.connection.execute(before)
      try views.refresh()
      try views.connection.execute(sql)
      let refresh = try views.refresh(of: name, RefreshRequest(isFull: isFull))
      #expect(refresh.kind == (isFull ? .full : .incremental))
      #expect([refresh.inserted, refresh.updated, refresh.deleted] == written)
      try views.expectExact(name)
    }
  }

  /// A few groups are computed one by one, each given as values, and more of them by a table.
  static let fewAndMany = [
    Change(
      "a value of one group",
      "UPDATE app.item SET amount = 70 WHERE owner = 3 AND kind = 'a'",
      writing: [0, 1, 0]),
    Change(
      "rows of four groups",
      """
      UPDATE app.item SET amount = 71 WHERE owner = 4 AND kind = 'b'; INSERT INTO app.item VALUES (900, 5, 'new', 1);
      DELETE FROM app.item WHERE owner = 6 AND kind = 'a'; UPDATE app.item SET owner = 7 WHERE owner = 6 AND kind = 'b'
      """,
      writing: [1, 2, 2]),
    Change("a group that is gone", "DELETE FROM app.item WHERE owner = 8", writing: [0, 0, 2]),
    Change("a group that is new", "INSERT INTO app.item VALUES (901, 99, 'a', 1)", writing: [1, 0, 0]),
    Change(
      "a row that takes the value of one that goes, under an index of somebody's",
      "DELETE FROM app.item WHERE owner = 9 AND kind = 'a'; UPDATE app.item SET amount = 9 WHERE owner = 9",
      after: "CREATE UNIQUE INDEX ON mart.by_owner (owner, amount)",
      writing: [0, 1, 1]),
    Change(
      "five groups", "UPDATE app.item SET amount = 72 WHERE owner <= 5 AND kind = 'a'", writing: [0, 5, 0]),
    Change(
      "a null in what distinguishes rows",
      "INSERT INTO app.item VALUES (902, 3, NULL, 5)",
      writing: [1, 0, 0]),
    Change(
      "a null that was there and is not any more",
      "UPDATE app.item SET kind = 'c' WHERE id = 903",
      after: "INSERT INTO app.item VALUES (903, 3, NULL, 5)",
      writing: [1, 0, 1]),
    Change(
      "many rows of a group",
      "INSERT INTO app.item SELECT 1000 + n, 3, 'kind ' || n, n FROM generate_series(1, 1001) n",
      writing: [1001, 0, 0]),
  ]

  @Test("is exact, of a few groups and of many", arguments: fewAndMany)
  func groups(_ change: Change) throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, owner int, kind text, amount int);
      INSERT INTO app.item SELECT 2 * n + k, n, chr(97 + k), n + 100 * k FROM generate_series(1, 40) n, generate_series(0, 1) k;
      """)
    try views.define(
      "mart.by_owner", by: "owner", with: "unique: [owner, kind]",
      """
      SELECT k.owner, i.kind, sum(i.amount)::int AS amount
      FROM {keys} k JOIN app.item i ON i.owner = k.owner GROUP BY 1, 2
      """)
    try views.make()
    try change.expect("mart.by_owner", views)
  }

  /// Of forty owners and one that is null, each with a row of the kinds `a`, `b` and null: rows are
  /// distinguished by two columns either of which may be null.
  static let ofNulls = [
    Change("values of all", "UPDATE app.item SET amount = amount + 1", writing: [0, 123, 0]),
    Change(
      "values where a kind is null", "UPDATE app.item SET amount = 7 WHERE t IS NULL", writing: [0, 41, 0]),
    Change(
      "a value of each group that does not change",
      "UPDATE app.item SET amount = amount WHERE t = 'a'",
      writing: [0, 0, 0]),
    Change(
      "all nulls are gone", "DELETE FROM app.item WHERE t IS NULL OR place IS NULL", writing: [0, 0, 43]),
    Change(
      "nulls become values and values become nulls",
      "UPDATE app.item SET t = CASE WHEN t IS NULL THEN 'c' WHEN t = 'b' THEN NULL ELSE t END",
      writing: [41, 41, 41]),
    Change(
      "only nulls are left",
      "DELETE FROM app.item WHERE t IS NOT NULL AND place IS NOT NULL",
      writing: [0, 0, 80]),
    Change("nothing is left", "DELETE FROM app.item", writing: [0, 0, 123]),
    Change(
      "groups that are others now",
      "UPDATE app.item SET place = place + 100 WHERE place <= 15",
      writing: [45, 0, 45]),
  ]

  @Test("is exact where nulls distinguish rows, of groups and of all", arguments: ofNulls, [false, true])
  func nulls(_ change: Change, isFull: Bool) throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (place int, t text, amount int);
      INSERT INTO app.item SELECT nullif(n, 41), (ARRAY['a', 'b'])[k], n + 100 * k
        FROM generate_series(1, 41) n, generate_series(1, 3) k
      """)
    // Columns of the names that a statement may use itself.
    try views.define(
      "mart.by_place", by: "place", with: "unique: [place, t]",
      """
      SELECT k.place, i.t, sum(i.amount)::int AS stored, count(*) AS fresh
      FROM {keys} k JOIN app.item i ON (i.place = k.place OR i.place IS NULL AND k.place IS NULL) GROUP BY 1, 2
      """)
    try views.make()
    try change.expect("mart.by_place", views, isFull: isFull)
  }

  @Test(
    "is exact where rows are distinguished by a type that no FULL JOIN can be by", arguments: [false, true])
  func unjoinable(isFull: Bool) throws {
    let operators = [("<", "lt"), ("<=", "le"), ("=", "eq"), (">=", "ge"), (">", "gt")]
    var views = try StoredViews(
      """
      CREATE TYPE app.code;
      SET client_min_messages = error;
      CREATE FUNCTION app.code_in(cstring) RETURNS app.code LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
      CREATE FUNCTION app.code_out(app.code) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
      CREATE TYPE app.code (INPUT = app.code_in, OUTPUT = app.code_out, LIKE = int4);
      CREATE CAST (int AS app.code) WITHOUT FUNCTION;
      \(operators.map { sign, name in
        """
        CREATE FUNCTION app.\(name)(app.code, app.code) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'int4\(name)';
        CREATE OPERATOR app.\(sign) (LEFTARG = app.code, RIGHTARG = app.code, FUNCTION = app.\(name));
        """
      }.joined(separator: "\n"))
      CREATE FUNCTION app.cmp(app.code, app.code) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'btint4cmp';
      CREATE OPERATOR CLASS app.code_ops DEFAULT FOR TYPE app.code USING btree AS
        OPERATOR 1 app.<, OPERATOR 2 app.<=, OPERATOR 3 app.=, OPERATOR 4 app.>=, OPERATOR 5 app.>, FUNCTION 1 app.cmp(app.code, app.code);
      CREATE TABLE app.item (owner app.code, amount int);
      INSERT INTO app.item SELECT n::app.code, n FROM generate_series(1, 40) n
      """)
    try views.define(
      "mart.by_owner", by: "owner", with: "unique: [owner]",
      """
      SELECT k.owner, sum(i.amount)::int AS amount
      FROM {keys} k JOIN app.item i ON i.owner OPERATOR(app.=) k.owner GROUP BY 1
      """)
    try views.make()
    try views.connection.execute(
      "DELETE FROM app.item WHERE amount <= 6; UPDATE app.item SET amount = 0 WHERE amount <= 9; INSERT INTO app.item VALUES (99::app.code, 1)"
    )
    let refresh = try views.refresh(of: "mart.by_owner", RefreshRequest(isFull: isFull))
    #expect([refresh.inserted, refresh.updated, refresh.deleted] == [1, 3, 6])
    try views.expectExact("mart.by_owner")
  }

  @Test("is not written where two rows that were computed are alike", arguments: [false, true])
  func alike(isFull: Bool) throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (owner int, kind text, amount int);
      INSERT INTO app.item SELECT n, 'a', n FROM generate_series(1, 40) n
      """)
    try views.define(
      "mart.by_owner", by: "owner", with: "unique: [owner, kind]",
      "SELECT k.owner, i.kind, i.amount FROM {keys} k JOIN app.item i USING (owner)")
    try views.make()
    // Of one owner the row that is stored comes twice, of another it comes with one that differs.
    try views.connection.execute(
      "INSERT INTO app.item SELECT owner, kind, amount + owner - 1 FROM app.item WHERE owner <= 6")
    let done = try views.engine.refresh(RefreshRequest(isFull: isFull), on: views.connection)
    let refresh = try #require(done.first)
    #expect(refresh.outcome == .failed)
    #expect("\(try #require(refresh.error))".contains("several rows with the same owner, kind"))
    #expect(try views.value("SELECT sum(amount) FROM mart.by_owner") == "820")
  }
}
