import Foundation
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

@testable import Definitions

/// Definitions that are wrong, each with the place where it is: `¦` is before what is to blame.
@Suite("A view's definition that is wrong")
struct HostileDefinitionTests {
  private static let sources = """
    CREATE TABLE app.item (id int PRIMARY KEY, owner int, name text, amount numeric, raw json);
    CREATE INDEX ON app.item (owner);
    INSERT INTO app.item VALUES (1, 1, 'secret one', 10), (2, 1, 'secret two', 20), (3, 2, 'secret three', 30);
    CREATE MATERIALIZED VIEW app.frozen AS SELECT 1 AS owner;
    CREATE VIEW app.plain AS SELECT owner FROM app.item;
    CREATE VIEW app.chance AS SELECT owner, random() AS chance FROM app.item;
    CREATE FUNCTION app.any(int) RETURNS int LANGUAGE sql AS 'SELECT $1';
    CREATE FUNCTION app.parsed(n int) RETURNS float8 STABLE LANGUAGE sql RETURN n * random();
    CREATE FUNCTION app.sound(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n';
    """

  static let header = """
    /* rivulet view
    strategy: incremental
    description: Items by owner
    key: [owner]
    sources:
      app.item:
        capture: [owner]
        keys: SELECT owner FROM changed
    */

    """
  static let select = """
    SELECT k.owner, count(*) AS items
    FROM {keys} k JOIN app.item i USING (owner)
    GROUP BY 1

    """

  /// A definition with one mistake.
  struct Mistake: CustomTestStringConvertible {
    let what: String
    let text: String
    var testDescription: String { what }

    /// A part of the sound definition, each in another's place.
    init(_ what: String, _ changes: (String, String)...) {
      self.what = what
      text = changes.reduce(header + select) { $0.replacing($1.0, with: $1.1) }
    }
  }

