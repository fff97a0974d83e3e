import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// Stored views held beside their SELECT, without a refresh.
@Suite("Views held beside their SELECT")
struct ComparedViewTests {
  private var views: StoredViews
  private let all = ["mart.by_owner", "mart.by_state", "mart.whole"]

  init() throws {
    views = try StoredViews(
      """
      CREATE TABLE app.item (id int PRIMARY KEY, state text, owner int, n int, price numeric(8, 2));
      CREATE INDEX ON app.item (owner);
      CREATE UNLOGGED TABLE app.away (id int);
      INSERT INTO app.item SELECT g, (ARRAY['new', 'open', 'done', NULL])[1 + g % 4], g % 5, g % 7, g * 1.25
      FROM generate_series(1, 400) g
      """)
    // Added up; by groups; as a whole.
    try views.define(
      "mart.by_state", by: "state",
      """
      SELECT k.state, count(*) AS items, min(i.n) AS least, sum(i.price) FILTER (WHERE i.n > 5) AS price
      FROM {keys} k JOIN app.item i ON i.state IS NOT DISTINCT FROM k.state GROUP BY 1
      """)
    try views.define(
      "mart.by_owner", by: "owner",
      "SELECT owner, length(string_agg(i.state, '' ORDER BY i.id)) AS states FROM {keys} k JOIN app.item i USING (owner) GROUP BY 1"
    )
    try views.define("mart.whole", fullBy: "n", "SELECT n, count(*) AS items FROM app.item GROUP BY 1")
    try views.make()
  }

  /// What was found of each view: `mart.whole different 1 0 0`, with rows missing, too many and with other
  /// values, and the same of groups.
  private func compared(_ names: Set<String>? = nil) throws -> [String] {
    try views.engine.compare(names, on: views.connection).map { found in
      let counts = [found.rows, found.groups].compactMap(\.self).flatMap {
        [$0.missing, $0.surplus, $0.changed]
      }
      return ([found.view, found.outcome.rawValue] + counts.map(String.init)).joined(separator: " ")
    }.sorted()
  }

