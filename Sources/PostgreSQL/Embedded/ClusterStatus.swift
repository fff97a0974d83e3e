import Host

/// The state of an embedded cluster.
public struct ClusterStatus: Sendable {
  /// Whether there is one, and whether it runs.
  public enum State: String, Sendable {
    /// It takes connections.
    case running
    /// Its data is there; the next command that needs it starts it.
    case stopped
    /// The next command that needs it makes it.
    case absent
  }

  /// Whether there is one, and whether it runs.
  public let state: State
  /// `15.18` of a running server, `15` of one that is stopped; nil where there is none.
  public let version: String?
  /// The folder with everything of the cluster.
  public let stateFolder: String
  /// PostgreSQL's data folder.
  public let dataFolder: String
  /// The server's log.
  public let logFile: String
  /// Bytes that the state folder takes on the disk; nil where there is none.
  public let bytes: Int?
  /// The database as a libpq URI.
  public let url: String
  /// The server's process.
  public let process: Int?
  /// When the server started, in seconds since 1970.
  public let since: Int?
}

extension EmbeddedCluster {
  /// The state of the cluster; nothing is made or started.
  public func status() -> ClusterStatus {
    let server = liveServer()
    let major = folder.dataVersion
    let state: ClusterStatus.State = server != nil ? .running : major != nil ? .stopped : .absent
    return ClusterStatus(
      state: state,
      version: server.flatMap { _ in runningVersion } ?? major.map { String($0) },
      stateFolder: folder.path, dataFolder: folder.data, logFile: folder.log,
      bytes: state == .absent ? nil : Files.sizeOnDisk(folder.path), url: url,
      process: server.map { Int($0.process) }, since: server.map(\.started))
  }

  private var runningVersion: String? {
    guard isAnswering, let connection = try? Connection(to: target),
      let answer = try? connection.query("SHOW server_version")
    else { return nil }
    // `15.18 (Debian 15.18-0+deb12u1)`
    return answer.first?[0]?.split(separator: " ").first.map(String.init)
  }
}
