import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Values that are equal and not identical: 1.0 and 1.00, `a` and `A` where case is nothing.
@Suite("Values that are equal and not the same")
struct EqualValuesTests {
  /// A table with a column of some type, and in it several values that are equal, and one that is not.
  struct Kind: CustomTestStringConvertible {
    let type: String
    let one: String
    let other: String
    let third: String
    var testDescription: String { type }
  }

  static let kinds = [
    Kind(type: "numeric", one: "1.0", other: "1.00", third: "2"),
    Kind(type: "double precision", one: "0", other: "-0", third: "2"),
    Kind(type: "interval", one: "1 day", other: "24:00", third: "2 days"),
    Kind(type: "numeric[]", one: "{1.0}", other: "{1.00}", third: "{2}"),
    Kind(type: "jsonb", one: "1.0", other: "1.00", third: "2"),
    Kind(type: "ext.citext", one: "a", other: "A", third: "b"),
    Kind(type: "ext.word", one: "a", other: "A", third: "b"),
    Kind(type: "text COLLATE ext.any_case", one: "a", other: "A", third: "b"),
  ]

  private func sources(_ kind: Kind) throws -> StoredViews {
    try StoredViews(
      """
      CREATE SCHEMA ext;
      CREATE EXTENSION citext SCHEMA ext;
      CREATE DOMAIN ext.word AS ext.citext;
      CREATE COLLATION ext.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE app.item (id int PRIMARY KEY, value \(kind.type), amount int);
      CREATE INDEX ON app.item (value);
      INSERT INTO app.item VALUES (1, '\(kind.one)', 1), (2, '\(kind.third)', 2), (3, NULL, 3);
      """)
  }

  @Test("are each remembered, since each may mean another group", arguments: kinds)
  func captured(_ kind: Kind) throws {
    var views = try sources(kind)
    try views.define(
      "mart.by_text", by: "value", keys: #"SELECT value::text COLLATE "C" FROM changed"#,
      """
      SELECT k.value, count(*) AS items FROM {keys} k
      JOIN app.item i ON i.value::text COLLATE "C" IS NOT DISTINCT FROM k.value GROUP BY 1
      """)
    try views.make()
    try views.expectExact(
      "mart.by_text",
      afterEach: [
        "UPDATE app.item SET value = '\(kind.other)' WHERE id = 1",
        "INSERT INTO app.item VALUES (4, '\(kind.one)'), (5, '\(kind.other)')",
        "DELETE FROM app.item WHERE id IN (4, 5)",
      ])
  }

  @Test(
    "are one group, which is shown as the rows that there are would have it",
    arguments: kinds.filter { $0.type != "ext.word" })
  func grouped(_ kind: Kind) throws {
    var views = try sources(kind)
    try views.define(
      "mart.by_value", by: "value",
      """
      SELECT k.value, count(*) AS items, sum(i.amount) AS amount FROM {keys} k
      JOIN app.item i ON (i.value IN (k.value) OR i.value IS NULL AND k.value IS NULL)
      GROUP BY k.value
      """.replacing(
        "i.value IN (k.value)",
        with: kind.type.hasPrefix("ext.") ? "i.value OPERATOR(ext.=) k.value" : "i.value = k.value"))
    try views.make()
    let keys = """
      (SELECT DISTINCT ON (value) value FROM app.item ORDER BY value, value::text COLLATE "C")
      """
    let changes = [
      "UPDATE app.item SET value = '\(kind.other)' WHERE id = 1",
      "INSERT INTO app.item VALUES (4, '\(kind.one)', 4), (5, '\(kind.other)', 5)",
      "UPDATE app.item SET value = '\(kind.one)', amount = 7 WHERE id = 1",
      "DELETE FROM app.item WHERE value::text COLLATE \"C\" = '\(kind.one)'",
      """
      INSERT INTO app.item SELECT 100 + n, value, n FROM app.item CROSS JOIN generate_series(1, 1) n WHERE id = 2;
      UPDATE app.item SET amount = amount + 1
      """, "UPDATE app.item SET value = NULL WHERE id = 2",
    ]
    try views.expectExact("mart.by_value", keys: keys, afterEach: changes)
    // The same by way of a table of groups.
    try views.connection.execute(
      """
      DELETE FROM app.item;
      INSERT INTO app.item SELECT n, v::text::\(kind.type.replacing("text COLLATE ext.any_case", with: "text")), n
      FROM unnest(ARRAY['\(kind.other)', '\(kind.one)', '\(kind.third)', NULL]) WITH ORDINALITY v(v, n)
      """)
    try views.refresh()
    try views.expectExact("mart.by_value", keys: keys)
  }

  @Test("are distinguished by their type's own equality where many groups have changed")
  func many() throws {
    var views = try StoredViews(
      """
      CREATE SCHEMA ext;
      CREATE EXTENSION citext SCHEMA ext;
      CREATE TABLE app.item (id int PRIMARY KEY, name ext.citext);
      INSERT INTO app.item SELECT n, 'n' || n % 50 FROM generate_series(1, 500) n;
      """)
    try views.define(
      "mart.by_name", by: "name",
      "SELECT k.name, count(*) AS n FROM {keys} k JOIN app.item i ON i.name OPERATOR(ext.=) k.name GROUP BY 1"
    )
    try views.make()
    let keys = #"(SELECT DISTINCT ON (name) name FROM app.item ORDER BY name, name::text COLLATE "C")"#
    let changes = [
      "UPDATE app.item SET name = upper(name::text) WHERE id % 3 = 0",
      "UPDATE app.item SET name = upper(name::text)", "DELETE FROM app.item WHERE id % 50 < 10",
      "INSERT INTO app.item SELECT n, 'n' || n % 20 FROM generate_series(1001, 1030) n",
    ]
    try views.expectExact("mart.by_name", keys: keys, afterEach: changes)
  }

  @Test("are looked up by the collation of the key, not of the database")
  func collation() throws {
    var views = try StoredViews(
      """
      CREATE COLLATION app.numbers (provider = icu, locale = 'und-u-kn-true');
      CREATE TABLE app.item (id int PRIMARY KEY, name text COLLATE app.numbers);
      INSERT INTO app.item SELECT n, 'n' || n FROM generate_series(1, 20) n;
      """)
    try views.define(
      "mart.by_name", by: "name",
      "SELECT k.name, (SELECT count(*) FROM app.item i WHERE i.id <= 20 AND i.name::text < k.name) AS n FROM {keys} k"
    )
    try views.make()
    try views.connection.execute("INSERT INTO app.item VALUES (21, 'n15'), (22, 'n9'), (23, 'n9.5')")
    try views.expectExact("mart.by_name", refreshed: .incremental)
  }
}
