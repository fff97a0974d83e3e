import Glibc
import Host
import PostgreSQL
import Synchronization
import TestSupport
import Testing

/// TLS, Kerberos and LDAP, whose libraries are loaded when a connection needs them.
@Suite("What libpq needs now and then")
struct LateLibraryTests {
  /// Whether libpq is a part of the program. Where it is loaded, the program does not start without its libraries.
  static let isLibPQIncluded: Bool = {
    var listing = Subprocess(["ldd", Program.path])
    listing.withheldPrefixes = ["LD_"]
    guard let outcome = try? listing.run(), outcome.status == 0 else { return false }
    return !outcome.output.contains("libpq.so")
  }()

  /// A folder of files that have the names of libraries and are none.
  private static func broken(_ names: [String]) throws -> Scratch {
    let scratch = try Scratch()
    for name in names { try scratch.write(name, "none") }
    return scratch
  }

  // MARK: TLS

  /// What a server is told in confidence, and whom it is told by, with what a connection's URI says more.
  private static func secured(
    _ more: String, by certificate: Certificate, _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let database = try TestServer.shared.makeDatabase()
    let port = try LoopbackListener().port
    return try withExtendedLifetime(PgBouncer(securedBy: certificate, port: port, to: database)) {
      let url = "postgresql://u@127.0.0.1:\(port)/\(database.name)?\(more)"
      return try Program(environment: environment).run("migrate", "status", "--database", url)
    }
  }

