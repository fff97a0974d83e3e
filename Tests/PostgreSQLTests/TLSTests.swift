import Foundation
import Host
import TestSupport
import Testing

@testable import PostgreSQL

/// What libpq does with certificates and with servers that have none, against a server of the test's own that
/// is reached by TCP.
@Suite("TLS")
struct TLSTests {
  @Test func `A server is spoken to by TLS where both sides know the other's certificate`() throws {
    let server = try TLSServer()
    let connection = try server.connect("sslmode=verify-full sslrootcert=\(server.file("server.pem"))")
    let rows = try connection.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    #expect(rows[0][0] == "t")
    let unknown = server.result("sslmode=require sslcert='' sslkey=''")
    #expect(unknown.contains("connection requires a valid client certificate"), "\(unknown)")
  }

  @Test func `sslmode=verify-full refuses a server with a wrong certificate`() throws {
    let server = try TLSServer()
    try server.makeCertificate("other", for: "loopback")
    let made = server.result("sslmode=verify-full sslrootcert=\(server.file("other.pem"))")
    #expect(made.contains("certificate verify failed"), "\(made)")
    let named = server.result(
      "sslmode=verify-full sslrootcert=\(server.file("server.pem"))", host: "elsewhere")
    #expect(named.contains("does not match host name"), "\(named)")
  }

  @Test func `sslmode=require refuses a server without TLS`() throws {
    let server = try TLSServer(hasTLS: false)
    #expect(try server.connect("sslmode=prefer").query("SELECT 1").count == 1)
    let refused = server.result("sslmode=require")
    #expect(refused.contains("server does not support SSL, but SSL was required"), "\(refused)")
  }

  /// What a connection is asked for, and whether it is one by TLS, one without, or none for which reason.
  private static let modes: [(settings: String, certificate: String, host: String, result: String)] = [
    ("sslmode=disable", "server", "loopback", "open"),
    ("sslmode=allow", "server", "loopback", "open"),
    ("sslmode=prefer", "server", "loopback", "TLS"),
    ("sslmode=require", "server", "elsewhere", "TLS"),
    ("sslmode=verify-ca", "server", "elsewhere", "TLS"),
    ("sslmode=verify-full", "server", "loopback", "TLS"),
    ("sslmode=verify-full", "server", "elsewhere", "does not match host name"),
    ("sslmode=verify-ca", "other", "loopback", "certificate verify failed"),
    ("sslmode=verify-full", "other", "loopback", "certificate verify failed"),
    ("sslmode=verify-ca", "expired", "loopback", "certificate verify failed"),
    ("sslmode=verify-full", "expired", "loopback", "certificate verify failed"),
  ]

  @Test func `Each sslmode takes what it is to take of right, wrong and expired certificates`() throws {
    let server = try TLSServer(ways: ["host all carol 127.0.0.0/8 scram-sha-256"])
    try server.makeCertificate("other", for: "loopback")
    try server.makeCertificate("expired", for: "loopback", days: -1)
    for (settings, certificate, host, expected) in Self.modes {
      if certificate == "expired" { try server.show("expired") }
      let root = settings.contains("verify") ? " sslrootcert=\(server.file("\(certificate).pem"))" : ""
      let found = server.result(
        "\(settings)\(root) user=carol password=its-own sslcert='' sslkey=''", host: host)
      #expect(found.contains(expected), "\(settings) \(certificate) \(host): \(found)")
    }
  }

  @Test func `A password is bound to the channel where that is asked for, and not sent where it cannot be`()
    throws
  {
    let server = try TLSServer(ways: ["host all carol 127.0.0.0/8 scram-sha-256"])
    let carol = "user=carol password=its-own channel_binding=require"
    #expect(server.result("\(carol) sslmode=require") == "TLS")
    #expect(server.result("\(carol) sslmode=disable").contains("channel binding"))
    #expect(server.result("user=carol password=wrong").contains("password authentication failed"))
  }

  @Test func `Passwords come from a password file, places from a service file, of which others know nothing`()
    throws
  {
    let server = try TLSServer(ways: ["host all carol 127.0.0.0/8 scram-sha-256"])
    let scratch = try Scratch()
    let passwords = try scratch.write("pgpass", "*:*:*:carol:its-own\n")
    let services = try scratch.write(
      "services",
      "[fees]\nhost=loopback\nhostaddr=\(server.address)\nport=5432\ndbname=rivulet\nuser=carol\n"
        + "sslmode=verify-full\nsslrootcert=\(server.file("server.pem"))\n")
    chmod(passwords, 0o600)
    let program = Program(environment: [
      "PGSERVICEFILE": services, "PGSERVICE": "fees", "PGPASSFILE": passwords,
    ])
    try program.run("doctor", "connection").succeeded(showing: "answers")
    // libpq reads no password file that others may read.
    chmod(passwords, 0o644)
    #expect(try program.run("doctor", "connection").output.contains("no password supplied"))
  }

  @Test(.enabled(if: TLSServer.ownAddress != nil, "this machine has no address but loopback"))
  func `A password that crosses a network without TLS is warned of`() throws {
    let address = try #require(TLSServer.ownAddress)
    let server = try TLSServer(at: address, ways: ["host all carol \(address)/32 scram-sha-256"])
    let url = "postgresql://carol:its-own@\(address)/rivulet?sslmode="
    let warned = try Program(database: url + "disable").run("runs", "list")
    #expect(
      warned.errors.split(separator: "\n").filter { $0.contains("not encrypted") }.count == 1,
      "\(warned.errors)")
    let kept = try Program(database: url + "require").run("runs", "list")
    #expect(!kept.errors.contains("not encrypted"), "\(kept.errors)")
    withExtendedLifetime(server) {}
  }
}
