import Foundation
import Host
public import PostgreSQL

/// A PgBouncer of a test's own in front of the tests' server; it ends with the object.
public final class PgBouncer {
  private let scratch: Scratch
  private let process = Process()
  /// The database behind it.
  public let target: ConnectionTarget

  private static let port = 6432

  /// Starts one in a pool mode: `transaction`, `session`.
  public init(mode: String, poolSize: Int, roundRobin: Bool, to database: TestDatabase) throws {
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
      listen_port = \(Self.port)
      unix_socket_dir = \(folder)
      auth_type = any
      pool_mode = \(mode)
      default_pool_size = \(poolSize)
      min_pool_size = \(poolSize)
      server_round_robin = \(roundRobin ? 1 : 0)
      """)
    let switching = Machine.isRoot ? ["runuser", "-u", "postgres", "--"] : []
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = switching + ["/usr/sbin/pgbouncer", settings]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    target = try ConnectionTarget(
      "host=\(folder) port=\(Self.port) dbname=\(database.name) user=\(options["user"] ?? "")")
    try process.run()
    let deadline = Date.now.addingTimeInterval(120)
    while !Connection.isAnswering(target) && Date.now < deadline { usleep(10_000) }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
