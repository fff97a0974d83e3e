import Glibc
import Host
import PostgreSQL

/// A server of its own in a private folder, for as long as a closure runs.
///
/// The folder is locked by its maker as long as he lives, so that one that can be locked is left over.
enum ShadowCluster {
  /// Short, since a socket's path has 107 bytes.
  private static let place = "/tmp"
  private static let prefix = "rivulet-shadow-"

  /// `major`: the version that it has to be of; nil is the newest one.
  static func whileRunning<Value>(
    major: Int?, tell: (String) -> Void, _ body: (ConnectionTarget) throws -> Value
  ) throws -> Value {
    removeStale()
    let programs = try major.map(serverPrograms)
    return try inFolder { folder in
      let cluster = try cluster(in: folder, programs)
      tell("starting a throw-away PostgreSQL for a shadow database")
      let value: Value
      do {
        value = try body(try cluster.ensureRunning())
      } catch {
        _ = try? cluster.destroy()
        throw error
      }
      try cluster.destroy()
      return value
    }
  }

  private static func cluster(in folder: String, _ programs: String? = nil) throws -> EmbeddedCluster {
    try EmbeddedCluster(stateFolder: Path.join(folder, "pg"), serverFolder: programs, isDurable: false)
  }

  /// The folder of an installed server's programs, of a major version.
  private static func serverPrograms(ofVersion major: Int) throws -> String {
    let servers = try EmbeddedCluster.servers()
    guard let fitting = servers.first(where: { Int($0.version.prefix(while: \.isNumber)) == major }) else {
      throw ShadowError.otherVersion(
        database: major, installed: servers.map { "\($0.version) in \($0.folder)" })
    }
    return fitting.folder
  }

  /// Runs `body` with a new folder that is locked, and removed at the end.
  private static func inFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
    while true {
      let folder = try makeFolder()
      do {
        let lock = try FileLock(folder: folder, wait: .infinity)
        defer { withExtendedLifetime(lock) { try? Files.remove(folder) } }
        return try body(folder)
      } catch let error as FileError where error.isMissing && error.path == folder {
        // Somebody who cleans up came between the making and the lock.
        continue
      }
    }
  }

  private static func makeFolder() throws -> String {
    let pattern = Path.join(place, prefix + "XXXXXX")
    var bytes = Array(pattern.utf8CString)
    guard let made = mkdtemp(&bytes) else {
      throw ShadowError.noFolder(path: pattern, reason: systemMessage(errno))
    }
    let folder = String(cString: made)
    // The server may run as another user, who has to pass through; what lies in it is closed to everyone
    // else.
    chmod(folder, 0o711)
    return folder
  }

  /// Removes what this user's killed processes have left.
  private static func removeStale() {
    for name in (try? Files.list(place)) ?? [] where name.hasPrefix(prefix) {
      let folder = Path.join(place, name)
      guard isOwn(folder), let lock = try? FileLock(folder: folder, wait: 0) else { continue }
      withExtendedLifetime(lock) {
        _ = try? cluster(in: folder).destroy()
        try? Files.remove(folder)
      }
    }
  }

  private static func isOwn(_ folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_uid == geteuid()
  }
}
