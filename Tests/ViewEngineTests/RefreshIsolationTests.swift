import Foundation
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

@testable import Definitions

/// What readers see and writers lose while a view is refreshed: no mixture, no wait, nothing.
@Suite("A refresh among readers and writers")
struct RefreshIsolationTests {
  /// The accounts in a part of their table, and others in a table that is none yet.
  private static let parts = accounts.replacing(
    "amount int NOT NULL);",
    with: """
      amount int NOT NULL) PARTITION BY RANGE (id);
      CREATE TABLE app.account_1 PARTITION OF app.account FOR VALUES FROM (1) TO (1000);
      CREATE TABLE app.account_2 (id int NOT NULL, owner int, amount int NOT NULL);
      INSERT INTO app.account_2 SELECT n, n % 50, 1 FROM generate_series(1000, 1099) n;
      """)

  private static let accounts = """
    CREATE TABLE app.account (id int PRIMARY KEY, owner int, amount int NOT NULL);
    CREATE INDEX ON app.account (owner);
    INSERT INTO app.account SELECT n, n % 40, 100 FROM generate_series(1, 400) n;
    -- What holds the computing of a group open, until who holds the lock gives it back.
    CREATE FUNCTION app.held(owner int) RETURNS int STABLE SET lock_timeout = 0 LANGUAGE plpgsql AS $$
    BEGIN
      IF owner = 7 THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
      RETURN owner;
    END $$
    """

  private func balances(_ sources: String = accounts) throws -> StoredViews {
    var views = try StoredViews(sources)
    try views.define(
      "mart.balance", by: "owner", of: "app.account",
      """
      SELECT app.held(k.owner) AS owner, count(*) AS accounts, sum(a.amount) AS amount
      FROM {keys} k JOIN app.account a ON a.owner IS NOT DISTINCT FROM k.owner
      GROUP BY k.owner
      """)
    try views.make()
    return views
  }

  /// A refresh on a thread and a connection of its own.
  private func refreshAside(
    _ views: StoredViews, lockWait: Double = 0, expecting outcomes: Set<ViewRefresh.Outcome> = [.refreshed]
  ) -> Background {
    let (database, definitions) = (views.database, views.definitions)
    return Background {
      let request = RefreshRequest(lockWait: lockWait)
      for view in try ViewEngine(definitions).refresh(request, on: database.connect()) {
        try #require(outcomes.contains(view.outcome), "\(view.view): \(String(describing: view.error))")
      }
    }
  }

  /// A refresh on a thread of its own that has come to the group that it cannot get past.
  private func heldRefresh(of views: StoredViews) throws -> (holder: Connection, refresh: Background) {
    let holder = try views.database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let refresh = refreshAside(views)
    try #require(try views.database.findsWaiter(forLock: 4711), "the refresh does not come to the group")
    return (holder, refresh)
  }

  private func go(_ held: (holder: Connection, refresh: Background)) throws {
    try held.holder.execute("SELECT pg_advisory_unlock(4711)")
    try held.refresh.wait()
  }

  @Test("shows readers of every isolation level one whole state, and lets none of them wait")
  func readers() throws {
    let views = try balances()
    let isOver = Shared(false)
    let answers = Shared<[String: Int]>([:])
    let database = views.database
    let levels = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]
    let readers = levels.map { level in
      Background {
        let reader = try database.connect()
        try reader.execute("SET lock_timeout = '1s'; SET default_transaction_isolation = '\(level)'")
        let sum = "SELECT sum(amount), sum(accounts), max(amount) FROM mart.balance"
        while !isOver.value {
          try reader.execute("BEGIN")
          let first = try reader.execute(sum)[0]
          #expect(first[0] == "40000" && first[1] == "400", "\(level): \(first[0] ?? ""), \(first[1] ?? "")")
          if level != "READ COMMITTED" { #expect(try reader.execute(sum)[0][2] == first[2], "\(level)") }
          try reader.execute("COMMIT")
          answers.change { $0["\(level) \(first[2] ?? "")", default: 0] += 1 }
        }
      }
    }
    let writer = try database.connect()
    var random = RandomNumbers(seed: 7)
    for number in 0..<60 {
      // Amounts go from owner to owner, and now and then accounts do; the sums stay.
      for _ in 0..<5 {
        let (from, to, sum) = (1 + random.below(400), 1 + random.below(400), random.below(50))
        try writer.execute(
          """
          UPDATE app.account SET amount = amount + CASE id WHEN \(from) THEN -\(sum) ELSE \(sum) END
          WHERE id IN (\(from), \(to)) AND \(from) <> \(to);
          UPDATE app.account SET owner = \(random.below(40)) WHERE id = \(to)
          """)
      }
      let done = try views.refresh(of: "mart.balance", RefreshRequest(isFull: number % 10 == 0))
      #expect(done.outcome == .refreshed)
    }
    isOver.change { $0 = true }
    for reader in readers { try reader.wait() }
    let seen = answers.value
    for level in levels {
      let states = seen.keys.filter { $0.hasPrefix(level) }.count
      #expect(states > 3, "\(level) saw \(states) states")
    }
    print("\(seen.values.reduce(0, +)) reads of \(seen.count) states at \(levels.count) levels, 60 refreshes")
    try views.expectExact("mart.balance")
  }

