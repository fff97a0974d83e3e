import TestSupport
import Testing

@testable import PostgreSQL

@Suite struct TransientErrorTests {
  @Test(arguments: [
    ("08006", TransientCause.connection, true), ("08003", .connection, true), ("57P01", .connection, true),
    ("57P02", .connection, true), ("57P03", .connection, true), ("40001", .serialization, true),
    ("40P01", .deadlock, true), ("55P03", .lockTimeout, false), ("40002", nil, false), ("57014", nil, false),
    ("53100", nil, false), ("53300", nil, false), ("23505", nil, false), ("42P01", nil, false),
    ("25P04", nil, false), ("", nil, false),
  ])
  func `What may pass is known by SQLSTATE`(state: String, cause: TransientCause?, isTransient: Bool) {
    let error = PostgreSQLError.server(ServerError(sqlState: state))
    #expect(error.transientCause == cause && error.isTransient == isTransient)
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
}
