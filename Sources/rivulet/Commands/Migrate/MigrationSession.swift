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
        "--history", value: "NAME",
        "one of the folders that rivulet.yaml names; of another keep what is applied apart by this name"),
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
  var folder: MigrationFolder
  /// The schemas that it is to be run in: names with commas, or a SELECT; nil where it says itself where it goes.
  let schemas: String?
  /// As people name it among several that are asked for; nil where it is alone.
  let label: String?
  /// The project, unless a folder was named: then nothing but its migrations is touched.
  let project: Project?
  let views: ViewEngine?
  private let source: MigrationSource?
  private let invocation: Invocation

  /// The one folder that the options say; a folder without a migration has no format, so only who makes its first
  /// one, or asks for what the history knows, may name it.
  ///
  /// - Throws: `UsageError` where the project has several and none was named.
  init(_ invocation: Invocation, _ session: Session, mayBeEmpty: Bool = false) throws {
    let chosen = try MigrationSession.sources(invocation, session)
    _ = try MigrationSession.only(chosen.sources, invocation)
    self = try MigrationSession.opened(chosen, invocation, session, mayBeEmpty)[0]
  }

  /// All folders that the options say, in the order in which they are applied.
  static func all(_ invocation: Invocation, _ session: Session, mayBeEmpty: Bool = false) throws
    -> [MigrationSession]
  {
    try opened(sources(invocation, session), invocation, session, mayBeEmpty)
  }

  private static func opened(
    _ chosen: (sources: [MigrationSource], project: Project?), _ invocation: Invocation, _ session: Session,
    _ mayBeEmpty: Bool
  ) throws -> [MigrationSession] {
    let sources = chosen.sources
    guard let project = chosen.project else {
      return try sources.map { source in
        var folder = try MigrationFolder.open(
          source.folders, values: try PlaceholderOptions.values(invocation), mayBeEmpty: mayBeEmpty)
        folder.history = source.history
        return MigrationSession(invocation, session, folder, schemas: source.schemas)
      }
    }
    let views = ViewEngine(try session.pipelines().flatMap(\.views))
    return try sources.map { source in
      try MigrationSession(
        invocation, session, source, of: project, views, label: sources.count > 1 ? source.label : nil)
    }
  }

  private init(
    _ invocation: Invocation, _ session: Session, _ folder: MigrationFolder, schemas: String?,
    label: String? = nil, of project: Project? = nil, _ views: ViewEngine? = nil,
    source: MigrationSource? = nil
  ) {
    (self.invocation, self.session, self.folder, self.schemas) = (invocation, session, folder, schemas)
    (self.label, self.project, self.views, self.source) = (label, project, views, source)
  }

  private init(
    _ invocation: Invocation, _ session: Session, _ source: MigrationSource, of project: Project,
    _ views: ViewEngine?, label: String?
  ) throws {
    // Values are kept with the folder that has asked for them.
    let values = try PlaceholderOptions.values(invocation)
    self.init(
      invocation, session, try MigrationFolder(of: source, in: project, values: values),
      schemas: source.schemas, label: label, of: project, views, source: source)
  }

  /// The folders of the project that are applied before this one, in their order.
  var earlier: [MigrationSession] {
    get throws {
      guard let project, let source else { return [] }
      return try project.migrationSources.prefix { $0.history != source.history }.map {
        try MigrationSession(invocation, session, $0, of: project, views, label: nil)
      }
    }
  }

  /// What hangs on the tables: derived views, and the tables of releases.
  var dependents: (any DependentObjects)? { views.map { DerivedViews(views: $0) } }

  func engine(_ connection: Connection) throws -> MigrationEngine {
    var engine = MigrationEngine(connection: connection, folder: folder, dependents: dependents)
    if let seconds = try session.givenLockWait() {
      engine.lockWait = seconds
      // Not even one try may take longer than all of them; long enough to see who is in its way.
      if seconds < 2 { engine.lockTimeout = "\(max(200, Int(seconds * 1000)))ms" }
    }
    engine.capturesOnShards = project?.capturesOnShards ?? false
    engine.tell = { session.tell($0) }
    connection.onNotice { show($0) }
    return engine
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
}
