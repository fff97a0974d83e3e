import PostgreSQL
import Testing
import ViewEngine

/// What is stored of more than a few groups, and what was computed for them, are brought together and the
/// difference is written: rows are distinguished by two columns either of which may be null.
@Suite("The difference that is written")
struct WrittenDifferenceTests {
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    let inserted: Int
    let updated: Int
    let deleted: Int
  }

  /// Of forty owners and one that is null, each with a row of the kinds `a`, `b` and null.
  static let changes = [
    Change(
      testDescription: "values of all",
      sql: "UPDATE app.item SET amount = amount + 1", inserted: 0, updated: 123, deleted: 0),
    Change(
      testDescription: "values where a kind is null",
      sql: "UPDATE app.item SET amount = 7 WHERE t IS NULL", inserted: 0, updated: 41, deleted: 0),
    Change(
      testDescription: "a value of each group that does not change",
      sql: "UPDATE app.item SET amount = amount WHERE t = 'a'", inserted: 0, updated: 0, deleted: 0),
    Change(
      testDescription: "all nulls are gone",
      sql: "DELETE FROM app.item WHERE t IS NULL OR place IS NULL", inserted: 0, updated: 0, deleted: 43),
    Change(
      testDescription: "nulls become values and values become nulls",
      sql: """
        UPDATE app.item SET t = CASE WHEN t IS NULL THEN 'c' WHEN t = 'b' THEN NULL ELSE t END
        """, inserted: 41, updated: 41, deleted: 41),
    Change(
      testDescription: "only nulls are left",
      sql: "DELETE FROM app.item WHERE t IS NOT NULL AND place IS NOT NULL", inserted: 0, updated: 0,
      deleted: 80),
    Change(
      testDescription: "nothing is left", sql: "DELETE FROM app.item", inserted: 0, updated: 0, deleted: 123),
    Change(
      testDescription: "groups that are others now",
      sql: "UPDATE app.item SET place = place + 100 WHERE place <= 15", inserted: 45, updated: 0, deleted: 45),
  ]

  @Test("is exact, of groups and of all", arguments: changes, [false, true])
  func nulls(_ change: Change, isFull: Bool) throws {
    var views = try StoredViews(
      """
      CREATE SCHEMA app; CREATE SCHEMA mart;
      CREATE TABLE app.item (place int, t text, amount int);
      INSERT INTO app.item SELECT nullif(n, 41), (ARRAY['a', 'b'])[k], n + 100 * k
        FROM generate_series(1, 41) n, generate_series(1, 3) k
      """)
    // Columns of the names that a statement may use itself.
    try views.define(
      "mart.by_place",
      """
      strategy: incremental
      description: Items by place and kind
      key: [place]
      unique: [place, t]
      rebuild_share: 100%
      sources:
        app.item: {capture: [place], keys: SELECT place FROM changed}
      """,
      """
      SELECT k.place, i.t, sum(i.amount)::int AS stored, count(*) AS fresh
      FROM {keys} k JOIN app.item i ON (i.place = k.place OR i.place IS NULL AND k.place IS NULL) GROUP BY 1, 2
      """)
    try views.make()
    try views.connection.execute(change.sql)
    var request = RefreshRequest()
    request.isFull = isFull
    let refresh = try views.refresh(of: "mart.by_place", request)
    #expect(refresh.kind == (isFull ? .full : .incremental))
    #expect(
      [refresh.inserted, refresh.updated, refresh.deleted] == [
        change.inserted, change.updated, change.deleted,
      ])
    #expect(try views.differences(of: "mart.by_place", keys: "(SELECT DISTINCT place FROM app.item)") == [])
  }

  @Test(
    "is exact where rows are distinguished by a type that no FULL JOIN can be by", arguments: [false, true])
  func unjoinable(isFull: Bool) throws {
    let operators = [("<", "lt"), ("<=", "le"), ("=", "eq"), (">=", "ge"), (">", "gt")]
    var views = try StoredViews(
      """
      CREATE SCHEMA app; CREATE SCHEMA mart; CREATE TYPE app.code;
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
      "mart.by_owner",
      """
      strategy: incremental
      description: Items by owner
      key: [owner]
      unique: [owner]
      rebuild_share: 100%
      sources:
        app.item: {capture: [owner], keys: SELECT owner FROM changed}
      """,
      """
      SELECT k.owner, sum(i.amount)::int AS amount
      FROM {keys} k JOIN app.item i ON i.owner OPERATOR(app.=) k.owner GROUP BY 1
      """)
    try views.make()
    try views.connection.execute(
      "DELETE FROM app.item WHERE amount <= 6; UPDATE app.item SET amount = 0 WHERE amount <= 9; INSERT INTO app.item VALUES (99::app.code, 1)"
    )
    var request = RefreshRequest()
    request.isFull = isFull
    let refresh = try views.refresh(of: "mart.by_owner", request)
    #expect([refresh.inserted, refresh.updated, refresh.deleted] == [1, 3, 6])
    #expect(try views.differences(of: "mart.by_owner", keys: "(SELECT DISTINCT owner FROM app.item)") == [])
  }

  @Test("is not written where two rows that were computed are alike", arguments: [false, true])
  func alike(isFull: Bool) throws {
    var views = try StoredViews(
      """
      CREATE SCHEMA app; CREATE SCHEMA mart;
      CREATE TABLE app.item (owner int, kind text, amount int);
      INSERT INTO app.item SELECT n, 'a', n FROM generate_series(1, 40) n
      """)
    try views.define(
      "mart.by_owner",
      """
      strategy: incremental
      description: Items by owner, as they are
      key: [owner]
      unique: [owner, kind]
      rebuild_share: 100%
      sources:
        app.item: {capture: [owner], keys: SELECT owner FROM changed}
      """, "SELECT k.owner, i.kind, i.amount FROM {keys} k JOIN app.item i USING (owner)")
    try views.make()
    // Of one owner the row that is stored comes twice, of another it comes with one that differs.
    try views.connection.execute(
      "INSERT INTO app.item SELECT owner, kind, amount + owner - 1 FROM app.item WHERE owner <= 6")
    var request = RefreshRequest()
    request.isFull = isFull
    let refresh = try #require(try views.engine.refresh(request, on: views.connection).first)
    #expect(refresh.outcome == .failed)
    #expect("\(try #require(refresh.error))".contains("several rows with the same owner, kind"))
    #expect(try views.value("SELECT sum(amount) FROM mart.by_owner") == "820")
  }
}
