import Foundation
import Host
public import PostgreSQL
import Synchronization
public import Testing

/// A Citus of one coordinator and two workers for the tests of this process: what `RIVULET_CITUS_URL` names, the URL of
/// any database of a coordinator's, else built and started by `../shared/citus`.
public final class CitusServer: Sendable {
  /// The cluster, started when it is first asked for.
  public static let shared = CitusServer("tests", place: 0)
  /// Another one, whose workers are stopped.
  public static let stopped = CitusServer("faults", place: 1)

  private static let given = ProcessInfo.processInfo.environment["RIVULET_CITUS_URL"]
  private static let scripts =
    ProcessInfo.processInfo.environment["RIVULET_SHARED_CITUS"] ?? SharedData.project + "/../shared/citus"

  /// Whether its servers are the tests' own, to be stopped and started.
  public static var isOwn: Bool { given == nil }

  /// Whether there is one, or what it can be made from.
  public static var isThere: Bool { given != nil || Files.isExecutable(scripts + "/build") }

  private let coordinator: Swift.Result<ConnectionTarget, any Error>
  private let folder: String

  private init(_ name: String, place: Int) {
    let folder = ServerPlace.path("rivulet-citus-\(getpid())-\(name)")
    let port = CitusServer.firstPort + 3 * place
    self.folder = folder
    coordinator = Swift.Result {
      if let given = CitusServer.given { return try ConnectionTarget(given) }
      CitusServer.removeStale()
      try CitusServer.run("cluster", [folder, "start"], port: port)
      CitusServer.removeAtExit(folder, port)
      return try ConnectionTarget("postgresql://postgres@127.0.0.1:\(port)/postgres")
    }
  }

  /// Ports for both that another process of tests does not take at the same time.
  private static let firstPort = 20_000 + Int(getpid()) % 2_000 * 6

  /// Makes a database on all three nodes, which are one cluster.
  public func makeDatabase() throws -> TestDatabase {
    let server = try coordinator.get()
    let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
    let nodes = try nodes()
    for node in nodes {
      let connection = try Connection(to: node)
      try connection.execute("SET citus.enable_create_database_propagation = off")
      try connection.execute("CREATE DATABASE \(name)")
      try Connection(to: try node.database(name)).execute("CREATE EXTENSION citus")
    }
    let database = try Connection(to: try server.database(name))
    for (place, node) in nodes.enumerated() {
      let call = place == 0 ? "citus_set_coordinator_host" : "citus_add_node"
      let words: [Parameter] = [
        .text(node.options["host"] ?? ""), .integer(Int(node.options["port"] ?? "") ?? 5432),
      ]
      let adding = "SELECT \(call)($1, $2)"
      // On a machine that is busy a node may take no connection for a moment.
      var tries = 0
      while tries < 10, (try? database.query(adding, words)) == nil {
        tries += 1
        usleep(500_000)
      }
      if tries == 10 { try database.query(adding, words) }
    }
    return TestDatabase(named: name, at: try server.database(name), by: server)
  }

  /// The coordinator, and the workers.
  public func nodes() throws -> [ConnectionTarget] {
    let server = try coordinator.get()
    if CitusServer.given == nil {
      let port = Int(server.options["port"] ?? "") ?? 0
      return try (0...2).map { try ConnectionTarget("postgresql://postgres@127.0.0.1:\(port + $0)/postgres") }
    }
    let workers = try Connection(to: server).query(
      "SELECT node_name, node_port FROM citus_get_active_worker_nodes()")
    return try [server]
      + workers.rows.map { row in
        let own = server.options.merging(["host": row[0] ?? "", "port": row[1] ?? ""]) { $1 }
        return try ConnectionTarget(
          ["host", "port", "user", "password", "dbname"].compactMap { name in
            own[name].map { "\(name)='\($0)'" }
          }.joined(separator: " "))
      }
  }

  /// The process of a worker, from 1, which can be ended at once by SIGQUIT; nil for one that is not ours.
  public func process(ofWorker worker: Int) -> Int32? {
    let text = try? Files.readText("\(folder)/n\(worker)/postmaster.pid")
    return text?.split(separator: "\n").first.flatMap { Int32($0) }
  }

  /// Starts a worker again that was ended at once; what is left of it may be in the way for a moment.
  public func start(worker: Int) throws {
    let data = "\(folder)/n\(worker)"
    let switching = Machine.isRoot ? ["runuser", "-u", "postgres", "--"] : []
    let control = try CitusServer.programs.get() + "/pg_ctl"
    let words = switching + [control, "-D", data, "-l", data + ".log", "-w", "start"]
    for trial in 1...20 {
      let run = try Subprocess(words).run()
      if run.status == 0 { return }
      if trial == 20 { throw StandbyError(output: run.output) }
      usleep(250_000)
    }
  }

  private static let started = Mutex<[String: Int]>([:])

  private static func removeAtExit(_ folder: String, _ port: Int) {
    let isFirst = started.withLock { clusters in
      clusters[folder] = port
      return clusters.count == 1
    }
    if !isFirst { return }
    atexit {
      for (folder, port) in CitusServer.started.withLock({ $0 }) { CitusServer.destroy(folder, port: port) }
    }
  }

  private static func removeStale() {
    for folder in ServerPlace.folders(of: "rivulet-citus-") {
      guard
        let process = Int32(
          Path.name(folder).dropFirst("rivulet-citus-".count).prefix { $0 != "-" }),
        kill(process, 0) != 0 && errno == ESRCH
      else { continue }
      destroy(folder, port: 0)
    }
  }

  private static func destroy(_ folder: String, port: Int) {
    _ = try? run("cluster", [folder, "destroy"], port: port)
  }

  /// What was built, in the folder for what can be had again; root's own keeps out the user that servers run as.
  private static let programs = Swift.Result {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
    let prefix = (Machine.isRoot ? "/var/cache" : cache) + "/rivulet/citus"
    let programs = prefix + "/usr/lib/postgresql/15/bin"
    if !Files.isExecutable(programs + "/postgres") || Files.exists(prefix + "/.work") {
      try Files.remove(prefix)
      let run = try Subprocess([scripts + "/build", prefix]).run()
      if run.status != 0 { throw StandbyError(output: run.output) }
    }
    return programs
  }

  private static func run(_ script: String, _ words: [String], port: Int) throws {
    let settings = ["PGBIN=\(try programs.get())", "PORT=\(port)"]
    let run = try Subprocess(["env"] + settings + ["\(scripts)/\(script)"] + words).run()
    if run.status != 0 { throw StandbyError(output: run.output) }
  }
}

extension Trait where Self == ConditionTrait {
  /// The test runs where there is a Citus, and says that it was skipped where there is none.
  public static var needsCitus: Self {
    .enabled(
      if: CitusServer.isThere,
      "no Citus: name a coordinator by RIVULET_CITUS_URL, or the folder that builds one by RIVULET_SHARED_CITUS"
    )
  }

  /// The test stops servers of a Citus, which are the tests' own then; it says that it was skipped where they are not.
  public static var needsOwnCitus: Self {
    .enabled(if: CitusServer.isOwn, "the servers of RIVULET_CITUS_URL are not stopped")
  }
}
