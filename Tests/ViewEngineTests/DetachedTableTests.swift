import Definitions
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

/// A table that was a source's, and still has its triggers.
@Suite("What changes in a table that was detached from a source")
struct DetachedTableTests {
  @Test("is not added to a view any more, nor what was begun in it before a refresh")
  func changes() throws {
    var views = try StoredViews("")
    try views.connection.execute(
      """
      CREATE TABLE app.part (state text, n int) PARTITION BY LIST (state);
      CREATE TABLE app.part_a PARTITION OF app.part FOR VALUES IN ('a');
      CREATE TABLE app.part_b PARTITION OF app.part FOR VALUES IN ('b');
      INSERT INTO app.part VALUES ('a', 1), ('b', 2), ('b', 3)
      """)
    try views.define(
      "mart.parts", by: "n", of: "app.part",
      "SELECT n, count(*) AS rows FROM {keys} k JOIN app.part p USING (n) GROUP BY 1")
    try views.make()
    #expect(try views.value("SELECT adds FROM rivulet.view_source") == "sums")
    try views.connection.execute("ALTER TABLE app.part DETACH PARTITION app.part_b")
    let writer = try views.database.connect()
    try writer.execute("BEGIN; INSERT INTO app.part_b VALUES ('b', 7)")
    // What was begun before the refresh is waited for, as where triggers are put back.
    let database = views.database
    let definitions = views.definitions
    let refreshing = Background {
      _ = try ViewEngine(definitions).refresh(RefreshRequest(), on: try database.connect())
    }
    #expect(try views.database.findsWaiter(forTable: "app.part_b"))
    try writer.execute("COMMIT")
    try refreshing.wait()
    try views.expectExact("mart.parts", "after the refresh that it was detached before")
    for change in ["INSERT INTO app.part_b VALUES ('b', 1)", "DELETE FROM app.part_b WHERE n = 2"] {
      try views.connection.execute(change)
      try views.refresh()
      try views.expectExact("mart.parts", "\(change)")
    }
    try views.connection.execute("ALTER TABLE app.part ATTACH PARTITION app.part_b FOR VALUES IN ('b')")
    try views.refresh()
    try views.expectExact("mart.parts", "after it was attached again")
    try views.expectExact("mart.parts", afterEach: ["INSERT INTO app.part_b VALUES ('b', 9)"])
  }

  @Test(
    "that was attached, written to and detached between two refreshes is not added", arguments: [true, false])
  func guest(isOther: Bool) throws {
    let views = try parts()
    try views.connection.execute("ALTER TABLE app.part DETACH PARTITION app.part_b")
    // Now it is known to be away, and has no triggers.
    try views.refresh()
    if isOther {
      try views.connection.execute("DROP TABLE app.part_b; CREATE TABLE app.part_b (state text, n int)")
    }
    try views.connection.execute(
      """
      ALTER TABLE app.part ATTACH PARTITION app.part_b FOR VALUES IN ('b');
      INSERT INTO app.part VALUES ('b', 1), ('b', 3);
      ALTER TABLE app.part DETACH PARTITION app.part_b
      """)
    try views.refresh()
    try views.expectExact("mart.parts", "after it was a partition for a while")
    // Those that stay are added as before.
    try views.expectExact("mart.parts", afterEach: ["INSERT INTO app.part VALUES ('a', 9)"])
    #expect(
      try views.value("SELECT kind FROM rivulet.view_refresh ORDER BY refresh DESC LIMIT 1") == "incremental")
  }

  /// A view of a table with two parts.
  private func parts() throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.part (state text, n int) PARTITION BY LIST (state);
      CREATE TABLE app.part_a PARTITION OF app.part FOR VALUES IN ('a');
      CREATE TABLE app.part_b PARTITION OF app.part FOR VALUES IN ('b');
      INSERT INTO app.part VALUES ('a', 1), ('b', 2)
      """)
    try views.define(
      "mart.parts", by: "n", of: "app.part",
      "SELECT n, count(*) AS rows FROM {keys} k JOIN app.part p USING (n) GROUP BY 1")
    try views.make()
    return views
  }

  @Test(
    "that a refresh has seen leave is not added for a snapshot that is older, when it came again and left")
  func oldSnapshot() throws {
    let views = try parts()
    let writer = try views.database.connect()
    try writer.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM app.part_a")
    try views.connection.execute("ALTER TABLE app.part DETACH PARTITION app.part_b")
    try views.refresh()
    try views.connection.execute("ALTER TABLE app.part ATTACH PARTITION app.part_b FOR VALUES IN ('b')")
    try writer.execute("INSERT INTO app.part VALUES ('b', 1), ('b', 7); COMMIT")
    try views.connection.execute("ALTER TABLE app.part DETACH PARTITION app.part_b")
    try views.refresh()
    try views.expectExact("mart.parts")
    // Of tables that a refresh knows, what such a transaction writes is added.
    try views.expectExact(
      "mart.parts",
      afterEach: ["BEGIN ISOLATION LEVEL SERIALIZABLE; INSERT INTO app.part VALUES ('a', 3); COMMIT"])
  }

  @Test("whose detaching began while a statement was writing to it is not added")
  func concurrently() throws {
    let views = try parts()
    try views.connection.execute("ALTER TABLE app.part DETACH PARTITION app.part_b")
    try views.refresh()
    try views.connection.execute(
      """
      CREATE FUNCTION app.held(n int) RETURNS int LANGUAGE plpgsql AS $$
      BEGIN
        IF n = 2 THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
        RETURN n;
      END $$;
      ALTER TABLE app.part ATTACH PARTITION app.part_b FOR VALUES IN ('b')
      """)
    let holder = try views.database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let database = views.database
    let writing = Background {
      try database.connect().execute(
        "INSERT INTO app.part SELECT 'b', app.held(n) FROM generate_series(1, 2) n")
    }
    try #require(try database.findsWaiter(forLock: 4711))
    let detaching = Background {
      try database.connect().execute("ALTER TABLE app.part DETACH PARTITION app.part_b CONCURRENTLY")
    }
    try #require(try database.finds("SELECT FROM pg_inherits WHERE inhdetachpending"))
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try writing.wait()
    try detaching.wait()
    try views.refresh()
    try views.expectExact("mart.parts")
  }

  @Test(
    "is not waited for by who writes to another one while somebody is at work on it",
    arguments: ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
  func atWork(level: String) throws {
    let views = try parts()
    let holder = try views.database.connect()
    try holder.execute("BEGIN; LOCK TABLE app.part_a IN ACCESS EXCLUSIVE MODE")
    try views.connection.execute(
      """
      SET lock_timeout = '50s'; SET statement_timeout = '30s';
      BEGIN ISOLATION LEVEL \(level); INSERT INTO app.part VALUES ('b', 5)
      """)
    #expect(try views.value("SHOW lock_timeout") == "50s")
    try views.connection.execute("COMMIT; RESET statement_timeout; RESET lock_timeout")
    try holder.execute("COMMIT")
    try views.refresh()
    try views.expectExact("mart.parts")
  }
}
