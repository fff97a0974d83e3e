import Host

/// What `rivulet nightly` does besides refreshing views, as `rivulet.yaml` says it.
public struct NightlyRules: Sendable {
  /// The folders to look for new files in, as they are written.
  public var watch: [WatchedFolder] = []
  /// How long things are kept.
  public var retention = RetentionSpans()
  /// How old the current release of a dataset may be, as they are written.
  public var freshness: [FreshnessLimit] = []
  /// The program that gets what went wrong, and its arguments; empty for none. A program that is named with a
  /// slash is looked for from the project's folder.
  public var notify: [String] = []
}

/// How long things are kept that nobody asks for any more; what has no span is kept for good.
public struct RetentionSpans: Sendable, Hashable {
  /// Runs of the ledger that brought nothing, with their sources, stages and rules, since they ended.
  public var runs: Duration?
  /// Refused records, since the end of their run. How many there were and why is kept with the run.
  public var rejects: Duration?
  /// The tables of revisions that were replaced or rolled back, since then.
  public var revisions: Duration?

  /// Everything is kept.
  public init() {}
}

/// How old the current release of a dataset may be before a newer one is missed.
public struct FreshnessLimit: Sendable, Hashable {
  /// The dataset, by its pipeline's name.
  public var pipeline: String
  /// In days, from the first day that the release is in effect.
  public var days: Int
}

extension NightlyRules {
  /// The keys of `rivulet.yaml` that belong to it.
  static let keys = ["watch", "retention", "freshness", "notify"]

  /// - `folder`: the project's folder.
  /// - `pipelines`: the names of its pipelines.
  init(_ fields: Fields, project folder: String, pipelines: [String], in file: DefinitionFile) {
    watch = (fields.list("watch") ?? []).compactMap {
      WatchedFolder($0, project: folder, pipelines: pipelines, in: file)
    }
    retention = fields.node("retention").flatMap { RetentionSpans($0, in: file) } ?? RetentionSpans()
    freshness =
      fields.node("freshness").map { FreshnessLimit.all($0, pipelines: pipelines, in: file) } ?? []
    notify = (fields.texts("notify") ?? []).map(\.value)
    if let program = notify.first, program.contains("/") { notify[0] = Path.join(folder, program) }
  }
}

extension RetentionSpans {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["runs", "rejects", "revisions"]
    guard let fields = Fields(node, of: "retention", keys: keys, in: file) else { return nil }
    runs = fields.duration("runs")
    rejects = fields.duration("rejects")
    revisions = fields.duration("revisions")
  }
}

extension FreshnessLimit {
  fileprivate static func all(
    _ node: YAMLNode, pipelines: [String], in file: DefinitionFile
  ) -> [FreshnessLimit] {
    guard let fields = Fields(node, of: "freshness, by pipeline,", keys: pipelines, in: file),
      case .mapping(let entries) = node.content
    else { return [] }
    return entries.compactMap { entry in
      guard pipelines.contains(entry.key), let span = fields.duration(entry.key) else { return nil }
      let (days, rest) = span.components.seconds.quotientAndRemainder(dividingBy: 86_400)
      if rest != 0 {
        file.report(
          "how old a release may be is counted in days", at: entry.value.mark,
          hint: "write whole days, such as 120d")
      }
      return FreshnessLimit(pipeline: entry.key, days: Int(days))
    }
  }
}