  @Test("keeps what a transaction that began before it saw, until that ends")
  func snapshot() throws {
    let views = try balances()
    let reader = try views.database.connect()
    try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    let query = "SELECT amount FROM mart.balance WHERE owner = 1"
    let before = try reader.execute(query)[0][0]
    for isFull in [false, true] {
      try views.connection.execute("UPDATE app.account SET amount = amount + 1 WHERE owner = 1")
      try views.refresh(RefreshRequest(isFull: isFull))
      #expect(try reader.execute(query)[0][0] == before)
    }
    try reader.execute("COMMIT")
    #expect(try reader.execute(query)[0][0] != before)
  }

  @Test("loses no change of a group that is made while the group is computed, nor lets its writer wait")
  func meanwhile() throws {
    let views = try balances()
    try views.connection.execute("UPDATE app.account SET amount = amount + 1 WHERE owner = 7")
    let held = try heldRefresh(of: views)
    let writer = try views.database.connect()
    try writer.execute(
      """
      SET lock_timeout = '1s';
      UPDATE app.account SET amount = amount + 1000 WHERE id = 7;
      UPDATE app.account SET owner = 7 WHERE id = 8;
      DELETE FROM app.account WHERE id = 47
      """)
    try go(held)
    // It shows its own snapshot, and what came later waits.
    #expect(try views.value("SELECT amount FROM mart.balance WHERE owner = 7") == "1010")
    #expect(try views.pending("mart.balance") > 0)
    #expect(try views.refresh(of: "mart.balance").kind == .incremental)
    #expect(try views.value("SELECT amount FROM mart.balance WHERE owner = 7") == "2009")
    try views.expectExact("mart.balance")
    #expect(try views.pending("mart.balance") == 0)
  }

  @Test("loses no change that was made before it and committed after it")
  func open() throws {
    let views = try balances()
    let writer = try views.database.connect()
    // Committed in the middle, committed after, and never.
    for (middle, after) in [("COMMIT", "SELECT 1"), ("SELECT 1", "COMMIT"), ("ROLLBACK", "SELECT 1")] {
      try writer.execute("BEGIN; UPDATE app.account SET amount = amount + 5 WHERE id IN (7, 9)")
      try views.connection.execute("UPDATE app.account SET amount = amount + 1 WHERE id = 47")
      let held = try heldRefresh(of: views)
      try writer.execute(middle)
      try go(held)
      try writer.execute(after)
      try views.refresh()
      try views.expectExact("mart.balance", "\(middle), \(after)")
    }
  }

  @Test("and a TRUNCATE keep each other waiting, and the next one shows it", arguments: [true, false])
  func truncate(isFirst: Bool) throws {
    let views = try balances()
    try views.connection.execute("UPDATE app.account SET amount = amount + 1 WHERE owner = 7")
    let database = views.database
    if isFirst {
      // It has been done and is not committed as the refresh comes.
      let writer = try database.connect()
      try writer.execute("BEGIN; TRUNCATE app.account; INSERT INTO app.account VALUES (1, 1, 1)")
      let refresh = refreshAside(views)
      try #require(try database.findsWaiter(forTable: "app.account"))
      try writer.execute("COMMIT")
      try refresh.wait()
      // It has waited before it looked at anything: not a mixture of before and after.
      try views.expectExact("mart.balance")
    } else {
      let held = try heldRefresh(of: views)
      let truncation = Background { try database.connect().execute("TRUNCATE app.account") }
      try #require(try database.findsWaiter(forTable: "app.account"))
      try go(held)
      try truncation.wait()
      #expect(try views.value("SELECT count(*) || ' ' || sum(amount) FROM mart.balance") == "40 40010")
    }
    try views.refresh()
    #expect(try views.value("SELECT count(*) FROM mart.balance") == (isFirst ? "1" : "0"))
    try views.expectExact("mart.balance")
  }

