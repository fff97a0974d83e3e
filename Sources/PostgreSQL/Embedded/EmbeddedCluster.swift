import Host

/// A private PostgreSQL of this user, made and started on first use, reached by a Unix socket only.
///
/// Nothing but a database server lies behind it: what must survive is in its data folder, which ``destroy()``
/// removes. The server outlives the command that started it, until ``stop()`` or the machine's end.
///
/// ```swift
/// let cluster = try EmbeddedCluster()
/// let target = try cluster.ensureRunning { Output.err($0 + "\n") }
/// let connection = try Connection(to: target)
/// ```
public struct EmbeddedCluster: Sendable {
  /// The name of the superuser and of the database.
  static let name = "rivulet"

  let folder: StateFolder
  let account: ServerAccount
  private let serverFolder: String?
  /// A commit is on the disk before it is confirmed.
  let isDurable: Bool

  /// The cluster in a folder; nothing is touched yet.
  /// - Parameters:
  ///   - stateFolder: what holds everything of the cluster; nil is the one that `RIVULET_STATE_DIR` names, or
  ///     the user's usual one.
  ///   - serverFolder: the `bin` folder of the PostgreSQL to use; nil is the one that `RIVULET_PG_BIN` names,
  ///     or the newest installed one.
  ///   - isDurable: false only for servers whose data nobody keeps.
  /// - Throws: ``EmbeddedClusterError`` where no folder can be chosen, or root has nobody to run the server.
  public init(
    stateFolder: String? = nil, serverFolder: String? = nil, isDurable: Bool = true
  ) throws(EmbeddedClusterError) {
    account = try ServerAccount.ofThisProcess()
    folder = try StateFolder(stateFolder ?? Machine.environment("RIVULET_STATE_DIR"), account: account)
    self.serverFolder = serverFolder ?? Machine.environment("RIVULET_PG_BIN")
    self.isDurable = isDurable
  }

  /// The cluster's database as a libpq URI that any libpq program takes.
  public var url: String {
    "postgresql://\(EmbeddedCluster.name)@\(folder.socketFolder.percentEncoded):\(StateFolder.port)/"
      + EmbeddedCluster.name
  }

  /// The cluster's database, whatever `PG*` variables say.
  /// - Throws: ``PostgreSQLError/connectionFailed(target:reason:)`` where libpq cannot parse it.
  public var target: ConnectionTarget {
    get throws(PostgreSQLError) {
      // An empty hostaddr keeps PGHOSTADDR from leading elsewhere; in a URI not every program knows the word.
      try ConnectionTarget(
        "host='\(folder.socketFolder.keywordEscaped)' hostaddr='' port=\(StateFolder.port) "
          + "user=\(EmbeddedCluster.name) dbname=\(EmbeddedCluster.name)")
    }
  }

  /// The command that opens `psql` on the cluster's database.
  /// - Throws: `PostgreSQLError` where libpq cannot parse its target.
  public func shellCommand() throws(PostgreSQLError) -> [String] {
    Self.shellCommand(to: try target, serverFolder)
  }

  /// The command that opens `psql` on any database: the newest that is installed, else the one on `PATH`.
  ///
  /// `serverFolder`: the `bin` folder of a PostgreSQL; nil is the one that `RIVULET_PG_BIN` names.
  public static func shellCommand(to target: ConnectionTarget, _ serverFolder: String? = nil) -> [String] {
    let folder = serverFolder ?? Machine.environment("RIVULET_PG_BIN")
    return [(try? ServerPrograms.installed(folder))?.first?.psql ?? "psql", target.specification]
  }

  /// Makes the cluster if there is none, starts it if it does not run, and gives its database.
  ///
  /// Takes a millisecond where it runs. Otherwise `report` is called, with a sentence each, for
  /// what takes a moment; several processes at once make and start it once, and all wait for that.
  /// - Throws: ``EmbeddedClusterError``, which names the fix; `Interrupted` while another process is waited for.
  public func ensureRunning(report: (String) -> Void = { _ in }) throws -> ConnectionTarget {
    if isAnswering { return try target }
    try whileLocked {
      if isAnswering { return }
      try awaitLiveServer(report)
      if isAnswering { return }
      let programs = try programsForData()
      if !Files.exists(folder.data) { try create(with: programs, report) }
      try start(with: programs, report)
    }
    return try target
  }

  /// A server of this cluster takes connections.
  var isAnswering: Bool {
    guard let server = liveServer(), server.isReady else { return false }
    return folder.isPrivate(folder.socketFolder, to: account) && (try? Connection.isAnswering(target)) == true
  }

  /// The running server by its pid file, which a crash or a restart of the machine leaves behind.
  func liveServer() -> PostmasterFile? {
    guard let file = PostmasterFile(dataFolder: folder.data), file.isAlive(in: folder.data) else {
      return nil
    }
    return file
  }

  /// Runs `body` with the state folder there and locked against every other command.
  func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
    // A `destroy` at the same moment may take the folder away between the making and the lock.
    for _ in 0..<10 {
      try folder.prepare(for: account)
      do {
        let lock = try FileLock(folder: folder.path, wait: .infinity)
        defer { withExtendedLifetime(lock) {} }
        return try body()
      } catch let error as FileError where error.isMissing && error.path == folder.path {
        continue
      }
    }
    throw EmbeddedClusterError.notPermitted(path: folder.path, reason: "it is removed again and again")
  }

  /// The servers that are installed and not too old, with their folders, the newest first.
  /// - Throws: ``EmbeddedClusterError`` where there is none.
  public static func servers() throws(EmbeddedClusterError) -> [(version: String, folder: String)] {
    try ServerPrograms.installed(Machine.environment("RIVULET_PG_BIN")).map { ($0.version, $0.folder) }
  }

  /// The servers to choose from, the newest first.
  func installed() throws(EmbeddedClusterError) -> [ServerPrograms] {
    try ServerPrograms.installed(serverFolder)
  }

  /// The installed server that can read the data; the newest for a cluster still to be made.
  private func programsForData() throws -> ServerPrograms {
    let installed = try installed()
    guard let newest = installed.first else { throw EmbeddedClusterError.noServer(tooOld: []) }
    guard Files.exists(folder.data) else { return newest }
    guard let major = folder.dataVersion else { throw EmbeddedClusterError.notACluster(folder.data) }
    if let fitting = installed.first(where: { $0.major == major }) { return fitting }
    throw EmbeddedClusterError.otherVersion(
      data: major, folder: folder.path, installed: installed.map(\.version))
  }
}
