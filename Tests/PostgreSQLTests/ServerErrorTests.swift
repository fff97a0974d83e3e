import PostgreSQL
import TestSupport
import Testing

@Suite struct ServerErrorTests {
  let connection: Connection

  init() throws { connection = try TestServer.shared.makeDatabase().connect() }

  private func refusal(_ sql: String, _ parameters: [Parameter] = []) throws -> ServerError {
    let error = try #require(throws: PostgreSQLError.self) { try connection.query(sql, parameters) }
    guard case .server(let refusal) = error else { throw error }
    return refusal
  }

  @Test func `A syntax error has its place in the statement, with a caret under it`() throws {
    let error = try refusal("SELECT 'é',\n\tnosuch FROM pg_class")
    #expect(error.sqlState == "42703")
    #expect(error.place?.line == 2)
    #expect(error.place?.column == 2)
    #expect(
      "\(error)" == """
        ERROR 42703: column "nosuch" does not exist
           nosuch FROM pg_class
           ^
        """)
  }

  @Test func `A violated constraint carries its DETAIL and its names`() throws {
    try connection.execute("CREATE TABLE code (hcpcs text CONSTRAINT one_of_each UNIQUE, rvu numeric(4, 2))")
    try connection.execute("INSERT INTO code VALUES ('99213', 1)")
    let error = try refusal("INSERT INTO code VALUES ($1, 1)", ["99213"])
    #expect(error.sqlState == "23505")
    #expect(error.detail == "Key (hcpcs)=(99213) already exists.")
    #expect(error.constraint == "one_of_each")
    #expect(error.table == "code")
    #expect(error.severity == "ERROR")
  }

  @Test func `A HINT is kept, and shown last`() throws {
    let error = try refusal("SELECT lenght('x')")
    #expect(error.sqlState == "42883")
    let hint = try #require(error.hint)
    #expect("\(error)".hasSuffix("\nHINT: \(hint)"))
  }

  @Test func `An error raised in a function keeps its own SQLSTATE and its context`() throws {
    try connection.execute(
      """
      CREATE FUNCTION refuse() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'RV001', DETAIL = 'why', HINT = 'how'; END $$
      """)
    let error = try refusal("SELECT refuse()")
    #expect(error.sqlState == "RV001")
    #expect(error.detail == "why")
    #expect(error.hint == "how")
    #expect(try #require(error.context).contains("function refuse()"))
  }

  @Test func `The connection goes on after an error`() throws {
    _ = try refusal("SELECT 1/0")
    #expect(try connection.query("SELECT 42")[0][0] == "42")
    #expect(connection.isUsable)
  }

  @Test func `A lock that is not released in time is known as such`() throws {
    let database = try TestServer.shared.makeDatabase()
    let holder = try database.connect()
    let waiter = try database.connect()
    try holder.execute("CREATE TABLE held (n int)")
    try holder.execute("BEGIN; LOCK TABLE held")
    try waiter.execute("SET lock_timeout = '50ms'")
    let error = #expect(throws: PostgreSQLError.self) { try waiter.execute("SELECT * FROM held") }
    #expect(try #require(error).isLockTimeout)
    #expect(error?.isCancellation == false)
  }
}
