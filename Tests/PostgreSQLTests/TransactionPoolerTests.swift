import PostgreSQL
import TestSupport
import Testing

/// Poolers between the program and its server.
@Suite("A pooler")
struct TransactionPoolerTests {
  @Test(
    "that gives every transaction a server process is noticed, however it chooses the process",
    arguments: [(1, false), (5, false), (5, true)])
  func transactionMode(poolSize: Int, roundRobin: Bool) throws {
    let database = try TestServer.shared.makeDatabase()
    let pooler = try PgBouncer(mode: "transaction", poolSize: poolSize, roundRobin: roundRobin, to: database)
    for _ in 1...5 { #expect(try TransactionPooler.isBehind(try Connection(to: pooler.target))) }
  }

  @Test("that gives every session a server process of its own is none to mind", arguments: [false, true])
  func sessionMode(roundRobin: Bool) throws {
    let database = try TestServer.shared.makeDatabase()
    let pooler = try PgBouncer(mode: "session", poolSize: 5, roundRobin: roundRobin, to: database)
    for _ in 1...5 { #expect(try !TransactionPooler.isBehind(try Connection(to: pooler.target))) }
  }

  @Test("is not found where there is none")
  func direct() throws {
    #expect(try !TransactionPooler.isBehind(try TestServer.shared.makeDatabase().connect()))
  }
}
