import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A few groups are computed one by one, each given as values, and more of them by a table.
@Suite("Some groups that have changed")
struct ChangedGroupsTests {
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    /// Run before, and refreshed.
    var before = ""
    let inserted: Int
    let updated: Int
    let deleted: Int
  }

  static let changes = [
    Change(
      testDescription: "a value of one group",
      sql: "UPDATE app.item SET amount = 70 WHERE owner = 3 AND kind = 'a'", inserted: 0, updated: 1,
      deleted: 0),
    Change(
      testDescription: "rows of four groups",
      sql: """
        UPDATE app.item SET amount = 71 WHERE owner = 4 AND kind = 'b'; INSERT INTO app.item VALUES (900, 5, 'new', 1);
        DELETE FROM app.item WHERE owner = 6 AND kind = 'a'; UPDATE app.item SET owner = 7 WHERE owner = 6 AND kind = 'b'
        """, inserted: 1, updated: 2, deleted: 2),
    Change(
      testDescription: "a group that is gone", sql: "DELETE FROM app.item WHERE owner = 8", inserted: 0,
      updated: 0, deleted: 2),
    Change(
      testDescription: "a group that is new", sql: "INSERT INTO app.item VALUES (901, 99, 'a', 1)",
      inserted: 1, updated: 0, deleted: 0),
    Change(
      testDescription: "a row that takes the value of one that goes, under an index of somebody's",
      sql:
        "DELETE FROM app.item WHERE owner = 9 AND kind = 'a'; UPDATE app.item SET amount = 9 WHERE owner = 9",
      before: "CREATE UNIQUE INDEX ON mart.by_owner (owner, amount)", inserted: 0,
      updated: 1,
      deleted: 1),
    Change(
      testDescription: "five groups", sql: "UPDATE app.item SET amount = 72 WHERE owner <= 5 AND kind = 'a'",
      inserted: 0, updated: 5, deleted: 0),
    Change(
      testDescription: "a null in what distinguishes rows",
      sql: "INSERT INTO app.item VALUES (902, 3, NULL, 5)", inserted: 1, updated: 0, deleted: 0),
    Change(
      testDescription: "a null that was there and is not any more",
      sql: "UPDATE app.item SET kind = 'c' WHERE id = 903",
      before: "INSERT INTO app.item VALUES (903, 3, NULL, 5)", inserted: 1, updated: 0,
      deleted: 1),
    Change(
      testDescription: "many rows of a group",
      sql: "INSERT INTO app.item SELECT 1000 + n, 3, 'kind ' || n, n FROM generate_series(1, 1001) n",
      inserted: 1001, updated: 0, deleted: 0),
  ]

  @Test("are written as they are now, and nothing else", arguments: changes)
  func change(_ change: Change) throws {
    var views = try StoredViews(
      """
      CREATE SCHEMA app; CREATE SCHEMA mart;
      CREATE TABLE app.item (id int PRIMARY KEY, owner int, kind text, amount int);
      INSERT INTO app.item SELECT 2 * n + k, n, chr(97 + k), n + 100 * k FROM generate_series(1, 40) n, generate_series(0, 1) k;
      """)
    try views.define(
      "mart.by_owner",
      """
      strategy: incremental
      description: Items by owner and kind
      key: [owner]
      unique: [owner, kind]
      rebuild_share: 100%
      sources:
        app.item: {capture: [owner], keys: SELECT owner FROM changed}
      """,
      "SELECT k.owner, i.kind, sum(i.amount)::int AS amount FROM {keys} k JOIN app.item i ON i.owner = k.owner GROUP BY 1, 2"
    )
    try views.make()
    try views.connection.execute(change.before)
    try views.refresh()
    try views.connection.execute(change.sql)
    let refresh = try views.refresh(of: "mart.by_owner")
    #expect(refresh.kind == .incremental)
    #expect(
      [refresh.inserted, refresh.updated, refresh.deleted] == [
        change.inserted, change.updated, change.deleted,
      ])
    #expect(
      try views.differences(of: "mart.by_owner", keys: "(SELECT DISTINCT owner FROM app.item)") == [])
  }
}
