import Definitions
import Host
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Store
import ViewEngine

extension Project {
  /// The folder of its migrations.
  var migrations: String { Path.join(folder, "Migrations") }
}

extension MigrationFolder {
  /// The migrations of a project, for a database that uses the project's datasets.
  init(of project: Project, values: PlaceholderValues = PlaceholderValues()) throws {
    self = try MigrationFolder(project.migrations, values: values)
      .using(project.datasets, of: project.everyPipelineName)
  }
}

/// What the subcommands of `migrate` share: the folder, the engine, and what hangs on the tables.
struct MigrationSession {
  /// Options that say which migrations are meant.
  static let folderOptions =
    [
      Option(
        "--dir", value: "DIR",
        "a folder of migrations, also of Flyway, golang-migrate, dbmate, goose, node-pg-migrate, sqlx, "
          + "Liquibase or sqitch")
    ] + PlaceholderOptions.options
  /// Options that say how far to go.
  static func goalOptions(to: String, steps: String) -> [Option] {
    [Option("--to", value: "VERSION", to), Option("--steps", value: "N", steps)]
  }

  let session: Session
  let folder: MigrationFolder
  /// The project, unless a folder was named: then nothing but its migrations is touched.
  let project: Project?
  let views: ViewEngine?

  /// What the options say; a folder without a migration has no format, so only who makes its first one, or
  /// asks for what the history knows, may name it.
  init(_ invocation: Invocation, _ session: Session, mayBeEmpty: Bool = false) throws {
    self.session = session
    if let path = invocation["--dir"] {
      guard Files.isDirectory(path) else { throw invocation.usage("--dir: there is no folder '\(path)'") }
      folder = try MigrationFolder.open(
        path, values: try PlaceholderOptions.values(invocation), mayBeEmpty: mayBeEmpty)
      project = nil
      views = nil
    } else {
      let project = try session.project()
      guard Files.isDirectory(project.migrations) else {
        throw invocation.usage("the project has no folder 'Migrations': make it, or name one with --dir")
      }
      folder = try MigrationFolder(of: project, values: try PlaceholderOptions.values(invocation))
      self.project = project
      views = ViewEngine(try session.pipelines().flatMap(\.views))
    }
  }

  /// What hangs on the tables: derived views, and the tables of releases.
  var dependents: (any DependentObjects)? { views.map { DerivedViews(views: $0) } }

  func engine(_ connection: Connection) throws -> MigrationEngine {
    var engine = MigrationEngine(connection: connection, folder: folder, dependents: dependents)
    if let seconds = try session.givenLockWait() {
      engine.lockWait = seconds
      // Not even one try may take longer than all of them.
      if seconds < 2 { engine.lockTimeout = "\(max(50, Int(seconds * 1000)))ms" }
    }
    engine.tell = { session.tell($0) }
    return engine
  }

  /// What a subcommand was given with `--to` and `--steps`.
  static func goal(_ invocation: Invocation) throws -> MigrationGoal {
    let steps = try invocation.integer("--steps", atLeast: 1)
    switch (invocation["--to"], steps) {
    case (.some, .some): throw invocation.usage("--to and --steps exclude each other")
    case (let version?, nil): return .version(version)
    case (nil, let steps?): return .steps(steps)
    case (nil, nil): return .natural
    }
  }

  /// Derived views and the tables of releases, as a database that has the schema `rivulet` knows them.
  static func relationsOfOthers(on connection: Connection) throws -> Set<String> {
    let rows = try connection.query(
      "SELECT name FROM rivulet.view UNION SELECT partition FROM rivulet.release_table")
    return Set(rows.rows.compactMap { $0[0] })
  }

  private final class DerivedViews: DependentObjects {
    private let views: ViewEngine
    /// Whether any view is computed from tables that are watched; nil until it was asked. Migrations make
    /// none.
    private var watches: Bool?

    init(views: ViewEngine) { self.views = views }

    func release(on connection: Connection) throws -> Bool { try views.release(on: connection) }
    func restore(on connection: Connection) throws { _ = try views.restore(on: connection) }
    func settle(on connection: Connection) throws {
      if watches == false { return }
      try connection.resetSession()
      watches = try views.remakeBroken(on: connection)
    }
    func clearOrphans(on connection: Connection) throws { try Leftovers.clearOrphans(on: connection) }
    func relations(on connection: Connection) throws -> Set<String> {
      try MigrationSession.relationsOfOthers(on: connection)
    }
  }
}
