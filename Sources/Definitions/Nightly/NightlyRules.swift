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
  /// Who gets a mail of what went wrong; nil for nobody.
  public var mail: MailRule?
  /// The address that the summary of a night that went wrong is posted to; nil for none. It may hold a secret.
  public var post: String?
  /// The address that is called after each night that went well; nil for none. It may hold a secret.
  public var heartbeat: String?
  /// The datasets whose new releases are fetched from their publishers, as they are written.
  public var fetch: [FetchedDataset] = []
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
  static let keys = [
    "watch", "fetch", "retention", "freshness", "notify", "mail", "post", "heartbeat",
  ]

  /// - `folder`: the project's folder.
  /// - `pipelines`: the names of its pipelines.
  init(_ fields: Fields, project folder: String, pipelines: [String], in file: DefinitionFile) {
    watch = (fields.list("watch") ?? []).compactMap {
      WatchedFolder($0, project: folder, pipelines: pipelines, in: file)
    }
    fetch = (fields.list("fetch") ?? []).compactMap {
      FetchedDataset($0, project: folder, pipelines: pipelines, in: file)
    }
    mail = fields.node("mail").flatMap { MailRule($0, project: folder, in: file) }
    post = Self.address("post", fields, in: file)
    heartbeat = Self.address("heartbeat", fields, in: file)
    retention = fields.node("retention").flatMap { RetentionSpans($0, in: file) } ?? RetentionSpans()
    freshness =
      fields.node("freshness").map { FreshnessLimit.all($0, pipelines: pipelines, in: file) } ?? []
    notify = (fields.texts("notify") ?? []).map(\.value)
    if let program = notify.first, program.contains("/") { notify[0] = Path.join(folder, program) }
  }
}

extension NightlyRules {
  /// A web address, which no message repeats.
  private static func address(_ key: String, _ fields: Fields, in file: DefinitionFile) -> String? {
    guard let text = fields.text(key) else { return nil }
    let isAddress = ["https://", "http://"].contains { text.value.hasPrefix($0) && text.value != $0 }
    if !isAddress || text.value.contains(where: \.isWhitespace) {
      file.report("'\(key)' is no web address", at: text.mark, hint: "it begins with https://")
    }
    return text.value
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
