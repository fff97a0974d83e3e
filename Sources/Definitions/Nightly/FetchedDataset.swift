import Host

/// A dataset whose new releases are fetched from its publisher.
public struct FetchedDataset: Sendable, Hashable {
  /// Its pipeline, which says where the releases are published.
  public var pipeline: String
  /// The folder that the archives are put into, from the root or from the project's folder as that is named.
  public var folder: String

  /// A dataset and the folder of its archives.
  public init(pipeline: String, folder: String) { (self.pipeline, self.folder) = (pipeline, folder) }
}

extension FetchedDataset {
  /// - `project`: the project's folder.
  /// - `pipelines`: the names that a pipeline may have.
  init?(_ node: YAMLNode, project: String, pipelines: [String], in file: DefinitionFile) {
    guard let fields = Fields(node, of: "a dataset to fetch", keys: ["pipeline", "folder"], in: file) else {
      return nil
    }
    let name = fields.needText("pipeline")
    if let name, !pipelines.contains(name.value) {
      file.report("there is no pipeline '\(name.value)'", of: name, among: pipelines, called: "there are")
    }
    guard let name, let place = fields.needText("folder") else { return nil }
    pipeline = name.value
    folder = Path.join(project, place.value)
  }
}
