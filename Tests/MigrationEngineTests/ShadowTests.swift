import Foundation
import Host
import MigrationEngine
import PostgreSQL
import TestSupport
import Testing

@Suite("Shadow databases") struct ShadowTests {
  private struct Trouble: Error {}

  private func name(of connection: Connection) throws -> String {
    try #require(try connection.execute("SELECT current_database()")[0][0])
  }

  private func shadows(on connection: Connection) throws -> Set<String> {
    Set(
      try connection.query("SELECT datname FROM pg_database WHERE datname ~ '^rivulet_shadow_'").rows
        .compactMap { $0[0] })
  }

  @Test(
    "a shadow beside a database is empty, has its collation and the settings asked for, and goes with the closure"
  )
  func beside() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    let collation =
      "SELECT datcollate || datctype || encoding FROM pg_database WHERE datname = current_database()"
    var name = ""
    try ShadowServer.withServer(.beside(connection)) { server in
      try server.withDatabase(settings: ["search_path": "app, public", "TimeZone": "Asia/Tokyo"]) { shadow in
        name = try self.name(of: shadow)
        #expect(try shadows(on: connection).contains(name))
        #expect(try shadow.execute("SHOW search_path")[0][0] == "app, public")
        #expect(try shadow.execute("SHOW timezone")[0][0] == "Asia/Tokyo")
        #expect(try shadow.execute(collation)[0][0] == connection.execute(collation)[0][0])
        #expect(
          try shadow.execute("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")[0][
            0] == "0")
      }
    }
    #expect(name.hasPrefix("rivulet_shadow_\(getpid())_"))
    #expect(try !shadows(on: connection).contains(name))
  }

  @Test("a closure that throws takes its databases with it, also while somebody is connected")
  func besideThrowing() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    var names: [String] = []
    var guest: Connection?
    #expect(throws: Trouble.self) {
      try ShadowServer.withServer(.beside(connection)) { server in
        try server.withDatabase { first in
          try server.withDatabase { second in
            names = try [first, second].map(name)
            guest = try second.another()
            throw Trouble()
          }
        }
      }
    }
    #expect(names.count == 2)
    #expect(try shadows(on: connection).isDisjoint(with: names))
    #expect(throws: PostgreSQLError.self) { try guest?.execute("SELECT 1") }
  }

  @Test("a role that may not make databases learns who can allow it")
  func withoutRight() throws {
    let database = try TestServer.shared.makeDatabase()
    let connection = try database.connect()
    let role = "weak_" + database.name
    try connection.execute("CREATE ROLE \(role); SET ROLE \(role)")
    let error = #expect(throws: ShadowError.self) {
      try ShadowServer.withServer(.beside(connection)) { try $0.withDatabase { _ in } }
    }
    #expect(error?.hint.contains("ALTER ROLE \(role) CREATEDB") == true)
  }

  @Test(
    "databases of makers that are gone are dropped by the next one; those of the living and of others stay")
  func stale() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    let alive = try connection.another()
    let guest = "rivulet_shadow_1_0000000b"
    _ = try alive.acquireLock("rivulet_shadow_1_0000000a")
    // Other tests make shadows at the same moment, and would drop these two before they are what they shall
    // be.
    let unready = [guest, "rivulet_shadow_1_0000000c"]
    for name in unready { _ = try alive.acquireLock(name) }
    for name in [
      "rivulet_shadow_1_0000000a", guest, "rivulet_shadow_1_0000000c", "rivulet_shadow_1_0000000d",
      "rivulet_shadow_mine",
    ] {
      try connection.execute("CREATE DATABASE \(name)")
    }
    try connection.execute(
      "CREATE ROLE shadow_owner; ALTER DATABASE rivulet_shadow_1_0000000c OWNER TO shadow_owner")
    let visitor = try Connection(to: connection.target.database(guest))
    for name in unready { _ = try alive.releaseLock(name) }
    try ShadowServer.withServer(.beside(connection)) { try $0.withDatabase { _ in } }
    // Those of other tests have the numbers of living processes, which 1 is not for them.
    let left = try shadows(on: connection).filter {
      $0.hasPrefix("rivulet_shadow_1_") || $0 == "rivulet_shadow_mine"
    }
    #expect(left == ["rivulet_shadow_1_0000000a", guest, "rivulet_shadow_1_0000000c", "rivulet_shadow_mine"])
    withExtendedLifetime((alive, visitor)) {}
  }

  @Test(
    "a throw-away server is gone after the closure, whether it returns or throws", arguments: [false, true])
  func embedded(throwing: Bool) throws {
    var folder = ""
    var reported: [String] = []
    _ = try? ShadowServer.withServer(.embedded, tell: { reported.append($0) }) { server in
      try server.withDatabase { first in
        try server.withDatabase { second in
          let data = try #require(try first.execute("SHOW data_directory")[0][0])
          folder = Path.parent(Path.parent(data))
          #expect(try name(of: first) != name(of: second))
          #expect(Files.exists(folder))
        }
      }
      if throwing { throw Trouble() }
    }
    #expect(folder.hasPrefix("/tmp/rivulet-shadow-"))
    #expect(!Files.exists(folder))
    #expect(reported == ["starting a throw-away PostgreSQL for a shadow database"])
  }

  @Test("the throw-away server of a killed process is stopped and removed by the next one")
  func staleServer() throws {
    let folder = "/tmp/rivulet-shadow-test\(getpid())"
    try Files.makeDirectory(folder, mode: 0o711)
    let cluster = try EmbeddedCluster(stateFolder: Path.join(folder, "pg"), isDurable: false)
    // Until it is killed, its maker keeps everyone else away.
    let target = try withExtendedLifetime(try FileLock(folder: folder, wait: 0)) {
      try cluster.ensureRunning()
    }
    try ShadowServer.withServer(.embedded) { try $0.withDatabase { _ in } }
    #expect(!Connection.isAnswering(target))
    #expect(!Files.exists(folder))
  }

  @Test("a server of another major version is refused for plans and for drift, before it is started")
  func otherVersion() throws {
    let database = try TestServer.shared.makeDatabase()
    let scratch = try Scratch()
    for name in ["postgres", "initdb", "pg_ctl"] {
      let program = try scratch.write(name, "#!/bin/sh\necho 'postgres (PostgreSQL) 99.1'\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }
    let program = Program(database: database.url, environment: ["RIVULET_PG_BIN": scratch.path])
    let major = try database.connect().serverVersion / 10_000
    for arguments in [["migrate", "plan"], ["migrate", "status", "--drift"]] {
      let errors = try program.run(arguments).failed(1).errors
      #expect(
        errors.contains("is PostgreSQL \(major), and for a shadow there is only 99.1 in \(scratch.path)"))
      #expect(errors.contains("use --here, or name the bin folder of PostgreSQL \(major) in RIVULET_PG_BIN"))
      #expect(!errors.contains("starting a throw-away"))
    }
  }
}
