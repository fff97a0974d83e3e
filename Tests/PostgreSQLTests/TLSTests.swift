import Foundation
import Host
import TestSupport
import Testing

@testable import PostgreSQL

/// What libpq does with certificates and with servers that have none, against a server of the test's own that
/// is reached by TCP.
@Suite("TLS")
struct TLSTests {
  /// A server that trusts who shows its own certificate; or without TLS, who comes.
  private final class Server {
    private let own: OwnCluster
    /// On loopback, but of the server's own, since its port is 5432 and may be another server's too.
    private let address =
      "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
    /// The name that the certificate vouches for.
    static let name = "loopback"

    init(hasTLS: Bool) throws {
      own = try OwnCluster()
      try own.up()
      let connection = try own.connect()
      try connection.execute("ALTER SYSTEM SET listen_addresses = '\(address)'")
      if hasTLS {
        try own.makeCertificate("server", for: Self.name)
        for (setting, file) in [("cert", "pem"), ("key", "key"), ("ca", "pem")] {
          try connection.execute("ALTER SYSTEM SET ssl_\(setting)_file = '\(own.folder.path)/server.\(file)'")
        }
        try connection.execute("ALTER SYSTEM SET ssl = on")
      }
      let way =
        hasTLS ? "hostssl all all 127.0.0.0/8 trust clientcert=verify-ca" : "host all all 127.0.0.0/8 trust"
      try own.run(
        "sh", "-c", "echo '\(way)' > hba && cat cluster/pg_hba.conf >> hba && cp hba cluster/pg_hba.conf")
      _ = try own.cluster.stop()
      try own.up()
    }

    /// A file beside the data: `server.pem` is the certificate, `server.key` its key.
    func file(_ name: String) -> String { own.folder.path + "/" + name }

    /// Makes a certificate that the server does not have.
    func makeCertificate(_ name: String, for host: String) throws {
      try own.makeCertificate(name, for: host)
    }

    /// Connects with more settings.
    func connect(_ more: String, host: String = name) throws -> Connection {
      try Connection(
        to: ConnectionTarget(
          "host=\(host) hostaddr=\(address) port=5432 user=rivulet dbname=rivulet sslcert=\(file("server.pem"))"
            + " sslkey=\(file("server.key")) \(more)"))
    }

    /// What libpq says against connecting.
    func refusal(_ more: String, host: String = name) -> String {
      do {
        _ = try connect(more, host: host)
        return "connected"
      } catch {
        return "\(error)"
      }
    }
  }

  @Test func `A server is spoken to by TLS where both sides know the other's certificate`() throws {
    let server = try Server(hasTLS: true)
    let connection = try server.connect("sslmode=verify-full sslrootcert=\(server.file("server.pem"))")
    let rows = try connection.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    #expect(rows[0][0] == "t")
    let unknown = server.refusal("sslmode=require sslcert='' sslkey=''")
    #expect(unknown.contains("connection requires a valid client certificate"), "\(unknown)")
  }

  @Test func `sslmode=verify-full refuses a server with a wrong certificate`() throws {
    let server = try Server(hasTLS: true)
    try server.makeCertificate("other", for: "loopback")
    let made = server.refusal("sslmode=verify-full sslrootcert=\(server.file("other.pem"))")
    #expect(made.contains("certificate verify failed"), "\(made)")
    let named = server.refusal(
      "sslmode=verify-full sslrootcert=\(server.file("server.pem"))", host: "elsewhere")
    #expect(named.contains("does not match host name"), "\(named)")
  }

  @Test func `sslmode=require refuses a server without TLS`() throws {
    let server = try Server(hasTLS: false)
    #expect(try server.connect("sslmode=prefer").query("SELECT 1").count == 1)
    let refused = server.refusal("sslmode=require")
    #expect(refused.contains("server does not support SSL, but SSL was required"), "\(refused)")
  }
}

extension OwnCluster {
  /// Makes a certificate `NAME.pem` that vouches for itself, and its key `NAME.key`, in the state folder.
  fileprivate func makeCertificate(_ name: String, for host: String) throws {
    try run(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(host)",
      "-addext", "subjectAltName=DNS:\(host)", "-keyout", "\(name).key", "-out", "\(name).pem")
  }
}
