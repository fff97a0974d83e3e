import Host

extension EmbeddedCluster {
  /// Seconds that a server gets to come up; one that was killed has to recover first.
  private static let startTimeout = 120
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
      if waited > Double(EmbeddedCluster.startTimeout) {
        throw EmbeddedClusterError.stillStarting(
          process: Int(server.process), seconds: EmbeddedCluster.startTimeout, log: folder.log)
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
    try prepareSocketFolder()
    try clearStalePidFiles()
    try rotateLog()
    let before = Files.size(folder.log) ?? 0
    // Relative paths: pg_ctl puts them into a shell's command line between double quotes only.
    var process = try account.command(
      [
        programs.control, "start", "--silent", "--wait", "--timeout", "\(EmbeddedCluster.startTimeout)",
        "--pgdata", Path.name(folder.data), "--log", Path.name(folder.log), "--options", options,
      ], in: folder.path)
    // The server is to survive the terminal's Ctrl-C and hang-up, from its first moment.
    process.hasOwnSession = true
    let outcome = try process.run()
    guard outcome.status != 0 else { return }
    if let server = liveServer() {
      throw EmbeddedClusterError.stillStarting(
        process: Int(server.process), seconds: EmbeddedCluster.startTimeout, log: folder.log)
    }
    let log = (try? Files.read(folder.log)) ?? []
    let logged = String(decoding: log.dropFirst(log.count >= before ? before : 0), as: UTF8.self)
    throw StartDiagnosis(logged: logged, said: outcome.output, folder: folder).error
  }

  /// What the server is given beyond its configuration: where it is reached, which follows the state folder.
  private var options: String {
    let socket = "unix_socket_directories=" + folder.socketFolder.listElement
    return "-c \(socket.shellQuoted) -c port=\(StateFolder.port)"
  }

  /// Removes the pid files, of the data and of the socket, of a server that is no more.
  ///
  /// The server sees to files of dead processes itself. But where the number is another program's by now, or
  /// that of a dead process which its parent has not asked after, it takes that for a server of its own.
  private func clearStalePidFiles() throws {
    guard liveServer() == nil else { return }
    var files = [folder.socket + ".lock"].filter { Files.exists($0) }
    if PostmasterFile(dataFolder: folder.data)?.isNumberInUse == true {
      files.append(PostmasterFile.path(folder.data))
    }
    if !files.isEmpty { try step(["rm", "-f"] + files) }
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
