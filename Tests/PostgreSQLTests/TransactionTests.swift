import Host
import PostgreSQL
import TestSupport
import Testing

@Suite struct TransactionTests {
  private struct Refusal: Error {}

  let database: TestDatabase
  let connection: Connection

  init() throws {
    database = try TestServer.shared.makeDatabase()
    connection = try database.connect()
    try connection.execute("CREATE TABLE step (n int UNIQUE)")
  }

  private func add(_ number: Int) throws {
    try connection.query("INSERT INTO step VALUES ($1)", [.integer(number)])
  }

  /// What `body` throws in a transaction of its own.
  private func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try connection.transaction(body)
      return nil
    } catch {
      return error
    }
  }

  private var steps: [Int] {
    get throws {
      try database.connect().query("SELECT n FROM step ORDER BY n").rows.map { try $0.value(0, Int.self) }
    }
  }

  @Test func `A return commits and a throw rolls back`() throws {
    try connection.transaction { try add(1) }
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try add(2)
        throw Refusal()
      }
    }
    #expect(try steps == [1])
    #expect(!connection.isInTransaction)
  }

  @Test func `An inner throw rolls back the inner work only`() throws {
    try connection.transaction {
      try add(1)
      for number in [2, 3] {
        let refusal = error {
          try add(number)
          try connection.transaction { try add(number * 10) }
          throw Refusal()
        }
        #expect(refusal is Refusal)
      }
      try connection.transaction { try add(4) }
    }
    #expect(try steps == [1, 4])
  }

  @Test func `An outer throw rolls back what inner ones had kept`() throws {
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try connection.transaction { try add(1) }
        throw Refusal()
      }
    }
    #expect(try steps == [])
  }

  @Test func `A server's error in an inner one leaves the outer one usable`() throws {
    try connection.transaction {
      try add(1)
      let refusal = error { try add(1) }
      #expect((refusal as? PostgreSQLError)?.sqlState == "23505")
      try add(2)
    }
    #expect(try steps == [1, 2])
  }

  @Test func `An error that is caught inside is not taken for a commit`() throws {
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.transaction {
        try add(1)
        _ = try? connection.execute("SELECT 1/0")
      }
    }
    #expect(error?.sqlState == "25P02")
    #expect(try steps == [])
    try connection.transaction { try add(3) }
    #expect(try steps == [3])
  }

  @Test func `An error that is caught in an inner one fails the inner one only`() throws {
    try connection.transaction {
      try add(1)
      let refusal = error {
        try add(2)
        _ = try? connection.execute("SELECT 1/0")
      }
      #expect((refusal as? PostgreSQLError)?.sqlState == "25P02")
      try connection.transaction { try add(3) }
    }
    #expect(try steps == [1, 3])
  }

  @Test func `A commit that the server refuses is the error, and the next transaction is a whole one`() throws
  {
    try connection.execute("CREATE TABLE later (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    var warnings: [String] = []
    connection.onNotice { warnings.append($0.message) }
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.transaction { try connection.execute("INSERT INTO later VALUES (1), (1)") }
    }
    #expect(error?.sqlState == "23505")
    #expect(warnings == [])
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try add(9)
        throw Refusal()
      }
    }
    #expect(try steps == [])
  }

  @Test func `A rollback that is cancelled itself is done all the same`() throws {
    // The server cancels what this session does about once in every fifth of a millisecond.
    let other = try database.connect()
    let process = connection.backendID
    let stopper = other.canceller
    nonisolated(unsafe) let cancelling = other
    let ended = Mailbox<Bool>()
    BackgroundThread.start {
      _ = try? cancelling.execute(
        """
        DO $$ BEGIN LOOP
          PERFORM pg_cancel_backend(\(process)), pg_sleep(0.0002);
        END LOOP; END $$
        """)
      ended.put(true)
    }
    try #require(
      try database.finds(
        """
        SELECT FROM pg_stat_activity
        WHERE query LIKE 'DO %' AND state = 'active' AND datname = current_database()
        """))
    var cancelled = 0
    for _ in 0..<300 {
      for depth in 0...1 {
        let found = error {
          try connection.execute("SELECT pg_sleep(0.0001)")
          if depth == 0 { throw Refusal() }
          try connection.transaction { throw Refusal() }
        }
        if (found as? PostgreSQLError)?.isCancellation == true { cancelled += 1 }
        #expect(!connection.isInTransaction)
      }
    }
    stopper.cancel()
    _ = ended.take()
    #expect(cancelled > 0)
    #expect(!connection.isLost)
  }

  @Test func `The value of the body is given back`() throws {
    let value = try connection.transaction { try connection.query("SELECT 7")[0].value(0, Int.self) }
    #expect(value == 7)
  }
}
