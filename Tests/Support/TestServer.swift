import Foundation
import Host
public import PostgreSQL

/// A real PostgreSQL for the tests of this process: made on first use, gone with the process.
public final class TestServer: Sendable {
  /// The server, started when it is first asked for.
  public static let shared = TestServer()

  private let cluster: Swift.Result<(EmbeddedCluster, ConnectionTarget), any Error>

  private init() {
    removeStaleClusters(TestServer.kind)
    cluster = Swift.Result {
      let cluster = try EmbeddedCluster(
        stateFolder: TestServer.folder, serverFolder: TestServer.citus, isDurable: false)
      let target = try cluster.ensureRunning()
      if TestServer.citus != nil { try TestServer.addCitus(to: cluster, target) }
      atexit { TestServer.shared.remove() }
      return (cluster, target)
    }
  }

  /// Makes a database of the test's own: empty, or a copy of one that nobody is connected to.
  public func makeDatabase(from other: TestDatabase? = nil) throws -> TestDatabase {
    try TestDatabase.make(at: try cluster.get().0, from: other)
  }

  /// What the server has written to its log.
  public func log() throws -> String { try Files.readText(try cluster.get().0.status().logFile) }

  /// The folder of a server's programs that has Citus, for tests on a coordinator: `RIVULET_TEST_CITUS`.
  fileprivate static let citus = ProcessInfo.processInfo.environment["RIVULET_TEST_CITUS"]

  /// Every database is a coordinator's from now on, of a cluster of this one server.
  private static func addCitus(to cluster: EmbeddedCluster, _ target: ConnectionTarget) throws {
    let settings = [
      ["shared_preload_libraries = 'citus'", "wal_level = 'logical'", "max_prepared_transactions = 200"],
      [
        "citus.node_conninfo = 'sslmode=disable'", "citus.enable_statistics_collection = off",
        "citus.local_hostname = \(Quote.literal(target.options["host"] ?? "localhost"))",
        "citus.shard_count = 4",
      ],
    ]
    // Those of a library can be set once it is loaded.
    for settings in settings {
      let connection = try Connection(to: target)
      for setting in settings { try connection.execute("ALTER SYSTEM SET \(setting)") }
      _ = try cluster.stop()
      _ = try cluster.ensureRunning()
    }
    let template = try ConnectionTarget(cluster.url.replacingSuffix("/rivulet", with: "/template1"))
    try Connection(to: template).execute("CREATE EXTENSION citus")
  }

  private static let kind = "rivulet-test-"
  private static let folder = ServerPlace.path(kind + "\(getpid())")

  /// Stops the server, and lets its files go while nobody waits.
  private func remove() {
    guard let cluster = try? cluster.get().0 else { return }
    _ = try? cluster.stop()
    ServerPlace.remove(TestServer.folder)
  }
}

/// Stops and removes the embedded databases that test processes which were killed have left: in folders whose
/// names are `kind` and the number of the process, or in one below.
public func removeStaleClusters(_ kind: String) {
  for root in ServerPlace.folders(of: kind) {
    guard let process = Int32(Path.name(root).dropFirst(kind.count).prefix { $0 != "-" }),
      kill(process, 0) != 0 && errno == ESRCH
    else { continue }
    for folder in [root] + ((try? Files.list(root)) ?? []).map({ Path.join(root, $0) }) {
      _ = try? EmbeddedCluster(stateFolder: folder).stop()
    }
    ServerPlace.remove(root)
  }
}

/// A database of one test; it goes with the server.
public struct TestDatabase: Sendable {
  /// Its name.
  public let name: String
  /// A URI for `--database`.
  public let url: String
  /// For connections of the test's own.
  public let target: ConnectionTarget
  /// The server's own database, for what is done from outside this one.
  private let administration: ConnectionTarget

