import Foundation
import Host
import PostgreSQL

/// A real PostgreSQL of one test, to be crashed or filled, and started again; gone when it is let go.
///
/// It writes its log ahead as any server does, so that what was committed outlives its crashes; but what was
/// committed without waiting for that (`synchronous_commit = off`, its setting) it writes so late that a crash
/// loses it.
public final class CrashingServer: Sendable {
  private let folder: String
  /// What it lies on, where that is a device of its own.
  public let device: SmallDevice?
  private let cluster: EmbeddedCluster

  /// Makes and starts it.
  ///
  /// `megabytes`: the size of a device of its own, on which it lies; nil for none. `settings`: of the server,
  /// also such that count from its start on.
  public init(megabytes: Int? = nil, settings: [String: String] = [:]) throws {
    removeStaleClusters(CrashingServer.kind)
    let folder = ServerPlace.path(CrashingServer.kind + "\(getpid())-\(UUID().uuidString.prefix(8))")
    self.folder = folder
    device = try megabytes.map { try SmallDevice(at: folder, megabytes: $0) }
    let cluster = try EmbeddedCluster(stateFolder: folder, isDurable: false)
    self.cluster = cluster
    let connection = try Connection(to: try cluster.ensureRunning())
    try connection.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
    try connection.execute("SELECT pg_reload_conf()")
    for (name, value) in settings {
      try connection.execute("ALTER SYSTEM SET \(name) = \(Quote.literal(value))")
    }
    if settings.isEmpty { return }
    try crash()
    try start()
  }

  deinit {
    _ = try? cluster.destroy()
    device?.unmount()
    try? Files.remove(folder)
  }

  /// Makes a database: empty, or a copy of one that nobody is connected to.
  public func makeDatabase(from other: TestDatabase? = nil) throws -> TestDatabase {
    try TestDatabase.make(at: cluster, from: other)
  }

  /// Ends the server and all its sessions at once, without a word to them or to its data: what
  /// `pg_ctl stop -m immediate` does, whose signal this is.
  public func crash() throws {
    let file = try String(contentsOfFile: folder + "/cluster/postmaster.pid", encoding: .utf8)
    guard let first = file.split(separator: "\n").first, let process = Int32(first) else { return }
    kill(process, SIGQUIT)
    while kill(process, 0) == 0 { usleep(2_000) }
  }

  /// Puts its write-ahead log, and nothing else, on a device of its own.
  public func moveLog(toDeviceOf megabytes: Int) throws -> SmallDevice {
    try crash()
    let log = folder + "/cluster/pg_wal"
    try FileManager.default.moveItem(atPath: log, toPath: log + "-before")
    let device = try SmallDevice(at: log, megabytes: megabytes)
    for words in [["cp", "-a", log + "-before/.", log], ["chown", "--reference=\(log)-before", log]] {
      let done = try Subprocess(words).run()
      guard done.status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
    try start()
    return device
  }

  /// What it has written to its log of messages.
  public func log() throws -> String { try Files.readText(cluster.status().logFile) }

  /// Starts it again; what was committed is there.
  public func start() throws { _ = try cluster.ensureRunning() }

  private static let kind = "rivulet-crashing-"
}

extension Program.Outcome {
  /// Whether it says that its server was gone, or was not there yet.
  var noticesCrash: Bool { errors.contains("lost") || errors.contains("trying again") }
}