  static let mistakes = [
    Mistake("a source that is not there", ("app.item:", "¦app.itme:")),
    Mistake("a source in a schema that is not there", ("app.item:", "¦ap.item:")),
    Mistake("a source that is a plain view", ("app.item:", "¦app.plain:")),
    Mistake(
      "a source beside it that the SELECT does not read",
      ("sources:", "sources:\n  ¦app.frozen: rebuild")),
    Mistake("a column to capture that is not there", ("capture: [owner]", "capture: [¦ownr]")),
    Mistake(
      "a key that the SELECT does not give", ("key: [owner]", "key: [¦oner]"),
      ("SELECT k.owner", "SELECT k.oner AS owner"),
      ("USING (owner)", "ON i.owner = k.oner")),
    Mistake(
      "a second key that the SELECT does not give",
      ("key: [owner]", "key: [owner, ¦id]"), ("SELECT owner FROM", "SELECT owner, 1 FROM")),
    Mistake("a unique column that is not there", ("key: [owner]", "key: [owner]\nunique: [owner, ¦no]")),
    Mistake(
      "an index on a column that is not there",
      ("key: [owner]", "key: [owner]\nindexes: [[items], [items, ¦itms]]")),
    Mistake("an owner's column that is not there", ("key: [owner]", "key: [owner]\nowner_column: ¦nobody")),
    Mistake("a role that is not there", ("key: [owner]", "key: [owner]\ngrants: {¦nobody_at_all: select}")),
    Mistake("keys of too many columns", ("SELECT owner FROM changed", "¦SELECT owner, 1 FROM changed")),
    Mistake("keys of no column", ("SELECT owner FROM changed", "¦SELECT FROM changed")),
    Mistake(
      "keys of another type", ("SELECT owner FROM changed", "¦SELECT owner::text FROM changed"),
      ("USING (owner)", "ON i.owner::text = k.owner"), ("SELECT k.owner", "SELECT i.owner")),
    Mistake(
      "a column to capture whose values cannot be distinguished",
      ("capture: [owner]", "capture: [owner, ¦raw]")),
    Mistake("keys with an unknown column", ("SELECT owner FROM changed", "SELECT ¦ownr FROM changed")),
    Mistake("keys of what is not captured", ("SELECT owner FROM changed", "SELECT ¦amount FROM changed")),
    Mistake("keys with an unknown table", ("SELECT owner FROM changed", "SELECT owner FROM ¦chnged")),
    Mistake("keys that are no SQL", ("SELECT owner FROM changed", "SELECT owner FRM ¦changed, changed")),
    Mistake("keys that are no SQL, quoted", ("SELECT owner FROM changed", "'SELECT owner, ¦] FROM changed'")),
    Mistake(
      "keys that are wrong in a block",
      (
        "keys: SELECT owner FROM changed",
        "keys: |\n      SELECT owner\n      FROM changed\n      WHERE ¦nowhere = 1"
      )),
    Mistake(
      "keys that are wrong in a folded block",
      (
        "keys: SELECT owner FROM changed",
        "keys: >-\n      SELECT\n      owner -- no\n\n      FROM\n      changed JOIN ¦app.nowhere n USING (owner)"
      ), (" -- no", "")),
    Mistake(
      "keys that are wrong in a flow mapping",
      (
        "app.item:\n    capture: [owner]\n    keys: SELECT owner FROM changed",
        "app.item: {capture: [owner], keys: 'SELECT ¦ownr FROM changed'}"
      )),
    Mistake("a SELECT with an unknown column", ("count(*)", "count(¦i.ident)")),
    Mistake(
      "a SELECT with an unknown column behind the keys",
      ("USING (owner)", "ON i.owner = k.owner AND ¦i.ident = 1")),
    Mistake("a SELECT with an unknown table", ("JOIN app.item", "JOIN ¦app.itme")),
    Mistake("a SELECT that is no SQL", ("GROUP BY 1", "GROUP ¦BUY 1")),
    Mistake(
      "a SELECT that is wrong behind other characters",
      ("SELECT k.owner", "SELECT /* é ü 漢 \u{1F600} */ 'é' AS \"ü\", k.owner"), ("GROUP BY 1", "GROUP BY ¦é")),
    Mistake(
      "a column that is given twice", ("SELECT k.owner", "¦SELECT k.owner"),
      ("count(*) AS items", "count(*) AS items, 1 AS items")),
    Mistake(
      "a column without a type that can be stored",
      ("SELECT k.owner", "¦SELECT k.owner"), ("count(*) AS items", "count(*) AS items, row(1, 2) AS pair")),
    Mistake(
      "a missing source", ("app.item:", "¦app.item:"),
      ("JOIN app.item i USING (owner)", "JOIN app.item i USING (owner) JOIN app.other o USING (owner)")),
    Mistake("an unknown placeholder", ("{keys}", "¦{kyes}")),
    Mistake(
      "no placeholder", ("FROM {keys} k JOIN app.item i USING (owner)", "FROM app.item k"),
      ("SELECT k", "¦SELECT k")),
    Mistake("a second statement", ("GROUP BY 1\n", "GROUP BY 1¦;\nDROP TABLE app.item\n")),
    Mistake("a statement that writes", ("SELECT k.owner", "¦DELETE FROM app.item; SELECT k.owner")),
    Mistake("the moment in what is stored", ("count(*) AS", "¦now() AS at, count(*) AS")),
    Mistake(
      "chance in what is stored", ("SELECT k", "¦SELECT k"),
      ("count(*) AS", "max(random()) AS chance, count(*) AS")),
    Mistake(
      "a function that is not marked as stable", ("SELECT k", "¦SELECT k"),
      ("count(*) AS", "app.any(1) AS one, count(*) AS")),
    Mistake("chance behind a plain view", ("SELECT k", "¦SELECT k"), ("JOIN app.item", "JOIN app.chance")),
    Mistake(
      "chance behind a function", ("SELECT k", "¦SELECT k"),
      ("count(*) AS", "app.parsed(1) AS chance, count(*) AS")),
    Mistake(
      "an age as of now", ("SELECT k", "¦SELECT k"),
      ("count(*) AS", "age(DATE '2025-01-01') AS age, count(*) AS")),
    Mistake("an unknown key of the header", ("sources:", "¦sorces: {}\nsources:")),
    Mistake("an unknown key of a source", ("capture: [owner]", "capture: [owner]\n    ¦captures: [owner]")),
    Mistake(
      "a source twice", ("sources:", "sources:\n  app.item: rebuild\n  ¦x:"), ("\n  ¦x:", ""),
      ("  app.item:\n", "  ¦app.item:\n")),
    Mistake("a key twice", ("key: [owner]", "key: [owner, ¦owner]")),
    Mistake("a strategy that there is not", ("incremental", "¦incrmental")),
    Mistake("a share that is none", ("key: [owner]", "key: [owner]\nrebuild_share: ¦300%")),
    Mistake("a span that is none", ("key: [owner]", "key: [owner]\nfresh_for: ¦soon")),
  ]