  /// Makes one on a server.
  static func make(at cluster: EmbeddedCluster, from other: TestDatabase?) throws -> TestDatabase {
    let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
    let url = cluster.url.replacingSuffix("/rivulet", with: "/\(name)")
    let database = TestDatabase(
      name: name, url: url, target: try ConnectionTarget(url), administration: try cluster.target)
    // Files are copied as they are, without going through the log: a quarter of the work.
    let template = other.map { " TEMPLATE \(Quote.identifier($0.name))" } ?? ""
    let connection = try Connection(to: database.administration)
    // A daemon of Citus is in every database, and comes again.
    for _ in 0..<100 where TestServer.citus != nil {
      try connection.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'Citus %'",
        [.text(other?.name ?? "template1")])
      if (try? connection.execute("CREATE DATABASE \(Quote.identifier(name)) STRATEGY file_copy" + template))
        != nil
      {
        return database
      }
    }
    try connection.execute("CREATE DATABASE \(Quote.identifier(name)) STRATEGY file_copy" + template)
    return database
  }

  /// The same database, reached by another URL.
  init(_ other: TestDatabase, by url: String) throws {
    (name, self.url, administration) = (other.name, url, other.administration)
    target = try ConnectionTarget(url)
  }

  /// One of a server that is not the tests' own.
  init(named name: String, at target: ConnectionTarget, by administration: ConnectionTarget) {
    self.init(name: name, url: target.specification, target: target, administration: administration)
  }

  /// One that was made.
  private init(name: String, url: String, target: ConnectionTarget, administration: ConnectionTarget) {
    (self.name, self.url, self.target, self.administration) = (name, url, target, administration)
  }

  /// A URI for a role that is not the tests' own.
  public func url(as role: String) -> String { url.replacing("//rivulet@", with: "//\(role)@") }

  /// A new connection.
  public func connect() throws -> Connection { try Connection(to: target) }

  /// Drops it, for a test that makes many.
  public func drop() throws {
    try Connection(to: administration).execute("DROP DATABASE \(Quote.identifier(name)) WITH (FORCE)")
  }

  /// Waits until a query finds a row; false where that takes longer than a minute.
  public func finds(_ query: String) throws -> Bool {
    let connection = try connect()
    for _ in 0..<30_000 {
      if try connection.execute(query).count > 0 { return true }
      usleep(2_000)
    }
    return false
  }

  /// Waits until somebody waits for an advisory lock in this database; false where that takes longer than a
  /// minute.
  public func findsWaiter(forLock key: Int32) throws -> Bool {
    try finds("\(Self.waiters) AND locktype = 'advisory' AND objid = \(key)")
  }

  /// Waits until somebody waits for a table of this database; false where that takes longer than a minute.
  public func findsWaiter(forTable table: String) throws -> Bool {
    try finds("\(Self.waiters) AND relation = to_regclass('\(table)')")
  }

  /// Waits until a function's text has a piece, or somebody waits for the function, who may be about to replace
  /// it; false where that takes longer than a minute.
  public func findsReplacement(ofFunction function: String, containing text: String) throws -> Bool {
    try finds(
      """
      SELECT FROM pg_proc WHERE oid = to_regprocedure('\(function)') AND (strpos(prosrc, '\(text)') > 0
        OR EXISTS (\(Self.waiters) AND locktype = 'object' AND objid = pg_proc.oid))
      """)
  }

  /// Databases that are copies of one another have the same numbers for their tables.
  private static let waiters = """
    SELECT FROM pg_locks
    WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  /// The first column of the first row.
  public func value(_ sql: String) throws -> String? { try connect().execute(sql).first?[0] }

  /// The rows of a query as lines, `|` between columns and `-` for null.
  public func rows(_ sql: String) throws -> [String] { try connect().lines(sql) }
}

extension Connection {
  /// The rows of a query as lines, `|` between columns and `-` for null.
  public func lines(_ sql: String) throws -> [String] {
    let result = try execute(sql)
    return result.rows.map { row in
      result.columns.indices.map { row[$0] ?? "-" }.joined(separator: "|")
    }
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
    hasSuffix(suffix) ? dropLast(suffix.count) + other : self
  }
}
