import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Many small migrations, and how little they wait for the disk.
@Suite("Brief migrations")
struct SharedCommitTests {
  private let own: OwnMigrations

  init() throws { own = try OwnMigrations() }

  /// How many transactions the tables `moment...` were made in, each of which holds the time of its
  /// transaction.
  private func transactions(of count: Int) throws -> Int {
    let moments = (1...count).map { "SELECT t FROM moment\($0)" }.joined(separator: " UNION ")
    return try own.database.connect().query("SELECT count(*) FROM (\(moments)) m")[0].value(0)
  }

  @Test("share a commit, both ways")
  func share() throws {
    for number in 1...30 {
      try own.write(
        "\(number)_moment.sql", up: "CREATE TABLE moment\(number) AS SELECT now() AS t;",
        down: "DROP TABLE moment\(number);")
    }
    // A moment in which the server has other things to do makes each go alone from there on.
    var fewest = 30
    for _ in 1...5 where fewest >= 20 {
      #expect(try own.up().count == 30)
      fewest = min(fewest, try transactions(of: 30))
      #expect(try own.down(.version("0")) == (1...30).reversed().map(String.init))
      #expect(try own.tables() == nil)
    }
    #expect(fewest < 20)
  }

  @Test("are kept although one after them fails, which is reported of it alone")
  func failure() throws {
    try own.writeThree()
    try own.write("0002_b.sql", up: "CREATE TABLE b (n int);\nCREATE TABLE half (n nothing);")
    #expect(complaint { try own.up() }.hasPrefix("0002_b.sql:3:22:"))
    #expect(try own.states() == "0001:applied")
    #expect(try own.tables() == "a")
  }

  @Test("that cannot share one go on in transactions of their own")
  func newValue() throws {
    try own.write("1_type.sql", up: "CREATE TYPE mood AS ENUM ('low');", down: "DROP TYPE mood;")
    try own.write("2_value.sql", up: "ALTER TYPE mood ADD VALUE 'high';", down: "SELECT 1;")
    try own.write("3_use.sql", up: "CREATE TABLE a (m mood DEFAULT 'high');", down: "DROP TABLE a;")
    try own.write("4_more.sql", up: "CREATE TABLE b (m mood);", down: "DROP TABLE b;")
    #expect(try own.up() == ["1", "2", "3", "4"])
  }

  @Test("do not keep their locks while one after them takes its time")
  func slow() throws {
    try own.execute(
      """
      CREATE TABLE busy (n int);
      CREATE FUNCTION slow() RETURNS int LANGUAGE plpgsql SET lock_timeout = 0 AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN 1; END $$
      """)
    try own.write("1_busy.sql", up: "ALTER TABLE busy ADD m int;")
    try own.write("2_slow.sql", up: "CREATE TABLE slow AS SELECT slow();")
    try own.write("3_late.sql", up: "CREATE TABLE late AS SELECT pg_sleep(0.2)::text;")
    let holder = try own.database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let migrating = Background { [own] in try own.up() }
    try #require(try own.database.findsWaiter(forLock: 4711))
    try expectReadable("busy")
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try migrating.wait()
    #expect(try own.states() == "1:applied 2:applied 3:applied")
  }

  /// Reads a table while a migration cannot end.
  private func expectReadable(_ table: String) throws {
    try own.execute("SET statement_timeout = '60s'; SELECT FROM \(table)")
  }

  @Test("do not keep their locks while one after them waits for its own")
  func waiting() throws {
    try own.execute("CREATE TABLE busy (n int); CREATE TABLE held (n int)")
    try own.write("1_busy.sql", up: "ALTER TABLE busy ADD m int;")
    try own.write("2_held.sql", up: "ALTER TABLE held ADD m int;")
    let holder = try own.database.connect()
    try holder.execute("BEGIN; SELECT FROM held")
    let migrating = Background { [own] in try own.up { ($0.lockTimeout, $0.lockWait) = ("600s", 600) } }
    try #require(try own.database.findsWaiter(forTable: "held"))
    try expectReadable("busy")
    try holder.execute("COMMIT")
    try migrating.wait()
    #expect(try own.states() == "1:applied 2:applied")

    // One that does not get them leaves those before it applied.
    try own.write("3_busy.sql", up: "ALTER TABLE busy ADD k int;")
    try own.write("4_held.sql", up: "ALTER TABLE held ADD k int;")
    try holder.execute("BEGIN; SELECT FROM held")
    #expect(complaint { try own.up { ($0.lockTimeout, $0.lockWait) = ("200ms", 1) } }.contains("55P03"))
    #expect(try own.states() == "1:applied 2:applied 3:applied")
  }
}
