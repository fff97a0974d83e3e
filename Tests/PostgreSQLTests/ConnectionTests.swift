import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

@Suite struct ConnectionTests {
  let database: TestDatabase

  init() throws { database = try TestServer.shared.makeDatabase() }

  private func name(_ specification: String) throws -> String? {
    let connection = try Connection(to: ConnectionTarget(specification))
    return try connection.query("SELECT current_database()")[0][0]
  }

  @Test func `A URI and a keyword string lead to the database they name`() throws {
    #expect(try name(database.url) == database.name)
    let options = database.target.options
    let host = try #require(options["host"])
    #expect(try name("host='\(host)' port=5432 user=rivulet dbname=\(database.name)") == database.name)
  }

  @Test func `PG variables name the database where nothing else does`() async throws {
    let host = try #require(database.target.options["host"])
    await #expect(processExitsWith: .success) { [host = host as String, name = database.name as String] in
      setenv("PGHOST", host, 1)
      setenv("PGPORT", "5432", 1)
      setenv("PGUSER", "rivulet", 1)
      setenv("PGDATABASE", name, 1)
      let target = try ConnectionTarget("")
      #expect(target.label == "database '\(name)' on \(host):5432 as 'rivulet'")
      #expect(try Connection(to: target).query("SELECT current_database()")[0][0] == name)
    }
  }

  @Test func `A server that is there and says nothing times out`() throws {
    let silent = try LoopbackListener()
    #expect {
      _ = try Connection(to: ConnectionTarget("postgresql://u@127.0.0.1:\(silent.port)/d?connect_timeout=2"))
    } throws: { "\($0)".contains("timeout expired") }
  }

  @Test func `A server that takes a connection and ends it at once is lost, in its own words`() throws {
    let server = try LoopbackListener()
    server.serve { connection in
      func message(_ kind: Character, _ body: String) -> [UInt8] {
        let size = body.utf8.count + 4
        return [kind.asciiValue ?? 0, 0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array(body.utf8)
      }
      func say(_ bytes: [UInt8]) { send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard recv(connection, &buffer, buffer.count, 0) > 0 else { return }
      say(message("R", "\0\0\0\0") + message("Z", "I"))
      guard recv(connection, &buffer, buffer.count, 0) > 0 else { return }
      say(message("E", "SFATAL\0C53300\0Mthere is no room\0\0"))
    }
    let target = try ConnectionTarget(
      "postgresql://u@127.0.0.1:\(server.port)/d?sslmode=disable&gssencmode=disable")
    let error = try #require(throws: PostgreSQLError.self) { try Connection(to: target) }
    guard case .connectionLost(let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("there is no room"), "\(reason)")
  }

  @Test func `A service file names the database`() async throws {
    let scratch = try Scratch()
    let host = try #require(database.target.options["host"])
    let file = try scratch.write(
      "services", "[feed]\nhost=\(host)\nport=5432\nuser=rivulet\ndbname=\(database.name)\n")
    await #expect(processExitsWith: .success) { [file = file as String, name = database.name as String] in
      setenv("PGSERVICEFILE", file, 1)
      let connection = try Connection(to: ConnectionTarget("service=feed"))
      #expect(try connection.query("SELECT current_database()")[0][0] == name)
    }
  }

  @Test func `A refused connection is reported in libpq's own words, without the password`() throws {
    let target = try ConnectionTarget("postgresql://loader:open-sesame@127.0.0.1:1/reference")
    let error = try #require(throws: PostgreSQLError.self) { try Connection(to: target) }
    let text = "\(error)"
    #expect(text.hasPrefix("cannot connect to database 'reference' on 127.0.0.1:1 as 'loader': "))
    #expect(text.contains("Connection refused"))
    #expect(!text.contains("open-sesame"))
  }

  @Test func `An unknown role or database is reported in the server's own words`() throws {
    let host = try #require(database.target.options["host"])
    let noRole = try ConnectionTarget("host='\(host)' port=5432 user=nobody_here dbname=\(database.name)")
    let role = #expect(throws: PostgreSQLError.self) { try Connection(to: noRole) }
    #expect("\(try #require(role))".contains("FATAL:  role \"nobody_here\" does not exist"))
    let noDatabase = try ConnectionTarget("host='\(host)' port=5432 user=rivulet dbname=nowhere")
    let missing = #expect(throws: PostgreSQLError.self) { try Connection(to: noDatabase) }
    #expect("\(try #require(missing))".contains("FATAL:  database \"nowhere\" does not exist"))
  }

  @Test(arguments: [
    ("postgresql://u:open-sesame@[::1/d", "end of string reached"),
    ("postgresql://u:open%zzsesame@h/d", "invalid percent-encoded token"),
    ("host=h password=x open-sesame", "missing \"=\""),
    ("postgresql://u:open-sesame@h/d?colour=red", "invalid URI query parameter: \"colour\""),
    ("host=h colour=red password=open-sesame", "invalid connection option \"colour\""),
  ])
  func `A target that libpq cannot parse is refused without repeating a password`(
    _ specification: String, _ reason: String
  ) throws {
    let error = try #require(throws: PostgreSQLError.self) { try ConnectionTarget(specification) }
    #expect("\(error)".contains(reason))
    #expect(!"\(error)".contains("sesame"))
    #expect(!"\(error)".contains("zz"))
  }

  @Test func `A connection that the server breaks off says so, and so does every later statement`() throws {
    let connection = try database.connect()
    let other = try database.connect()
    try other.query("SELECT pg_terminate_backend($1)", [.integer(connection.backendID)])
    let first = #expect(throws: PostgreSQLError.self) {
      // The message may be on its way still when the first statement is sent.
      for _ in 0..<50 { try connection.execute("SELECT pg_sleep(0.1)") }
    }
    guard case .connectionLost(let reason) = try #require(first) else {
      Issue.record("\(String(describing: first))")
      return
    }
    #expect(reason.contains("terminating connection due to administrator command"))
    #expect(!connection.isUsable)
    #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
  }

  @Test func `Text goes over the connection as UTF-8`() throws {
    let connection = try database.connect()
    #expect(try connection.query("SHOW client_encoding")[0][0] == "UTF8")
    #expect(try connection.query("SELECT length($1)", ["Ünïcødé €"])[0].value(0, Int.self) == 9)
    #expect(connection.serverVersion >= 150_000)
    #expect(Connection.isAnswering(database.target))
  }
}
