import Host

/// A folder that new files of a pipeline are put into.
public struct WatchedFolder: Sendable, Hashable {
  /// The pipeline that loads them.
  public var pipeline: String
  /// The folder, from the root or from the project's folder as that is named.
  public var folder: String
  /// Which files of the folder are meant; nil for all.
  public var files: Glob?
  /// So long a file must not have been written to before it is taken for whole.
  public var settle: Duration

  /// How long that is unless the definition says another.
  public static let usualSettle = Duration.seconds(60)
}

extension WatchedFolder {
  /// - `project`: the project's folder.
  /// - `pipelines`: the names that a pipeline may have.
  init?(_ node: YAMLNode, project: String, pipelines: [String], in file: DefinitionFile) {
    let keys = ["pipeline", "folder", "files", "settle"]
    guard let fields = Fields(node, of: "a watched folder", keys: keys, in: file) else { return nil }
    let name = fields.needText("pipeline")
    if let name, !pipelines.contains(name.value) {
      file.report("there is no pipeline '\(name.value)'", of: name, among: pipelines, called: "there are")
    }
    let place = fields.needText("folder")
    files = fields.text("files").flatMap {
      Glob($0, of: "file names", hint: "sub-folders are not looked into: write it without '/'", in: file)
    }
    settle = fields.duration("settle") ?? WatchedFolder.usualSettle
    guard let name, let place else { return nil }
    pipeline = name.value
    folder = Path.join(project, place.value)
  }
}
