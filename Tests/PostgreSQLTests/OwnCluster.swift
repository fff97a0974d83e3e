import Foundation
import Host
import Synchronization
import TestSupport

@testable import PostgreSQL

/// An embedded cluster of one test, in a folder of its own; stopped and removed when it is let go.
final class OwnCluster: Sendable {
  /// A folder of its own, in which the state folder lies.
  let root: String
  let cluster: EmbeddedCluster

  init(_ name: String = "state", serverFolder: String? = nil) throws {
    OwnCluster.staleOnesAreGone  // Once in a process.
    root = "/tmp/" + OwnCluster.kind + "\(getpid())-" + UUID().uuidString
    try Files.makeDirectory(root)
    cluster = try EmbeddedCluster(
      stateFolder: Path.join(root, name), serverFolder: serverFolder, isDurable: false)
  }

  deinit {
    if cluster.liveServer() != nil { _ = try? cluster.stop() }
    _ = try? cluster.destroy()
    try? Files.remove(root)
  }

  private static let kind = "rivulet-own-"

  private static let staleOnesAreGone: Void = removeStaleClusters(kind)

  private static let made = Mutex<OwnCluster?>(nil)

  /// One for tests that take turns, made once, running; gone with the process.
  static func shared() throws -> OwnCluster {
    let own = try made.withLock { made in
      if let made { return made }
      let own = try OwnCluster()
      made = own
      atexit { OwnCluster.made.withLock { $0 = nil } }
      return own
    }
    try own.up()
    return own
  }

  var folder: StateFolder { cluster.folder }

  /// Makes or starts it, and gives what was reported.
  @discardableResult
  func up() throws -> [String] {
    var reports: [String] = []
    _ = try cluster.ensureRunning { reports.append($0) }
    return reports
  }

  func connect() throws -> Connection { try Connection(to: cluster.target) }

  func value(_ sql: String) throws -> String? { try connect().execute(sql).first?[0] }

  /// How often a server was started on the data, by its log.
  func starts() throws -> Int {
    try Files.readText(folder.log).split(separator: "\n").filter { $0.contains("starting PostgreSQL") }.count
  }

  /// What the cluster refuses with.
  func refusal() throws -> EmbeddedClusterError? {
    do {
      _ = try cluster.ensureRunning()
      return nil
    } catch let error as EmbeddedClusterError {
      return error
    }
  }

  /// Runs a program as the server's user, in the state folder.
  @discardableResult
  func run(_ command: String...) throws -> String {
    try cluster.account.command(command, in: folder.path).run().output
  }
}