  @Test("is reported with its file, line and column, and makes nothing", arguments: mistakes)
  func place(_ mistake: Mistake) throws {
    var views = try StoredViews(Self.sources)
    if mistake.what == "a missing source" {
      try views.connection.execute("CREATE TABLE app.other (owner int)")
    }
    let text = mistake.text.replacing("¦", with: "")
    let before = mistake.text.prefix { $0 != "¦" }.split(separator: "\n", omittingEmptySubsequences: false)
    let mark = Mark(line: before.count, column: (before.last?.unicodeScalars.count ?? 0) + 1)
    let found: [(file: String, mark: Mark?, message: String)]
    do {
      try views.define("mart.by_owner", text: text)
      found = try views.engine.synchronise(on: views.connection).map { ($0.file, $0.mark, $0.message) }
    } catch let error as DefinitionErrors {
      found = error.errors.map { ($0.file, $0.mark, $0.message) }
    } catch let error as ViewProblem {
      found = [(error.file, error.mark, error.message)]
    }
    let first = try #require(found.first, "nothing was found wrong")
    #expect(first.file == "Pipelines/test/views/mart.by_owner.sql")
    #expect(found.contains { $0.mark == mark }, "\(found), not \(mark)")
    #expect(try views.value("SELECT to_regclass('mart.by_owner')") == nil)
    #expect(
      try views.value(
        "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = 'app.item'::regclass") == "0")
  }

  /// Definitions that look wrong and are not.
  static let odd = [
    Mistake("a semicolon at the end", ("GROUP BY 1\n", "GROUP BY 1;\n")),
    Mistake("a comment at the end", ("GROUP BY 1\n", "GROUP BY 1 -- the end")),
    Mistake("a semicolon and comments at the end", ("GROUP BY 1\n", "GROUP BY 1 /* ; */ ; -- ; {keys}")),
    Mistake(
      "WITH",
      ("SELECT k.owner", "WITH k AS (SELECT * FROM {keys} x), changed AS (SELECT 1) SELECT k.owner"),
      ("{keys} k JOIN", "k JOIN")),
    Mistake("the keys twice", ("USING (owner)", "USING (owner) JOIN {keys} AS k2 ON k2.owner = k.owner")),
    Mistake(
      "quotes and braces", ("AS items", "AS \"it\"\"ems {x}\", '{keys} ''; $$' AS text, $$ {keys} $$ AS more")
    ),
    Mistake(
      "keys with WITH", ("SELECT owner FROM changed", "WITH c AS (SELECT * FROM changed) SELECT owner FROM c")
    ),
    Mistake(
      "keys with UNION",
      ("SELECT owner FROM changed", "SELECT owner FROM changed UNION SELECT owner FROM changed")),
    Mistake(
      "keys with a comment and a semicolon",
      ("SELECT owner FROM changed", "|\n      SELECT owner FROM changed -- all\n")),
    Mistake(
      "keys of a type that can be assigned",
      ("SELECT owner FROM changed", "SELECT owner::bigint::int FROM changed")),
    Mistake(
      "functions that are immutable, and an age that is",
      ("count(*) AS", "app.sound(1) AS one, age(DATE '2025-01-01', DATE '2024-01-01') AS age, count(*) AS")),
    Mistake("windows line ends", ("\n", "\r\n")),
    Mistake("a tab and non-ASCII text", ("count(*) AS items", "count(*) AS items,\t'é漢' AS \"naïve\"")),
  ]

  @Test("does not mean one that is only written oddly", arguments: odd)
  func oddities(_ mistake: Mistake) throws {
    var views = try StoredViews(Self.sources)
    try views.define("mart.by_owner", text: mistake.text)
    try views.make()
    let counts =
      "SELECT string_agg(owner || ' ' || (to_jsonb(v) - 'owner')::text, ', ' ORDER BY owner) FROM mart.by_owner v"
    let before = try #require(try views.value(counts))
    #expect(before.contains("1 {") && before.contains("2"), "\(before)")
    try views.connection.execute(
      "INSERT INTO app.item VALUES (4, 2, 'four', 40), (5, NULL, 'five', 50), (6, 8, 'six', 6)")
    #expect(try views.refresh(of: "mart.by_owner").outcome == .refreshed)
    #expect(try views.value("SELECT count(*) FROM mart.by_owner") == "3")
    try views.connection.execute("DELETE FROM app.item WHERE id IN (3, 4)")
    try views.refresh()
    #expect(try views.value("SELECT count(*) FROM mart.by_owner") == "2")
  }

  @Test("has as long a name as the server allows, and so have its columns, and all works")
  func longNames() throws {
    let name = "mart." + String(repeating: "v", count: 63)
    let other = "mart." + String(repeating: "v", count: 62) + "w"
    let column = String(repeating: "c", count: 63)
    var views = try StoredViews(
      Self.sources + "CREATE SCHEMA auth; CREATE FUNCTION auth.uid() RETURNS int LANGUAGE sql AS 'SELECT 1';"
        + "CREATE TABLE app.\(column) (\(column) int); CREATE INDEX ON app.\(column) (\(column));")
    for name in [name, other] {
      try views.define(
        name,
        """
        strategy: incremental
        description: As long as can be
        key: [\(column)]
        unique: [\(column), \(column.dropLast())]
        rebuild_share: 100%
        indexes: [[\(column)], [\(column.dropLast())]]
        owner_column: \(column)
        sources:
          app.\(column): {capture: [\(column)], keys: SELECT \(column) FROM changed}
        """,
        """
        SELECT k.\(column), count(*) AS \(column.dropLast()) FROM {keys} k JOIN app.\(column) t ON t.\(column) = k.\(column)
        GROUP BY 1
        """)
    }
    try views.make()
    try views.connection.execute("INSERT INTO app.\(column) VALUES (1), (1), (2)")
    for name in [name, other] {
      #expect(try views.refresh(of: name, RefreshRequest(.named([name]))).outcome == .refreshed)
      #expect(try views.value("SELECT count(*) FROM \(name)") == "2")
    }
  }

  /// What goes wrong only with rows, and the change that brings these.
  static let failures = [
    (
      Mistake("a division by zero", ("count(*) AS items", "count(*) AS items, sum(100 / i.amount) AS share")),
      "UPDATE app.item SET amount = 0 WHERE id = 3"
    ),
    (
      Mistake(
        "a text that is no number",
        (
          "count(*) AS items",
          "count(*) AS items, max((i.amount || CASE WHEN i.id > 3 THEN i.name ELSE '' END)::numeric) AS n"
        )), "INSERT INTO app.item VALUES (4, 2, 'secret four', 40)"
    ),
    (
      Mistake(
        "two rows that 'unique' does not distinguish", ("count(*) AS items", "i.amount AS items"),
        ("GROUP BY 1", ""), ("key: [owner]", "key: [owner]\nunique: [owner, items]")),
      "INSERT INTO app.item VALUES (4, 2, 'secret four', 30)"
    ),
    (
      Mistake(
        "rows of two groups that 'unique' does not distinguish", ("count(*) AS items", "i.amount AS items"),
        ("GROUP BY 1", ""), ("key: [owner]", "key: [owner]\nunique: [items]\nrebuild_share: 100%")),
      "INSERT INTO app.item VALUES (4, 1, 'secret four', 30)"
    ),
    (
      Mistake(
        "a row outside the groups that were asked for", ("GROUP BY 1", "GROUP BY k.owner"),
        ("SELECT k.owner", "SELECT max(i.id) + k.owner * 0 + 77000 AS owner"),
        ("key: [owner]", "key: [owner]\nrebuild_share: 100%")),
      "INSERT INTO app.item VALUES (4, 2, 'secret four', 30)"
    ),
  ]

  @Test("but is only found out by rows, leaves the view as it was and shows no row", arguments: failures)
  func atRefresh(_ failure: Mistake, change: String) throws {
    var views = try StoredViews(Self.sources)
    try views.define("mart.by_owner", text: failure.text)
    try views.define(
      "mart.reader", fullBy: "owner", "SELECT owner, count(*) AS n FROM mart.by_owner GROUP BY 1")
    try views.define("mart.other", fullBy: "id", "SELECT id FROM app.item")
    // Who asks for all groups gets what is in none of them.
    let isOutside = failure.what.hasPrefix("a row outside")
    try views.make()
    let content = "SELECT string_agg(v::text, ' ' ORDER BY v::text) FROM mart.by_owner v"
    let before = try views.value(content)
    try views.connection.execute("\(change); UPDATE app.item SET amount = amount + 1 WHERE id = 1")
    let pending = try views.pending("mart.by_owner")
    for isFull in isOutside ? [false] : [false, true] {
      let found = try views.engine.refresh(RefreshRequest(isFull: isFull), on: views.connection)
      let failed = try #require(found.first { $0.view == "mart.by_owner" })
      #expect(failed.outcome == .failed)
      #expect(found.first { $0.view == "mart.reader" }?.outcome == .skipped)
      #expect(found.first { $0.view == "mart.other" }?.outcome == .refreshed || isFull == true)
      let text = "\(String(describing: failed.error)) \(failed.error.map { "\($0)" } ?? "")"
      #expect(text.contains("mart.by_owner.sql"), "\(text)")
      for value in ["secret", "(2, 30)", "=(", "30"] { #expect(!text.contains(value), "\(text)") }
      #expect(try views.value(content) == before)
      #expect(try views.pending("mart.by_owner") == pending)
    }
    if isOutside { return }
    // What was to blame is fixed, and all that waited is there.
    try views.connection.execute(
      "UPDATE app.item SET amount = 35 WHERE id = 3; UPDATE app.item SET name = '5', owner = 5 WHERE id = 4")
    try views.refresh()
    try views.expectExact("mart.by_owner")
  }
}
