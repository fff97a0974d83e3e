import Foundation
import Host
public import PostgreSQL

/// A PgBouncer of a test's own in front of the tests' server; it ends with the object.
public final class PgBouncer {
  private let scratch: Scratch
  private let process = Process()
  /// The database behind it.
  public let target: ConnectionTarget

  /// Starts one in a pool mode: `transaction`, `session`.
  public convenience init(mode: String, poolSize: Int, roundRobin: Bool, to database: TestDatabase) throws {
    try self.init(
      """
      pool_mode = \(mode)
      default_pool_size = \(poolSize)
      min_pool_size = \(poolSize)
      server_round_robin = \(roundRobin ? 1 : 0)
      """, port: 6432, to: database)
  }

  /// Starts one that also listens on a port of 127.0.0.1, speaks TLS there and nothing else, and lets in who shows a
  /// certificate that it knows: its own.
  public convenience init(securedBy certificate: Certificate, port: UInt16, to database: TestDatabase) throws
  {
    try self.init(
      """
      listen_addr = 127.0.0.1
      client_tls_sslmode = verify-ca
      client_tls_key_file = \(certificate.key)
      client_tls_cert_file = \(certificate.path)
      client_tls_ca_file = \(certificate.path)
      """, port: port, to: database)
  }

  /// Starts one that asks whoever comes for a password, in a way of its own: `scram-sha-256`, `md5`. `u` has `secret`.
  public convenience init(asking way: String, to database: TestDatabase) throws {
    let file = try Scratch()
    let users = try file.write("users", #""u" "secret""#)
    try self.init("auth_file = \(users)", letsIn: way, port: 6432, to: database)
    extendLifetime(file)
  }

  private init(_ more: String, letsIn way: String = "any", port: UInt16, to database: TestDatabase) throws {
    scratch = try Scratch()
    // It refuses to run as root, and the server's socket is for the server's user only.
    let folder = scratch.path + "/run"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    let options = database.target.options
    let settings = try scratch.write(
      "pgbouncer.ini",
      """
      [databases]
      * = host=\(options["host"] ?? "") port=\(options["port"] ?? "5432") user=\(options["user"] ?? "")
      [pgbouncer]
      listen_port = \(port)
      unix_socket_dir = \(folder)
      auth_type = \(way)
      \(more)
      """)
    let switching = Machine.isRoot ? ["runuser", "-u", "postgres", "--"] : []
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = switching + ["/usr/sbin/pgbouncer", settings]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    target = try ConnectionTarget(
      "host=\(folder) port=\(port) dbname=\(database.name) user=\(options["user"] ?? "")")
    try process.run()
    let deadline = Date.now.addingTimeInterval(10)
    while !Connection.isAnswering(target) && Date.now < deadline { usleep(10_000) }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
