import Definitions
import Host
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Store
import Values
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
        "--dir", value: "DIR", isRepeatable: true,
        "a folder of migrations, also of Flyway, golang-migrate, dbmate, goose, node-pg-migrate, sqlx, "
          + "Liquibase or sqitch; several are read as one"),
      Option(
        "--history", value: "NAME", "keep what is applied apart, for one of several folders in a database"),
    ] + PlaceholderOptions.options
  /// Options that say how far to go.
  static func goalOptions(to: String, steps: String) -> [Option] {
    [Option("--to", value: "VERSION", to), Option("--steps", value: "N", steps)]
  }

  /// The option that says in which schemas a folder is run.
  static let schemaOptions = [
    Option(
      "--schema", value: "NAMES",
      "in each of these schemas, with a history each: names with commas, or a SELECT that gives them")
  ]

  let session: Session
  private(set) var folder: MigrationFolder
  /// The schemas that it is to be run in, as they were asked for.
  private let schemas: String?
  /// The project, unless a folder was named: then nothing but its migrations is touched.
  let project: Project?
  let views: ViewEngine?

  /// What the options say; a folder without a migration has no format, so only who makes its first one, or
  /// asks for what the history knows, may name it.
  init(_ invocation: Invocation, _ session: Session, mayBeEmpty: Bool = false) throws {
    self.session = session
    let history = invocation["--history"] ?? ""
    if history.contains("/"), invocation["--schema"] != nil {
      throw invocation.usage("--history: a name has no / in it")
    }
    schemas = invocation["--schema"]
    let paths = invocation.all("--dir")
    if !paths.isEmpty {
      if let path = paths.first(where: { !Files.isDirectory($0) }) {
        throw invocation.usage("--dir: there is no folder '\(path)'")
      }
      folder = try MigrationFolder.open(
        paths, values: try PlaceholderOptions.values(invocation), mayBeEmpty: mayBeEmpty)
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
    folder.history = history
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
    connection.onNotice { show($0) }
    return engine
  }

  /// Does something with the folder, or in each schema that was asked for, and answers with what each gives; of
  /// several schemas the text of each behind its name.
  func answer(
    on connection: Connection, _ body: (MigrationSession) throws -> (json: JSON, text: ConsoleText)
  ) throws {
    guard let schemas else {
      let answer = try body(self)
      return try session.answer(json: answer.json, text: answer.text)
    }
    var documents: [JSON] = []
    var text = ConsoleText("")
    for schema in try MigrationFolder.schemas(schemas, on: connection) {
      var one = self
      one.folder = folder.inSchema(schema)
      let name = schema.replacing("/", with: "//")
      one.folder.history = folder.history.isEmpty ? name : "\(folder.history)/\(name)"
      session.tell("schema \(schema)")
      let answer = try body(one)
      documents.append((["schema": schema] as JSON) + answer.json)
      text = text + "\(schema):\n" + answer.text
    }
    try session.answer(json: ["schemas": JSON.array(documents)], text: text)
  }

  /// What the server says while migrations run. The text of a function may quote rows.
  private func show(_ notice: Notice) {
    let isWarning = notice.severity == "WARNING"
    var line = "\(notice.severity): \(notice.message)" + (notice.detail.map { "\nDETAIL: \($0)" } ?? "")
    if let function = notice.raisedBy, !session.isVerbose {
      line = "\(notice.severity) of \(function), which --verbose shows: its text may have values of rows"
    }
    line = folder.values.discreet(line)
    if isWarning { session.warn(line) } else { session.tell(line) }
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
