import Foundation
import Host
import TestSupport

@testable import PostgreSQL

/// A server of one test that is reached by TCP, where `carol` has a password.
///
/// It trusts who shows its own certificate; or without TLS, who comes.
final class TLSServer {
  private let own: OwnCluster
  /// Where it listens: on this machine, at an address of its own, since its port is 5432 and may be another
  /// server's too.
  let address: String
  /// The name that the certificate vouches for.
  static let name = "loopback"

  /// - Parameters:
  ///   - hasTLS: whether it has a certificate, `server.pem`.
  ///   - address: where it listens; nil for one of loopback's.
  ///   - ways: lines of `pg_hba.conf` before the usual one.
  /// - Throws: what making and starting the server throws.
  init(hasTLS: Bool = true, at address: String? = nil, ways: [String] = []) throws {
    self.address =
      address ?? "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
    own = try OwnCluster()
    try own.up()
    let connection = try own.connect()
    try connection.execute("ALTER SYSTEM SET listen_addresses = '\(self.address)'")
    try connection.execute("CREATE ROLE carol LOGIN PASSWORD 'its-own'")
    if hasTLS {
      try makeCertificate("server", for: Self.name)
      for (setting, file) in [("cert", "pem"), ("key", "key"), ("ca", "pem")] {
        try connection.execute("ALTER SYSTEM SET ssl_\(setting)_file = '\(own.folder.path)/server.\(file)'")
      }
      try connection.execute("ALTER SYSTEM SET ssl = on")
    }
    let usual =
      hasTLS
      ? "hostssl all rivulet 127.0.0.0/8 trust clientcert=verify-ca" : "host all rivulet 127.0.0.0/8 trust"
    let lines = (ways + [usual]).joined(separator: "\n")
    try own.run(
      "sh", "-c", "echo '\(lines)' > hba && cat cluster/pg_hba.conf >> hba && cp hba cluster/pg_hba.conf")
    _ = try own.cluster.stop()
    try own.up()
  }

  /// An address of this machine that is not loopback's; what is sent to it does not leave the machine.
  static let ownAddress: String? = {
    let words = (try? Subprocess(["hostname", "-I"]).run())?.output.split(whereSeparator: \.isWhitespace)
    return words?.first { $0.contains(".") }.map(String.init)
  }()

  /// A file beside the data: `server.pem` is the certificate, `server.key` its key.
  func file(_ name: String) -> String { own.folder.path + "/" + name }

  /// Makes a certificate `NAME.pem` that vouches for itself, and its key `NAME.key`.
  ///
  /// `days`: how long it is good; -1 until yesterday.
  func makeCertificate(_ name: String, for host: String, days: Int = 2) throws {
    try own.run(
      "openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(host)", "-addext",
      "subjectAltName=DNS:\(host)", "-keyout", "\(name).key", "-out", "\(name).csr")
    try own.run(
      "openssl", "x509", "-req", "-in", "\(name).csr", "-signkey", "\(name).key", "-days", "\(days)",
      "-copy_extensions", "copy", "-out", "\(name).pem")
  }

  /// Has the server show another certificate to who comes from now on.
  func show(_ name: String) throws {
    let connection = try own.connect()
    for (setting, file) in [("cert", "pem"), ("key", "key")] {
      try connection.execute("ALTER SYSTEM SET ssl_\(setting)_file = '\(own.folder.path)/\(name).\(file)'")
    }
    try connection.execute("SELECT pg_reload_conf()")
    for _ in 0..<600 {
      if result("sslmode=verify-full sslrootcert=\(file("server.pem"))").contains("failed") { return }
      usleep(10_000)
    }
  }

  /// Connects with more settings.
  func connect(_ more: String, host: String = name) throws -> Connection {
    try Connection(
      to: ConnectionTarget(
        "host=\(host) hostaddr=\(address) port=5432 user=rivulet dbname=rivulet sslcert=\(file("server.pem"))"
          + " sslkey=\(file("server.key")) \(more)"))
  }

  /// `TLS` or `open` where it connects, else what libpq says against it.
  func result(_ more: String, host: String = name) -> String {
    do {
      let rows = try connect(more, host: host).query(
        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
      return rows[0][0] == "t" ? "TLS" : "open"
    } catch {
      return "\(error)"
    }
  }
}
