import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A refresh of all views leaves alone those of which nothing waits to be computed.
@Suite("Views that are exact already")
struct ExactViewsTests {
  private static let sources = [("mart.a", "mart.b"), ("mart.b", "app.item"), ("mart.c", "app.other")]

  private func make() throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (owner int, amount int);
      CREATE TABLE app.other (owner int, amount int);
      INSERT INTO app.item SELECT n % 20, n FROM generate_series(1, 100) n;
      INSERT INTO app.other TABLE app.item
      """)
    for (name, source) in Self.sources { try views.defineByOwner(name, of: source) }
    try views.make()
    return views
  }

  private func outcomes(_ views: StoredViews) throws -> [String: ViewRefresh.Outcome] {
    Dictionary(uniqueKeysWithValues: try views.refresh().map { ($0.view, $0.outcome) })
  }

  private func expectExact(_ views: StoredViews) throws {
    for (name, source) in Self.sources {
      try views.expectExact(name, keys: "(SELECT DISTINCT owner FROM \(source))")
    }
  }

  @Test("are left, and those that read what has changed are not")
  func readers() throws {
    let views = try make()
    try views.connection.execute(
      """
      UPDATE rivulet.view SET refreshed_at = now() - interval '1 day';
      INSERT INTO app.item VALUES (3, 1000)
      """)
    #expect(try outcomes(views) == ["mart.a": .refreshed, "mart.b": .refreshed, "mart.c": .unchanged])
    try expectExact(views)
    // All of them show what is so now.
    #expect(
      try views.value("SELECT bool_and(refreshed_at > now() - interval '1 hour') FROM rivulet.view") == "t")
    #expect(try outcomes(views) == ["mart.a": .unchanged, "mart.b": .unchanged, "mart.c": .unchanged])
  }

  @Test("do not make a refresh fail that computes them all the same")
  func underWay() throws {
    let views = try make()
    let other = try views.database.connect()
    let isLocked = try other.acquireLock("rivulet view mart.c")
    try #require(isLocked)
    try other.transaction(settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT now()") {
      #expect(try outcomes(views) == ["mart.a": .unchanged, "mart.b": .unchanged, "mart.c": .unchanged])
      let note = "UPDATE rivulet.view SET refreshed_at = now() WHERE name = 'mart.c'"
      // Fails, and the test with it, where somebody has written the row since.
      try other.execute(note)
    }
  }

  @Test("are not waited for where somebody has their lock")
  func locked() throws {
    let views = try make()
    let other = try views.database.connect()
    let isLocked = try other.acquireLock("rivulet view mart.c")
    try #require(isLocked)
    try views.connection.execute("INSERT INTO app.item VALUES (3, 1000)")
    #expect(try outcomes(views)["mart.c"] == .unchanged)
    try views.connection.execute("INSERT INTO app.other VALUES (3, 1000)")
    let done = try views.engine.refresh(RefreshRequest(), on: views.connection)
    #expect(done.first { $0.view == "mart.c" }?.outcome == .failed)
  }

  @Test(
    "are not those that cannot be known to be",
    arguments: [
      "ALTER TABLE app.other DISABLE TRIGGER USER; UPDATE app.other SET amount = 1",
      "TRUNCATE app.other",
      "ALTER TABLE app.other RENAME amount TO former; ALTER TABLE app.other ADD amount int",
    ])
  func unknown(_ change: String) throws {
    let views = try make()
    try views.connection.execute(change)
    let done = try views.engine.refresh(RefreshRequest(), on: views.connection)
    #expect(done.first { $0.view == "mart.c" }?.outcome != .unchanged)
  }

  @Test("are not those that are defined otherwise now")
  func redefined() throws {
    var views = try make()
    try views.defineByOwner("mart.c", of: "app.other", "max(amount)")
    let done = try views.engine.refresh(RefreshRequest(), on: views.connection)
    #expect(done.first { $0.view == "mart.c" }?.outcome == .failed)
  }
}
