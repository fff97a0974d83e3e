import Host
import PostgreSQL
import TestSupport
import Testing

@Suite struct CancelTests {
  @Test func `A running statement is cancelled from another thread within a second`() throws {
    let database = try TestServer.shared.makeDatabase()
    let connection = try database.connect()
    let canceller = connection.canceller
    let backend = connection.backendID
    BackgroundThread.start {
      _ = try? database.finds(
        "SELECT FROM pg_stat_activity WHERE pid = \(backend) AND query = 'SELECT pg_sleep(300)' AND state = 'active'"
      )
      canceller.cancel()
    }
    let start = Machine.seconds
    let error = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT pg_sleep(300)") }
    #expect(error?.isCancellation == true)
    #expect(Machine.seconds - start < 120)
    #expect(try connection.query("SELECT 1")[0][0] == "1")
  }

  @Test func `A COPY is cancelled in its middle and leaves nothing`() throws {
    let database = try TestServer.shared.makeDatabase()
    let connection = try database.connect()
    try connection.execute("CREATE TABLE row (n int)")
    let canceller = connection.canceller
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.copy(into: "row", columns: ["n"]) { rows in
        for number in 0..<200_000 {
          rows.field(number)
          try rows.endRow()
        }
        canceller.cancel()
        // The server hears of it while it reads on.
        Machine.sleep(seconds: 0.2)
        for number in 0..<200_000 {
          rows.field(number)
          try rows.endRow()
        }
      }
    }
    #expect(error?.isCancellation == true)
    #expect(try connection.query("SELECT count(*) FROM row")[0][0] == "0")
  }

  @Test func `Cancelling an idle connection does no harm`() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    #expect(connection.canceller.cancel())
    Machine.sleep(seconds: 0.1)
    #expect(try connection.query("SELECT 1")[0][0] == "1")
  }
}
