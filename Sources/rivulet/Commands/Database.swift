import Host
import PostgreSQL
import Values

let databaseCommand = Command(
  name: "db", summary: "Manages the embedded PostgreSQL",
  discussion: "A private server on a Unix socket in your state folder, made and started on first use.",
  examples: ["rivulet db up", "rivulet db shell", "rivulet db destroy"],
  subcommands: [
    Command(
      name: "up", summary: "Makes it if need be, and starts it", examples: ["rivulet db up"],
      run: { try databaseUp($1) }),
    Command(
      name: "down", summary: "Stops it; the data stay", examples: ["rivulet db down"],
      run: { try databaseDown($1) }),
    Command(
      name: "status", summary: "Shows whether it runs, and where",
      examples: ["rivulet db status --format json"],
      run: { try databaseStatus($1) }),
    Command(
      name: "url", summary: "Prints the URI that any libpq program connects to",
      examples: ["psql \"$(rivulet db url)\""], run: { try databaseURL($1) }),
    Command(
      name: "shell", summary: "Opens psql on it, starting it if need be, or on the one of --database",
      examples: ["rivulet db shell", "rivulet db shell --database postgresql://etl@host/fees"],
      run: { try databaseShell($0, $1) }),
    Command(
      name: "destroy", summary: "Stops it and removes it with all its data",
      options: [Confirmation.yes],
      examples: ["rivulet db destroy --yes"], run: { try databaseDestroy($0, $1) }),
  ])

private func databaseUp(_ session: Session) throws -> Int32 {
  let cluster = try EmbeddedCluster()
  _ = try cluster.ensureRunning { session.tell($0) }
  return try answerStatus(cluster.status(), session)
}

private func databaseDown(_ session: Session) throws -> Int32 {
  let cluster = try EmbeddedCluster()
  session.tell(try cluster.stop() ? "stopped" : "it was not running")
  return try answerStatus(cluster.status(), session)
}

private func databaseStatus(_ session: Session) throws -> Int32 {
  try answerStatus(try EmbeddedCluster().status(), session)
}

private func databaseURL(_ session: Session) throws -> Int32 {
  let url = try EmbeddedCluster().url
  try session.answer(json: ["url": url], text: url + "\n")
  return ExitCode.done
}

private func databaseShell(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let target =
    invocation.has("--database")
    ? try session.target() : try EmbeddedCluster().ensureRunning { session.tell($0) }
  // What psql is started with, others may see.
  let (open, password) = try target.withoutPassword()
  var shell = Subprocess(EmbeddedCluster.shellCommand(to: open))
  if let password { shell.environment["PGPASSWORD"] = password }
  try shell.replaceProcess()
}

private func databaseDestroy(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let cluster = try EmbeddedCluster()
  _ = try Confirmation.isGiven("Remove the embedded database with all its data?", invocation, session)
  session.tell(try cluster.destroy() ? "removed" : "there was none")
  return try answerStatus(cluster.status(), session)
}

private func answerStatus(_ status: ClusterStatus, _ session: Session) throws -> Int32 {
  try session.answer(
    json: [
      "state": status.state.rawValue, "version": status.version, "url": status.url,
      "data": status.dataFolder, "bytes": status.bytes, "pid": status.process,
    ],
    text: [
      ("state", status.state.rawValue), ("version", status.version ?? "none"), ("url", status.url),
      ("data", status.dataFolder), ("log", status.logFile),
    ].map { name, value in "\(name):\(String(repeating: " ", count: 9 - name.count))\(value)\n" }.joined())
  return ExitCode.done
}
