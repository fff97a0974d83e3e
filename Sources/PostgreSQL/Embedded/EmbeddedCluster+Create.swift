import Glibc
import Host

extension EmbeddedCluster {
  private static let freshPrefix = "cluster.new-"
  private static let oldPrefix = "cluster.old-"

  /// Makes the data folder beside its place and moves it there complete, so that a command killed half-way
  /// leaves nothing that the next one takes for a cluster.
  func create(with programs: ServerPrograms, _ report: (String) -> Void) throws {
    report("making a private PostgreSQL \(programs.version) in \(folder.path), once")
    try removeLeftovers()
    let fresh = EmbeddedCluster.freshPrefix + "\(getpid())"
    do {
      try step(initialisation(programs, in: fresh))
      try step(["/bin/sh", "-c", "cat >> \"$1\"/postgresql.conf", "sh", fresh], input: configuration)
      // In single-user mode, so that the folder is moved with its database in it.
      try step(
        [programs.server, "--single", "-D", fresh, "-c", "exit_on_error=on", "postgres"],
        input: "CREATE DATABASE \(EmbeddedCluster.name)\n")
      try step(["mv", fresh, folder.data])
    } catch {
      try? removeLeftovers()
      throw error
    }
  }

  /// Moves the data out of its place at once, then deletes it.
  func removeData() throws {
    if Files.exists(folder.data) {
      try step(["mv", folder.data, EmbeddedCluster.oldPrefix + "\(getpid())"])
    }
    try removeLeftovers()
  }

  /// The `initdb` of a command that was killed writes on for a moment, until it misses what is gone; what it adds
  /// meanwhile keeps its folder from being removed, so that this is tried again.
  private func removeLeftovers() throws {
    for _ in 0..<10 {
      do {
        return try removeLeftoversOnce()
      } catch {
        Machine.sleep(seconds: 0.3)
      }
    }
    try removeLeftoversOnce()
  }

  private func removeLeftoversOnce() throws {
    let prefixes = [EmbeddedCluster.freshPrefix, EmbeddedCluster.oldPrefix]
    let names = ((try? Files.list(folder.path)) ?? []).filter { name in
      prefixes.contains { name.hasPrefix($0) }
    }
    if !names.isEmpty { try step(["rm", "-rf", "--"] + names) }
  }

  private func initialisation(_ programs: ServerPrograms, in fresh: String) -> [String] {
    var command = [
      programs.initdb, "-D", fresh, "--username", EmbeddedCluster.name, "--encoding", "UTF8",
      "--locale", EmbeddedCluster.locale, "--no-instructions",
      // Who can enter the socket's folder is the owner of the data or root, and either can read it anyway: a
      // password would have to lie beside it. There is no other way in than the socket.
      "--auth-local", "trust", "--auth-host", "reject",
      // They cost nothing on rows loaded frozen, and a disk that forgets is noticed.
      "--data-checksums",
    ]
    if !isDurable { command.append("--no-sync") }
    return command
  }

  /// Text in the order of its bytes, letters known in all scripts; plain C where the system lacks it.
  private static var locale: String {
    guard let locale = newlocale(Int32(1 << LC_CTYPE), "C.UTF-8", nil) else { return "C" }
    freelocale(locale)
    return "C.UTF-8"
  }

  /// Runs one step in the state folder as the server's user.
  func step(_ command: [String], input: String? = nil) throws {
    var process = try account.command(command, in: folder.path)
    process.input = input
    let outcome = try process.run()
    guard outcome.status != 0 else { return }
    if DiskSpace.isExhausted(outcome.output, at: folder.path) {
      throw EmbeddedClusterError.diskFull(folder: folder.path)
    }
    throw EmbeddedClusterError.notMade(folder: folder.path, lines: outcome.output.lastLines(6))
  }
}
