import Host
import TestSupport
import Testing

@testable import PostgreSQL

@Suite struct TransientErrorTests {
  @Test(arguments: [
    ("08006", true), ("08003", true), ("57P01", true), ("57P02", true), ("57P03", true), ("40001", true),
    ("40P01", true), ("40002", false), ("57014", false), ("55P03", false), ("53100", false), ("53300", false),
    ("23505", false), ("42P01", false), ("25P04", false), ("", false),
  ])
  func `What may pass is known by SQLSTATE`(state: String, isTransient: Bool) {
    #expect(PostgreSQLError.server(ServerError(sqlState: state)).isTransient == isTransient)
  }

  @Test func `A lost connection may pass, one that was refused at the start does not`() {
    #expect(PostgreSQLError.connectionLost(reason: "").isTransient)
    #expect(!PostgreSQLError.connectionFailed(target: "", reason: "").isTransient)
  }

  @Test(arguments: [
    ("42601", true), ("42P01", true), ("22012", true), ("P0001", true), ("42501", false), ("53100", false),
    ("57014", false), ("40001", false), ("58030", false), ("XX000", false),
  ])
  func `A statement is not to blame for the state that the server is in`(state: String, isToBlame: Bool) {
    #expect(PostgreSQLError.server(ServerError(sqlState: state)).isAboutStatement == isToBlame)
  }

  @Test func `A session that an administrator ends is a lost connection`() throws {
    let database = try TestServer.shared.makeDatabase()
    let connection = try database.connect()
    let other = try database.connect()
    #expect(!connection.isLost)
    try other.query("SELECT pg_terminate_backend($1, 5000)", [.integer(connection.backendID)])
    // Nothing was asked of it since.
    #expect(connection.isLost)
    let error = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
    #expect(error?.isTransient == true)
    let next = try other.another()
    #expect(!next.isLost)
  }

  @Test func `The holder of a lock is ended only where it is the process that was meant`() throws {
    let database = try TestServer.shared.makeDatabase()
    let (holder, bystander, other) = (try database.connect(), try database.connect(), try database.connect())
    #expect(try holder.acquireLock("thing"))
    #expect(try bystander.acquireLock("other thing"))
    try other.endHolder(of: "thing", process: bystander.backendID)
    #expect(try !other.acquireLock("thing", waiting: 0.2))
    #expect(!bystander.isLost)
    try other.endHolder(of: "thing", process: holder.backendID)
    #expect(try other.acquireLock("thing", waiting: 5))
    // The lock falls a moment before the connection does.
    let deadline = Machine.seconds + 5
    while !holder.isLost && Machine.seconds < deadline { Machine.sleep(seconds: 0.01) }
    #expect(holder.isLost)
  }
}