  private func sums() throws -> String {
    try #require(
      try views.value("SELECT 'rivulet.sums_' || number FROM rivulet.view WHERE name = 'mart.by_state'"))
  }

  @Test("are exact after their refresh, also where a group has no value to add up any more")
  func exact() throws {
    let expected = ["mart.by_owner exact 0 0 0", "mart.by_state exact 0 0 0 0 0 0", "mart.whole exact 0 0 0"]
    #expect(try compared() == expected)
    try views.connection.execute("UPDATE app.item SET n = 1 WHERE n > 5 AND state IS NULL")
    try views.connection.execute("UPDATE app.item SET n = NULL WHERE state = 'new'")
    try views.refresh()
    #expect(try compared() == expected)
    #expect(try compared(["mart.whole"]) == ["mart.whole exact 0 0 0"])
  }

  @Test(
    "differ where somebody has changed, removed or added a row by hand",
    arguments: [
      ("UPDATE mart.by_owner SET states = 9 WHERE owner IN (1, 2)", "mart.by_owner different 0 0 2"),
      ("DELETE FROM mart.by_owner WHERE owner = 3", "mart.by_owner different 1 0 0"),
      ("INSERT INTO mart.whole VALUES (77, 1)", "mart.whole different 0 1 0"),
      (
        "UPDATE mart.by_state SET state = 'old' WHERE state IS NULL",
        "mart.by_state different 1 1 0 0 0 0"
      ),
      ("UPDATE {sums} SET c3 = c3 + 1 WHERE state = 'new'", "mart.by_state different 0 0 0 0 0 1"),
      ("UPDATE {sums} SET m2 = -5 WHERE state IS NULL", "mart.by_state different 0 0 0 0 0 1"),
      ("DELETE FROM {sums}", "mart.by_state different 0 0 0 4 0 0"),
    ])
  func byHand(_ change: String, _ expected: String) throws {
    try views.connection.execute(change.replacing("{sums}", with: sums()))
    #expect(try compared().filter { $0.contains("different") } == [expected])
    let view = try #require(expected.split(separator: " ").first.map(String.init))
    try views.refresh(RefreshRequest(.named([view]), isFull: true))
    #expect(try compared().allSatisfy { $0.contains(" exact ") })
  }

  @Test("differ where values that are counted once were changed by hand")
  mutating func values() throws {
    try views.define(
      "mart.values", by: "state",
      """
      SELECT k.state, count(DISTINCT i.n) AS ns, count(DISTINCT i.owner) AS owners
      FROM {keys} k JOIN app.item i ON i.state IS NOT DISTINCT FROM k.state GROUP BY 1
      """)
    try views.make()
    let number = try #require(try views.value("SELECT number FROM rivulet.view WHERE name = 'mart.values'"))
    #expect(try compared(["mart.values"]) == ["mart.values exact 0 0 0 0 0 0"])
    for (change, counts) in [
      ("UPDATE {values} SET rivulet_n = rivulet_n + 1 WHERE rivulet_value = 3 AND state = 'new'", "0 0 1"),
      ("DELETE FROM {values} WHERE state = 'open'", "7 0 0"),
      ("INSERT INTO {values} VALUES (NULL, 99, 1)", "0 1 0"),
    ] {
      try views.connection.execute(change.replacing("{values}", with: "rivulet.values_\(number)_1"))
      #expect(try compared(["mart.values"]) == ["mart.values different 0 0 0 \(counts)"], "\(change)")
      try views.refresh(RefreshRequest(.named(["mart.values"]), isFull: true))
      #expect(try compared(["mart.values"]) == ["mart.values exact 0 0 0 0 0 0"])
    }
  }

  @Test("differ where rows of a source were changed while a trigger was away that is back")
  func pastTriggers() throws {
    let triggers = try views.connection.execute(
      """
      SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger
      WHERE tgrelid = 'app.item'::regclass AND tgname LIKE '%delete'
      """
    ).rows.map { (name: try $0.value(0, String.self), text: try $0.value(1, String.self)) }
    try #require(triggers.count == 3)
    for trigger in triggers { try views.connection.execute("DROP TRIGGER \(trigger.name) ON app.item") }
    try views.connection.execute("DELETE FROM app.item WHERE id = 8 OR id = 12")
    for trigger in triggers {
      try views.connection.execute(
        "\(trigger.text); ALTER TABLE app.item ENABLE ALWAYS TRIGGER \(trigger.name)")
    }
    try views.refresh()
    #expect(
      try compared() == [
        "mart.by_owner different 0 0 2", "mart.by_state different 0 0 1 0 0 1", "mart.whole different 0 0 2",
      ])
  }

  @Test("are compared with what waits for them added, and nothing is written")
  func waiting() throws {
    try views.connection.execute("UPDATE app.item SET state = 'open', owner = 99 WHERE id < 4")
    func everything() throws -> [String] {
      let tables = try all + [sums(), "rivulet.view", "rivulet.view_mark", "rivulet.view_refresh"]
      let rows = try tables.flatMap {
        try views.connection.lines("SELECT t::text, xmin FROM \($0) t ORDER BY 1")
      }
      return rows + (try all.map { "\(try views.pending($0))" })
    }
    let before = try everything()
    #expect(
      try compared() == [
        "mart.by_owner exact 0 0 0", "mart.by_state exact 0 0 0 0 0 0", "mart.whole behind 0 0 0",
      ])
    #expect(try everything() == before)
    try views.connection.execute("UPDATE mart.by_owner SET states = 9 WHERE owner = 4")
    try views.connection.execute("UPDATE \(sums()) SET rivulet_rows = rivulet_rows + 1 WHERE state = 'new'")
    #expect(
      try compared() == [
        "mart.by_owner different 0 0 1", "mart.by_state different 0 0 0 0 0 1", "mart.whole behind 0 0 0",
      ])
  }

  @Test("are not compared where a refresh computes all of them, with the reason")
  mutating func behind() throws {
    try views.define(
      "mart.away", "strategy: full\ndescription: Items\nkey: []\nfresh_for: 1h",
      "SELECT count(*) AS n FROM app.away")
    try views.make()
    try views.connection.execute("TRUNCATE app.item")
    let found = try views.engine.compare(on: views.connection)
    #expect(found.filter { $0.outcome == .behind }.map(\.view).sorted() == ["mart.away"] + all)
    func reasons(_ view: String) -> [String]? { found.first { $0.view == view }?.reasons }
    #expect(reasons("mart.by_state") == ["app.item was truncated"])
    #expect(reasons("mart.away") == ["app.away may have changed: nothing reports its changes"])
  }

  @Test("keep a refresh away only where something waits for them, and fail for it where one is at work")
  func locks() throws {
    let other = try views.database.connect()
    for view in all { #expect(try other.acquireLock("rivulet view \(view)")) }
    #expect(try compared().allSatisfy { $0.contains(" exact ") })
    try views.connection.execute("UPDATE app.item SET owner = 99 WHERE id < 9")
    let found = try views.engine.compare(["mart.by_owner"], on: views.connection)
    #expect(found.map(\.outcome) == [.failed])
    #expect(found.first?.error as? RefreshError == .busy("mart.by_owner"))
  }

  @Test(
    "are exact where a value that is counted once is written in another way now, and differ where it is lost")
  mutating func distinctValues() throws {
    try views.connection.execute(
      "CREATE TABLE app.fee (owner int, fee interval); INSERT INTO app.fee VALUES (1, '30 d'), (1, '1 mon'), (1, '2 h')"
    )
    try views.define(
      "mart.fees", by: "owner", of: "app.fee",
      "SELECT owner, count(DISTINCT f.fee) AS fees FROM {keys} k JOIN app.fee f USING (owner) GROUP BY 1")
    try views.make()
    for fee in ["30 days", "1 mon"] {
      try views.connection.execute(
        "DELETE FROM app.fee WHERE fee::text = '\(fee)'; INSERT INTO app.fee VALUES (1, '720 h'), (1, '30 d')"
      )
      try views.refresh()
      #expect(try compared(["mart.fees"]) == ["mart.fees exact 0 0 0 0 0 0"])
    }
    let values = try #require(
      try views.value(
        "SELECT 'rivulet.' || relname FROM pg_class WHERE relname LIKE 'values%' AND relkind = 'r'"))
    try views.connection.execute("DELETE FROM \(values) WHERE rivulet_value = '2 h'")
    #expect(try compared(["mart.fees"]) == ["mart.fees different 0 0 0 1 0 0"])
  }
}
