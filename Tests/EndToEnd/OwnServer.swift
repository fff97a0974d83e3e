import Foundation
import Glibc
import Host
import PostgreSQL
import TestSupport
import Testing

/// An embedded server of one test, by the program's own commands, which may be stopped in the middle of
/// anything.
final class OwnServer {
  private let scratch: Scratch
  private let folder: String
  /// The program with this server's database.
  let program: Program

  /// Started and migrated; what it keeps lies in `folder` of its own, or on a device that is mounted there
  /// before.
  ///
  /// `megabytes`: the size of the device; nil for none.
  init(megabytes: Int? = nil) throws {
    scratch = try Scratch()
    let folder = scratch.path + "/state"
    self.folder = folder
    device = try megabytes.map { try SmallDevice(at: folder, megabytes: $0) }
    chmod(scratch.path, 0o755)
    program = Program(environment: ["RIVULET_STATE_DIR": folder, "RIVULET_DATABASE_URL": "embedded"])
    try start()
    try run("migrate", "up").succeeded()
  }

  private let device: SmallDevice?

  deinit { _ = try? program.run("db", "destroy", "--yes") }

  /// Runs a command on its database.
  func run(_ arguments: String...) throws -> Program.Outcome { try program.run(arguments + Self.choice) }

  /// What names the database.
  static let choice = ["--database", "embedded"]

  /// Starts the server, which recovers first where it was not stopped in peace.
  func start() throws { try program.run("db", "up").succeeded() }

  /// Ends it as `pg_ctl stop -m immediate` does, and waits until it is gone.
  func crash() throws {
    let file = try String(contentsOfFile: folder + "/cluster/postmaster.pid", encoding: .utf8)
    let process = try #require(Int32(file.prefix { $0.isNumber }))
    kill(process, SIGQUIT)
    let deadline = Date.now.addingTimeInterval(20)
    while FileManager.default.fileExists(atPath: folder + "/cluster/postmaster.pid"), Date.now < deadline {
      usleep(5_000)
    }
  }

  /// A connection to its database.
  func connect() throws -> Connection {
    try Connection(to: ConnectionTarget("host=\(folder)/run port=5432 user=rivulet dbname=rivulet"))
  }

  /// The first column of the first row.
  func value(_ sql: String) throws -> String? { try connect().execute(sql).first?[0] }

  /// Waits until a query has rows.
  func awaitRow(_ query: String) throws {
    let connection = try connect()
    let deadline = Date.now.addingTimeInterval(60)
    while try connection.execute(query).count == 0 {
      try #require(Date.now < deadline, "\(query)")
      usleep(2_000)
    }
  }

  /// Fills its device but for some megabytes; gives the file to remove.
  func fill(leaving megabytes: Int) throws -> String {
    var space = statvfs()
    statvfs(folder, &space)
    let free = Int(space.f_bavail) * Int(space.f_frsize)
    let ballast = folder + "/ballast"
    try Shell.run("fallocate", "-l", "\(free - megabytes << 20)", ballast)
    return ballast
  }
}
