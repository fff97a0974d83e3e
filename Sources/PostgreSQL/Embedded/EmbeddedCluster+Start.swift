import Host

extension EmbeddedCluster {
  /// Seconds that a server gets to come up; one that was killed has to recover first.
  private static let patience = 120
  /// Bytes of log after which a start begins a new one.
  private static let largeLog = 8 << 20

  /// Waits for a server that is there but not ready; one that never will be is stopped.
  func awaitLiveServer(_ report: (String) -> Void) throws {
    let start = Machine.seconds
    var isReported = false
    while let server = liveServer(), !isAnswering {
      let waited = Machine.seconds - start
      // Ready, yet not to be reached: somebody has removed its socket.
      if server.isReady && waited > 2 { return try stopServer(server) }
      if waited > Double(EmbeddedCluster.patience) {
        throw EmbeddedClusterError.stillStarting(
          process: Int(server.process), seconds: EmbeddedCluster.patience, log: folder.log)
      }
      if !isReported && waited > 0.5 {
        isReported = true
        report("waiting for the private PostgreSQL in \(folder.path), process \(server.process)")
      }
      Machine.sleep(seconds: 0.02)
    }
  }

  /// Starts the server and waits until it takes connections.
  func start(with programs: ServerPrograms, _ report: (String) -> Void) throws {
    report("starting the private PostgreSQL \(programs.version) in \(folder.path)")
    try clearStalePidFile()
    try prepareSocketFolder()
    try rotateLog()
    let before = Files.size(folder.log) ?? 0
    // Relative paths: pg_ctl puts them into a shell's command line between double quotes only.
    var process = try account.command(
      [
        programs.control, "start", "--silent", "--wait", "--timeout", "\(EmbeddedCluster.patience)",
        "--pgdata", Path.name(folder.data), "--log", Path.name(folder.log), "--options", options,
      ], in: folder.path)
    // The server is to survive the terminal's Ctrl-C and hang-up, from its first moment.
    process.hasOwnSession = true
    let outcome = try process.run()
    guard outcome.status != 0 else { return }
    if let server = liveServer() {
      throw EmbeddedClusterError.stillStarting(
        process: Int(server.process), seconds: EmbeddedCluster.patience, log: folder.log)
    }
    let log = (try? Files.read(folder.log)) ?? []
    let logged = String(decoding: log.dropFirst(log.count >= before ? before : 0), as: UTF8.self)
    throw StartDiagnosis(logged: logged, said: outcome.output, folder: folder).error
  }

  /// What the server is told beyond its configuration: where it is reached, which follows the state folder.
  private var options: String {
    let socket = "unix_socket_directories=" + folder.socketFolder.listElement
    return "-c \(socket.shellQuoted) -c port=\(StateFolder.port)"
  }

  /// Removes a pid file whose process is another program by now: the server itself would take that for a
  /// server of its own. (It sees to files of dead processes, and to what such a server may have left running.)
  private func clearStalePidFile() throws {
    guard PostmasterFile(dataFolder: folder.data) != nil, liveServer() == nil else { return }
    try step(["rm", "-f", PostmasterFile.path(folder.data)])
  }

  private func prepareSocketFolder() throws {
    if !Files.exists(folder.socketFolder) { try step(["mkdir", "-m", "700", folder.socketFolder]) }
    guard folder.isPrivate(folder.socketFolder, to: account) else {
      throw EmbeddedClusterError.unsafeSocketFolder(folder.socketFolder)
    }
  }

  private func rotateLog() throws {
    if Files.size(folder.log) ?? 0 > EmbeddedCluster.largeLog {
      try step(["mv", folder.log, folder.log + ".1"])
    }
  }
}
