import Catalog
public import Definitions
import Host
import MigrationEngine
public import PostgreSQL
import ViewEngine

/// What is looked at: the project, the database and the machine, as far as they can be had. What cannot is
/// thrown as the reason why a check could not look.
public final class Subject {
  /// The database, as it was found.
  public enum Database {
    /// It answers.
    case reached(Connection, name: String)
    /// It does not, or does not want us.
    case failed(any Error, target: ConnectionTarget?)
    /// It is the embedded one, which does not run.
    case stopped(ClusterStatus)
    /// None is named.
    case unnamed(any Error)
  }

  /// The project; what is wrong with its file otherwise.
  let openProject: Result<Project, any Error>
  /// The database, as it was found.
  let database: Database
  /// It is the program's own.
  let isEmbedded: Bool
  /// An error in words, and how to go on.
  let explain: (any Error) -> (sentence: String, hint: String?)
  /// The folder that downloads are kept in; nil where there is none.
  let cacheFolder: String?

  private var replacement: Connection?
  private var readable: [Pipeline]?

  /// - Parameters:
  ///   - project: the project, or what is wrong with its file.
  ///   - database: the database, as it was found.
  ///   - isEmbedded: it is the program's own.
  ///   - cacheFolder: the folder that downloads are kept in.
  ///   - explain: gives an error in words, and how to go on.
  public init(
    project: Result<Project, any Error>, database: Database, isEmbedded: Bool, cacheFolder: String?,
    explain: @escaping (any Error) -> (sentence: String, hint: String?)
  ) {
    (self.openProject, self.database, self.isEmbedded) = (project, database, isEmbedded)
    (self.cacheFolder, self.explain) = (cacheFolder, explain)
  }

  // MARK: Project

  /// The project.
  func project() throws -> Project {
    guard case .success(let project) = openProject else { throw Unseen(why: "rivulet.yaml cannot be read") }
    return project
  }

  /// The pipelines that can be read.
  func readablePipelines() throws -> [Pipeline] {
    if let readable { return readable }
    let project = try project()
    let pipelines = try project.pipelineNames.compactMap { try? project.pipeline(named: $0) }
    readable = pipelines
    return pipelines
  }

  /// The project's migrations against their histories, in the order in which they are applied: those of a folder
  /// in several schemas in each.
  func migrations() throws -> [(folder: MigrationFolder, status: MigrationStatus)] {
    let project = try project()
    guard project.migrationSources.allSatisfy({ $0.folders.allSatisfy(Files.isDirectory) }) else {
      throw Unseen(why: "the project has no folder 'Migrations'")
    }
    return try reading { connection in
      try MigrationFolder.histories(of: project, on: connection).map {
        ($0, try MigrationEngine(connection: connection, folder: $0).status())
      }
    }
  }

  /// The views of the pipelines that can be read; of a name that two of them claim the first.
  func viewEngine() throws -> ViewEngine {
    var names: Set<String> = []
    return ViewEngine(try readablePipelines().flatMap(\.views).filter { names.insert($0.name).inserted })
  }

  // MARK: Database

  /// The connection, outside a transaction; made again where it was lost.
  func connection() throws -> Connection {
    guard case .reached(let first, _) = database else { throw Unseen(why: "there is no connection") }
    if let replacement, replacement.isUsable { return replacement }
    if first.isUsable { return first }
    let other = try first.another()
    replacement = other
    return other
  }

  /// So long one statement of a check may take.
  static let timeout = "5s"

  /// Settings of the transaction that a check looks in: nothing can be changed, and neither a large table nor
  /// a lock that somebody holds keeps it for long.
  static let limits = "SET LOCAL statement_timeout = '\(timeout)'; SET LOCAL lock_timeout = '1s';"

  /// Looks into the database, in one moment of it.
  func reading<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    let connection = try connection()
    return try connection.transaction(
      settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;" + Subject.limits
    ) { try body(connection) }
  }

  /// The same where schema `rivulet` is there and of a version that this program knows.
  func readingLedger<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try reading { connection in
      let version = try Catalog.installedVersion(connection)
      if version == 0 { throw Unseen(why: "the schema 'rivulet' is not there") }
      if version > Catalog.version { throw Unseen(why: "the schema 'rivulet' is of a newer program") }
      return try body(connection)
    }
  }

  /// The role of the session.
  func role() throws -> String {
    try reading { try $0.query("SELECT current_user")[0].value(0) }
  }
}