  @Test func `A server is spoken to by TLS, both sides knowing the other by its certificate`() throws {
    let certificate = try Certificate()
    let outcome = try Self.secured(
      "sslmode=verify-full&sslrootcert=\(certificate.path)&sslcert=\(certificate.path)&sslkey=\(certificate.secretKey)",
      by: certificate)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("pending"))
  }

  @Test func `A server whose certificate somebody else has made is not spoken to`() throws {
    let other = try Certificate()
    let outcome = try Self.secured("sslmode=verify-full&sslrootcert=\(other.path)", by: Certificate())
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("certificate verify failed"), "\(outcome.errors)")
  }

  @Test(.enabled(if: isLibPQIncluded, "the program loads libpq, and OpenSSL with it"))
  func `A server is not spoken to in the clear where there is no TLS and it is asked for`() throws {
    let folder = try Self.broken(["libssl.so.3"])
    let outcome = try Self.secured("sslmode=require", by: Certificate(), ["LD_LIBRARY_PATH": folder.path])
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("could not create SSL context"), "\(outcome.errors)")
    #expect(outcome.errors.contains("install libssl (Debian: libssl3)"), "\(outcome.errors)")
  }

  @Test(
    .enabled(if: isLibPQIncluded, "the program loads libpq, and OpenSSL with it"),
    arguments: ["", "sslmode=prefer"])
  func
    `A server that is far away is not spoken to in the clear by default, either, but where that is asked for`(
      more: String
    ) throws
  {
    let folder = try Self.broken(["libssl.so.3"])
    let server = try LoopbackListener()
    let connections = Atomic<Int>(0)
    server.serve { _ in connections.add(1, ordering: .relaxed) }
    func said(_ mode: String) throws -> String {
      try Program(environment: ["LD_LIBRARY_PATH": folder.path])
        .run("migrate", "status", "--database", "postgresql://u:secret@127.0.0.1:\(server.port)/d?\(mode)")
        .errors
    }
    let refused = try said(more)
    #expect(connections.load(ordering: .relaxed) == 0)
    #expect(refused.contains("install libssl (Debian: libssl3); "), "\(refused)")
    #expect(
      refused.contains("libssl.so.3: file too short; to go on without TLS, set sslmode=disable"), "\(refused)"
    )
    let asked = try said("sslmode=disable")
    #expect(asked.contains("server closed the connection") && !asked.contains("OpenSSL"), "\(asked)")
    #expect(connections.load(ordering: .relaxed) > 0)
  }

  @Test(.enabled(if: isLibPQIncluded, "the program loads libpq, and OpenSSL with it"))
  func `A server is spoken to without TLS where that is no question`() throws {
    let folder = try Self.broken(["libssl.so.3"])
    func run(_ spec: String, _ environment: [String: String] = [:]) throws -> Program.Outcome {
      try Program(environment: environment.merging(["LD_LIBRARY_PATH": folder.path]) { $1 })
        .run("migrate", "status", "--database", spec)
    }
    let database = try TestServer.shared.makeDatabase()
    let options = database.target.options
    let local = try run(
      "host=\(options["host"] ?? "") hostaddr='' port=\(options["port"] ?? "") user=\(options["user"] ?? "") dbname=\(database.name)"
    )
    #expect(local.status == 0, "\(local.errors)")
    let server = try LoopbackListener()
    server.serve { _ in }
    let url = "postgresql://u@127.0.0.1:\(server.port)/d"
    let outcomes = [
      try run(url + "?gssencmode=require"), try run(url, ["PGGSSENCMODE": "require"]),
      try run(url, ["PGREQUIRESSL": "1"]),
    ]
    for outcome in outcomes {
      #expect(outcome.status != 0)
      #expect(!outcome.errors.contains("to go on without TLS"), "\(outcome.errors)")
    }
  }

  // MARK: Passwords

  /// What a server is told that asks for a password.
  private static func toldPassword(
    _ way: String, _ password: String = "secret", _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let database = try TestServer.shared.makeDatabase()
    return try withExtendedLifetime(PgBouncer(asking: way, to: database)) { pooler in
      let options = pooler.target.options
      let spec =
        "host=\(options["host"] ?? "") port=\(options["port"] ?? "") dbname=\(database.name) user=u password=\(password)"
      return try Program(environment: environment).run("migrate", "status", "--database", spec)
    }
  }

  @Test(arguments: ["scram-sha-256", "md5"])
  func `A password is given as it is asked for`(way: String) throws {
    let outcome = try Self.toldPassword(way)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("pending"))
    let other = try Self.toldPassword(way, "other")
    #expect(other.status != 0)
    #expect(other.errors.contains("authentication failed"), "\(other.errors)")
  }

  @Test(
    .enabled(if: isLibPQIncluded, "the program loads libpq, and OpenSSL with it"),
    arguments: ["scram-sha-256", "md5"])
  func `A password is not given where there is nothing to make a digest by, with a mend`(way: String) throws {
    let folder = try Self.broken(["libcrypto.so.3"])
    let outcome = try Self.toldPassword(way, "secret", ["LD_LIBRARY_PATH": folder.path])
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("install libcrypto (Debian: libssl3)"), "\(outcome.errors)")
  }

  // MARK: Kerberos

  /// What a server says that asks for Kerberos, and what one that goes on without having asked.
  enum Request: UInt8, CaseIterable {
    case first = 7
    case next = 8
    var bytes: [UInt8] { [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, rawValue] }
  }

  /// What is said of such a server.
  private static func asked(
    _ request: Request, _ environment: [String: String]
  ) throws -> Program.Outcome {
    let server = try LoopbackListener()
    server.serve { connection in
      var buffer = [UInt8](repeating: 0, count: 1024)
      guard recv(connection, &buffer, buffer.count, 0) > 0 else { return }
      send(connection, request.bytes, request.bytes.count, Int32(MSG_NOSIGNAL))
      while recv(connection, &buffer, buffer.count, 0) > 0 {}
    }
    let url = "postgresql://u@127.0.0.1:\(server.port)/d?sslmode=disable&gssencmode=disable"
    return try Program(environment: environment).run("migrate", "status", "--database", url)
  }

  @Test func `A server that asks for Kerberos is answered by its library`() throws {
    let outcome = try Self.asked(.first, ["KRB5CCNAME": "FILE:/nowhere/tickets"])
    #expect(outcome.status != 0)
    #expect(
      outcome.errors.contains("No Kerberos credentials available (default cache: FILE:/nowhere/tickets)"),
      "\(outcome.errors)")
  }

  @Test(
    .enabled(if: isLibPQIncluded, "the program loads libpq, and Kerberos with it"),
    arguments: Request.allCases)
  func `A server that asks for Kerberos where there is none is told with a mend`(request: Request) throws {
    let folder = try Self.broken(["libgssapi_krb5.so.2"])
    let outcome = try Self.asked(request, ["LD_LIBRARY_PATH": folder.path])
    #expect(outcome.status != 0)
    #expect(
      outcome.errors.contains(
        "Kerberos is not available: install libgssapi_krb5 (Debian: libgssapi-krb5-2)"),
      "\(outcome.errors)")
  }

  // MARK: LDAP

  /// A service that a directory knows which does not answer, and that is described here, too.
  private static func lookedUp(
    _ database: TestDatabase, _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let scratch = try Scratch()
    let options = database.target.options
    let file = try scratch.write(
      "services",
      """
      [feed]
      ldap://127.0.0.1:1/dc=example?description?one?(cn=feed)
      host=\(options["host"] ?? "")
      port=\(options["port"] ?? "5432")
      user=\(options["user"] ?? "")
      dbname=\(database.name)

      """)
    return try Program(environment: environment.merging(["PGSERVICEFILE": file]) { $1 })
      .run("migrate", "status", "--database", "service=feed")
  }

  @Test func `A service is looked up in a directory, and where that does not answer, in the file`() throws {
    let outcome = try Self.lookedUp(TestServer.shared.makeDatabase())
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("pending"))
  }

  @Test(.enabled(if: isLibPQIncluded, "the program loads libpq, and LDAP with it"))
  func `A directory that cannot be asked is an error, and the file is not taken in its place`() throws {
    let folder = try Self.broken(["libldap.so.2", "libldap-2.5.so.0"])
    let outcome = try Self.lookedUp(TestServer.shared.makeDatabase(), ["LD_LIBRARY_PATH": folder.path])
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("could not create LDAP structure"), "\(outcome.errors)")
    #expect(outcome.errors.contains("install libldap (Debian: libldap-2.5-0)"), "\(outcome.errors)")
  }
}