  @Test("looks at nothing before a release's table is there whose rows somebody rewrites")
  func rewritten() throws {
    var views = try StoredViews(
      """
      CREATE TABLE app.account (release text, owner int, amount int) PARTITION BY LIST (release);
      CREATE TABLE app.account_1 PARTITION OF app.account FOR VALUES IN ('1');
      CREATE TABLE app.account_2 PARTITION OF app.account FOR VALUES IN ('2');
      INSERT INTO app.account SELECT r::text, o, 100 FROM generate_series(1, 2) r, generate_series(1, 40) o;
      INSERT INTO rivulet.run (pipeline, state, definition_hash, program_version) VALUES ('p', 'published', '', '');
      INSERT INTO rivulet.release (pipeline, release, revision, state, run)
      SELECT 'p', r::text, 1, 'published', 1 FROM generate_series(1, 2) r;
      INSERT INTO rivulet.release_table
      SELECT 'p', r::text, 1, 'app.account', 'app.account_' || r, 0 FROM generate_series(1, 2) r
      """)
    try views.defineByOwner("mart.balance", of: "app.account")
    try views.make()
    let writer = try views.database.connect()
    try writer.execute(
      """
      UPDATE app.account_2 SET amount = 1 WHERE owner = 7;
      INSERT INTO rivulet.view_mark (view, source, release, partition, reason)
      VALUES ('mart.balance', 'app.account', '2', 'app.account_2', 'published')
      """)
    try writer.execute("BEGIN; ALTER TABLE app.account_1 SET UNLOGGED")
    let (database, refresh) = (views.database, refreshAside(views))
    try #require(try database.findsWaiter(forTable: "app.account_1"))
    try writer.execute("COMMIT")
    try refresh.wait()
    #expect(try views.value("SELECT amount FROM mart.balance WHERE owner = 7") == "101")
    try views.expectExact("mart.balance")
  }

  /// What is in the way of nobody who reads, so that it can come in between.
  @Test(
    "notices a partition that comes or goes while it computes",
    arguments: [
      "ALTER TABLE app.account ATTACH PARTITION app.account_2 FOR VALUES FROM (1000) TO (2000)",
      """
      CREATE TABLE app.account_3 (id int NOT NULL, owner int, amount int NOT NULL);
      INSERT INTO app.account_3 VALUES (2001, 7, 1), (2002, 8, 1);
      ALTER TABLE app.account ATTACH PARTITION app.account_3 FOR VALUES FROM (2000) TO (3000)
      """,
    ])
  func partitions(_ change: String) throws {
    let views = try balances(Self.parts)
    try views.connection.execute("UPDATE app.account SET amount = amount + 1 WHERE owner = 7")
    let held = try heldRefresh(of: views)
    let database = views.database
    let other = Background { try database.connect().execute(change) }
    // Whether it waits for the refresh is its own affair.
    usleep(300_000)
    try go(held)
    try other.wait()
    try views.refresh()
    try views.expectExact("mart.balance")
    try views.connection.execute("ALTER TABLE app.account DETACH PARTITION app.account_1")
    try views.refresh()
    try views.expectExact("mart.balance")
  }

  @Test(
    "notices a partition that comes while it computes and goes before the next one, and so does a comparison",
    arguments: [false, true])
  func briefPartition(isComparison: Bool) throws {
    let views = try balances(Self.parts)
    try views.connection.execute("UPDATE app.account SET amount = amount + 1 WHERE owner IN (7, 8)")
    let holder = try views.database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let (database, definitions) = (views.database, views.definitions)
    let found = Shared<[ViewComparison.Outcome]>([])
    let reading =
      isComparison
      ? Background {
        let compared = try ViewEngine(definitions).compare(on: database.connect())
        found.change { $0 = compared.map(\.outcome) }
      } : refreshAside(views)
    try #require(try database.findsWaiter(forLock: 4711))
    let other = try database.connect()
    try other.execute(
      "ALTER TABLE app.account ATTACH PARTITION app.account_2 FOR VALUES FROM (1000) TO (2000)")
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try reading.wait()
    #expect(found.value == (isComparison ? [.behind] : []))
    try other.execute("ALTER TABLE app.account DETACH PARTITION app.account_2")
    try views.refresh()
    try views.expectExact("mart.balance")
    #expect(try views.value("SELECT count(*) FROM rivulet.view_mark") == "0")
  }

  @Test("does one thing at a time where several refresh the same view, and all of them are right")
  func several() throws {
    let views = try balances()
    let writer = try views.database.connect()
    for round in 0..<10 {
      try writer.execute(
        "UPDATE app.account SET amount = amount + 1, owner = (owner + \(round)) % 40 WHERE id % 9 = \(round % 9)"
      )
      let others = (0..<4).map { _ in refreshAside(views, lockWait: 60, expecting: [.refreshed, .unchanged]) }
      for other in others { try other.wait() }
      try views.expectExact("mart.balance", "round \(round)")
      #expect(try views.pending("mart.balance") == 0)
    }
  }

  @Test("leaves a view that another refreshes alone when it may not wait")
  func busy() throws {
    let views = try balances()
    try views.connection.execute("UPDATE app.account SET amount = amount + 1 WHERE owner = 7")
    let held = try heldRefresh(of: views)
    // It fails at once or reports the view; what counts is that it does not wait.
    let second = try? views.engine.refresh(RefreshRequest(.named(["mart.balance"])), on: views.connection)
    #expect(second?.allSatisfy(\.hasFailed) != false, "\(String(describing: second))")
    try go(held)
    try views.expectExact("mart.balance")
  }
}
