import Definitions
import MigrationEngine

/// What options choose of the folders of a project.
extension MigrationSession {
  /// Of the folders that `rivulet.yaml` names those that `--history` and `--schema` mean: all, one, or one in
  /// one of its schemas, `NAME/schema`.
  static func chosen(_ sources: [MigrationSource], _ invocation: Invocation) throws -> [MigrationSource] {
    let schemas = invocation["--schema"]
    guard let name = invocation["--history"] else {
      guard schemas == nil || sources.count == 1 else {
        throw invocation.usage("--schema goes with --history, where there are several folders of migrations")
      }
      return sources.map { $0.inSchemas(schemas ?? $0.schemas) }
    }
    if let source = sources.first(where: { $0.history == name }) {
      return [source.inSchemas(schemas ?? source.schemas)]
    }
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    if parts.count == 2, let source = sources.first(where: { $0.history == parts[0] && $0.schemas != nil }) {
      return [source.inSchemas(parts[1].replacing("//", with: "/"))]
    }
    let hint =
      NearestName.hint(name, among: sources.map(\.history), called: "there are").map { "; \($0)" } ?? ""
    throw invocation.usage("--history: \(Project.fileName) names no history '\(name)'\(hint)")
  }

  /// The names of several folders, for a sentence.
  static func names(_ all: [MigrationSession]) -> String {
    all.map { $0.folder.history.isEmpty ? "''" : $0.folder.history }.joined(separator: ", ")
  }

  /// What a subcommand was given with `--to` and `--steps`.
  ///
  /// - Throws: `UsageError` where it is a part of a history, and there are several folders.
  static func goal(_ invocation: Invocation, of all: [MigrationSession] = []) throws -> MigrationGoal {
    let steps = try invocation.integer("--steps", atLeast: 1)
    if all.count > 1, let option = ["--to", "--steps"].first(where: invocation.has) {
      throw invocation.usage(
        "\(option) is about one of the folders of migrations: name it with --history, of \(names(all))")
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
