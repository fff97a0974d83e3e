import Glibc
import Host

/// `postmaster.pid`, by which a running server marks its data folder.
///
/// Source: `miscadmin.h` of PostgreSQL: process, data folder, start, port, socket folder, address, shared
/// memory, state; a line each.
struct PostmasterFile: Sendable {
  /// The server's process.
  let process: Int32
  /// When it started, in seconds since 1970.
  let started: Int
  /// It takes connections; otherwise it is starting, recovering or ending.
  let isReady: Bool

  static func path(_ dataFolder: String) -> String { Path.join(dataFolder, "postmaster.pid") }

  init?(dataFolder: String) {
    guard let text = try? Files.readText(PostmasterFile.path(dataFolder)) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // A server without a postmaster writes its number negative.
    guard let first = lines.first, let number = Int32(first), number != 0, number != .min else { return nil }
    process = abs(number)
    started = lines.count > 2 ? Int(lines[2]) ?? 0 : 0
    isReady = lines.count > 7 && lines[7].hasPrefix("ready")
  }

  /// Some process has the number.
  var isNumberInUse: Bool { kill(process, 0) == 0 }

  /// Whether the process lives and is the data folder's server: numbers are used again, by anybody, and a
  /// dead process that its parent has not asked after still has one.
  func isAlive(in dataFolder: String) -> Bool {
    guard isNumberInUse else { return false }
    guard Files.exists("/proc/self/cwd") else { return true }
    // A server works in its data folder.
    guard let here = Path.resolved("/proc/\(process)/cwd") else { return false }
    return here == Path.resolved(dataFolder)
  }
}
