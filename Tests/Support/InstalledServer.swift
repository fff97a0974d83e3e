import Foundation
import Host
public import PostgreSQL

/// A PostgreSQL of a major version that Debian does not have beside its own. `.ci/setup` brings 16, 17 and 18.
public struct InstalledServer: Sendable {
  /// Its major version.
  public let major: Int
  /// The folder of its programs.
  public let programs: String

  /// The one of a version; nil where it is not there.
  public init?(_ major: Int) {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
    // The tests of root run servers as another user, whom root's own folder keeps out.
    let root = Machine.isRoot ? "/var/cache" : cache
    let programs = "\(root)/rivulet/postgresql/\(major)/bin"
    guard Files.isExecutable(programs + "/postgres") else { return nil }
    (self.major, self.programs) = (major, programs)
  }

  /// Runs `body` with a cluster of its own in a folder of its own, which both go afterwards.
  public func whileRunning<Value>(_ body: (EmbeddedCluster, _ stateFolder: String) throws -> Value) throws
    -> Value
  {
    let kind = "rivulet-version-"
    removeStaleClusters(kind)
    let folder = ServerPlace.path("\(kind)\(getpid())-\(major)-\(UUID().uuidString.prefix(8))")
    let cluster = try EmbeddedCluster(stateFolder: folder, serverFolder: programs, isDurable: false)
    _ = try cluster.ensureRunning()
    defer {
      _ = try? cluster.destroy()
      try? Files.remove(folder)
    }
    return try body(cluster, folder)
  }
}

extension EmbeddedCluster {
  /// A new database of the cluster, beside its own.
  public func makeDatabase() throws -> TestDatabase { try TestDatabase.make(at: self, from: nil) }
}
