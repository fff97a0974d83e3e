import Glibc
import Host

extension EmbeddedCluster {
  /// Stops the server, breaking its connections off; false where it did not run.
  /// - Throws: ``EmbeddedClusterError`` where it does not end within a minute.
  @discardableResult
  public func stop() throws -> Bool {
    guard liveServer() != nil else { return false }
    return try whileLocked {
      guard let server = liveServer() else { return false }
      try stopServer(server)
      return true
    }
  }

  /// Stops the server and removes the data and everything else of the cluster; false where there was nothing.
  /// - Throws: ``EmbeddedClusterError`` where the server does not end or the files cannot be removed.
  @discardableResult
  public func destroy() throws -> Bool {
    guard Files.exists(folder.path) else { return false }
    return try whileLocked {
      if let server = liveServer() { try stopServer(server) }
      let isThere = Files.exists(folder.data)
      // The folder may have been named by mistake: nothing is removed that rivulet has not put there.
      if isThere && folder.dataVersion == nil { throw EmbeddedClusterError.notACluster(folder.data) }
      try removeData()
      try step(["rm", "-rf", "--", folder.log, folder.log + ".1", folder.socketFolder])
      // Stays where something else lies in it.
      rmdir(folder.path)
      return isThere
    }
  }

  func stopServer(_ server: PostmasterFile) throws {
    guard let control = try installed().first?.control else {
      throw EmbeddedClusterError.noServer(tooOld: [])
    }
    let outcome = try account.command(
      [
        control, "stop", "--silent", "--wait", "--timeout", "60", "--mode", "fast",
        "--pgdata", Path.name(folder.data),
      ], in: folder.path
    ).run()
    if outcome.status != 0 && liveServer() != nil {
      throw EmbeddedClusterError.notStopped(process: Int(server.process), lines: outcome.output.lastLines(4))
    }
  }
}
