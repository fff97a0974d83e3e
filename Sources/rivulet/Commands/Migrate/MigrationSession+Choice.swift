import Definitions
import Host
import MigrationEngine
import PipelineCore

/// What options choose of the folders of a project.
extension MigrationSession {
  /// The folders that the options say, in the order in which they are applied, unread; and the project unless
  /// `--dir` names them.
  static func sources(_ invocation: Invocation, _ session: Session) throws
    -> (sources: [MigrationSource], project: Project?)
  {
    let paths = invocation.all("--dir")
    let history = invocation["--history"]
    let schemas = invocation["--schema"]
    if history?.contains("/") == true, schemas != nil {
      throw invocation.usage("--history: a name has no / in it")
    }
    if let path = paths.first(where: { !Files.isDirectory($0) }) {
      throw invocation.usage("--dir: there is no folder '\(path)'")
    }
    if !paths.isEmpty {
      return ([MigrationSource(history: history ?? "", folders: paths, schemas: schemas)], nil)
    }
    let project = try session.project()
    var sources = project.migrationSources
    if !project.migrations.isEmpty { return (try chosen(sources, invocation), project) }
    sources[0].history = history ?? ""
    sources[0].schemas = schemas
    guard Files.isDirectory(sources[0].folders[0]) else {
      throw invocation.usage("the project has no folder 'Migrations': make it, or name one with --dir")
    }
    return (sources, project)
  }

  /// The one of some folders, for what cannot be done with several.
  ///
  /// - Throws: `UsageError` with their names.
  static func only(_ sources: [MigrationSource], _ invocation: Invocation) throws -> MigrationSource {
    if sources.count == 1 { return sources[0] }
    throw invocation.usage(
      "there are several folders of migrations: name one with --history, of \(names(sources.map(\.label)))")
  }

  /// Of the folders that `rivulet.yaml` names those that `--history` and `--schema` mean: all, one, or one in
  /// one of its schemas, `NAME/schema`.
  private static func chosen(_ sources: [MigrationSource], _ invocation: Invocation) throws
    -> [MigrationSource]
  {
    let schemas = invocation["--schema"]
    guard let name = invocation["--history"] else {
      guard schemas == nil || sources.count == 1 else {
        throw invocation.usage("--schema goes with --history, where there are several folders of migrations")
      }
      return sources.map { $0.inSchemas(schemas ?? $0.schemas) }
    }
    if let source = sources.first(where: { $0.label == name }) {
      return [source.inSchemas(schemas ?? source.schemas)]
    }
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    if parts.count == 2, let source = sources.first(where: { $0.history == parts[0] && $0.schemas != nil }) {
      return [source.inSchemas(parts[1].replacing("//", with: "/"))]
    }
    let hint =
      NearestName.hint(name, among: sources.map(\.label), called: "there are").map { "; \($0)" } ?? ""
    throw invocation.usage("--history: \(Project.fileName) names no history '\(name)'\(hint)")
  }

  /// The names of several histories, for a sentence.
  static func names(_ all: [String]) -> String {
    all.joined(separator: ", ")
  }

  /// What a subcommand was given with `--to` and `--steps`.
  ///
  /// - Throws: `UsageError` where it is a part of a history, and there are several folders.
  static func goal(_ invocation: Invocation, of all: [MigrationSession] = []) throws -> MigrationGoal {
    let steps = try invocation.integer("--steps", atLeast: 1)
    if all.count > 1, let option = ["--to", "--steps"].first(where: invocation.has) {
      throw invocation.usage(
        "\(option) is about one of the folders of migrations: name it with --history, of \(names(all.compactMap(\.label)))"
      )
    }
    switch (invocation["--to"], steps) {
    case (.some, .some): throw invocation.usage("--to and --steps exclude each other")
    case (let version?, nil): return .version(version)
    case (nil, let steps?): return .steps(steps)
    case (nil, nil): return .natural
    }
  }
}

extension MigrationSource {
  /// The same in other schemas.
  fileprivate func inSchemas(_ schemas: String?) -> MigrationSource {
    var source = self
    source.schemas = schemas
    return source
  }
}
