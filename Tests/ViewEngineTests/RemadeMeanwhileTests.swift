import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A refresh looks up all views once, at its start: one may be made again by another session before its turn
/// comes.
@Suite("A view that is made again while others are refreshed")
struct RemadeMeanwhileTests {
  private func make() throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.item (owner int, amount int);
      INSERT INTO app.item SELECT n % 20, n FROM generate_series(1, 100) n
      """)
    try views.defineByOwner("mart.first", of: "app.item")
    try views.defineByOwner("mart.second", of: "app.item")
    try views.make()
    try views.connection.execute("INSERT INTO app.item VALUES (3, 1000)")
    return views
  }

  /// Refreshes both; another session drops the second when the first is done, and makes it by other
  /// definitions.
  private func refresh(_ views: StoredViews, making others: StoredViews) throws -> [ViewRefresh] {
    let other = try views.database.connect()
    let problems = Shared<[String]>([])
    let done = try views.engine.refresh(RefreshRequest(), on: views.connection) { refresh in
      guard refresh.view == "mart.first" else { return }
      do {
        try other.execute("DROP TABLE mart.second CASCADE")
        let left = try others.engine.synchronise(on: other)
        try other.execute("INSERT INTO app.item VALUES (4, 2000)")
        if !left.isEmpty { problems.change { $0.append("\(left)") } }
      } catch {
        problems.change { $0.append("\(error)") }
      }
    }
    try #require(problems.value == [])
    return done
  }

  @Test("is refreshed as it is now")
  func same() throws {
    let views = try make()
    let before = try views.value("SELECT number FROM rivulet.view WHERE name = 'mart.second'")
    let done = try refresh(views, making: views)
    #expect(done.map(\.outcome) == [.refreshed, .refreshed])
    #expect(try views.value("SELECT number FROM rivulet.view WHERE name = 'mart.second'") != before)
    try views.expectExact("mart.second")
    #expect(try views.refresh().map(\.outcome) == [.refreshed, .unchanged])
  }

  @Test("is computed again where a function that it uses was replaced while a migration filled it")
  func replaced() throws {
    var views = try make()
    // As it is computed it waits for the holder of the lock.
    @Sendable func weigh(_ times: Int) -> String {
      """
      CREATE OR REPLACE FUNCTION app.weight(bigint) RETURNS bigint STABLE LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN $1 * \(times); END $$
      """
    }
    try views.connection.execute(weigh(2))
    try views.defineByOwner("mart.third", of: "app.item", "app.weight(sum(amount))")
    try views.make()
    try views.connection.execute("SELECT pg_advisory_lock(4711)")
    let (database, definitions) = (views.database, views.definitions)
    let making = Background {
      let connection = try database.connect()
      try connection.transaction {
        try connection.execute("DROP TABLE mart.third CASCADE")
        try ViewEngine(definitions).remakeBroken(on: connection)
      }
    }
    try #require(try database.findsWaiter(forLock: 4711))
    // A server of a later minor version lets this wait for who makes a view of the function.
    let replacing = Background { try database.connect().execute(weigh(3)) }
    try #require(try database.findsReplacement(ofFunction: "app.weight(bigint)", containing: "* 3"))
    try views.connection.execute("SELECT pg_advisory_unlock(4711)")
    try making.wait()
    try replacing.wait()
    try views.expectExact("mart.third", refreshed: .full)
  }

  @Test("is out of step where it is another")
  func other() throws {
    let views = try make()
    var others = views
    try others.defineByOwner("mart.second", of: "app.item", "max(amount)")
    let done = try refresh(views, making: others)
    #expect(done.map(\.outcome) == [.refreshed, .failed])
    #expect("\(try #require(done[1].error))".contains("is not in the database as it is defined"))
    let locks = """
      SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = current_database()
      """
    #expect(try views.value(locks) == "0")
  }
}
