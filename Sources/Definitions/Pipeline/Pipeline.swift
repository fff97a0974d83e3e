/// A dataset's definition: which files it comes in, what is in them, and what must hold before it is shown.
///
/// It is read from a folder by ``Project/pipeline(named:)`` and holds everything of that folder.
public struct Pipeline: Sendable {
  /// How a dataset's releases become visible.
  public enum Publishing: String, Sendable, Hashable, CaseIterable {
    /// Every release is whole and replaces no other one.
    case release
    /// What differs is written to tables that hold no releases.
    case merge
  }

  /// The pipeline's name, which is also its folder's.
  public var name: String
  /// What it is, in words.
  public var title: String
  /// How to find a bundle's release; of a pipeline that merges it says none.
  public var release: ReleaseRule
  /// How to find a bundle of changes, which is merged into the published release; nil where there are none.
  public var periods: PeriodRule?
  /// The tables of a bundle, in the order they are loaded.
  public var sources: [Source]
  /// What must hold over whole tables, in the order it is checked.
  public var checks: [Check]
  /// How many records may be rejected.
  public var rejects: RejectLimit
  /// How a release becomes visible.
  public var publishing: Publishing
  /// How a release's archive is found at its publisher; nil where it is not recorded.
  public var fetch: FetchRule?
  /// The layouts by name.
  public var layouts: [String: Layout]
  /// The code lists that the layouts' columns name, by name.
  public var lists: [String: CodeList]
  /// The table that the code lists are kept in beside the data; nil where there is none.
  public var listTable: String?
  /// The derived views, by name.
  public var views: [ViewDefinition]
  /// The queries, by name.
  public var queries: [QueryDefinition]
  /// What the report says of the dataset, in the order in which it is shown.
  public var report: [ReportPart] = []
  /// How two releases are compared.
  public var diff: DiffRule
  /// SHA-256, in hexadecimal, over the files that decide what is loaded: `pipeline.yaml`, layouts, checks.
  public var definitionHash: String
  /// The pipeline's folder.
  public var folder: String
  /// Which entries of a bundle come with it and hold no records that are wanted.
  public var documents: [Glob] = []
  /// The entry that names the others; nil where there is none.
  public var index: BundleIndex?
  /// What the name of a file says, or the records above a header, where a bundle is synthetic; nil where
  /// nothing says it.
  public var synthetic: TextPattern?
  /// The datasets whose tables this one reads, beside its own, by their pipelines' names.
  public var needs: [String] = []

  /// The source of a name.
  public func source(named name: String) -> Source? { sources.first { $0.name == name } }

  /// The layout of a source.
  public func layout(of source: Source) -> Layout? { layouts[source.layout] }

  /// The tables that a source's children go to, over all versions of its layout, each once.
  public func childTargets(of source: Source) -> [String] {
    var targets: [String] = []
    for child in layout(of: source)?.versions.flatMap(\.children) ?? []
    where !targets.contains(child.target) { targets.append(child.target) }
    return targets
  }

  /// What distinguishes the rows of a table that a source's records go to: the source's own, or a child's.
  public func key(of target: String, in source: Source) -> [String] {
    guard target != source.target else { return source.key }
    let child = layout(of: source)?.versions.flatMap(\.children).first { $0.target == target }
    return child?.rowKey(ofRecord: source.key) ?? source.key + ["slot"]
  }

  /// The tables that a release should have and lacks; what only amends others is not missed.
  public func lackedTargets(by present: [String]) -> [String] {
    let optional = sources.filter { $0.amendment != nil }.map(\.target)
    return targets.filter { !present.contains($0) && !optional.contains($0) }
  }

  /// The tables that are loaded, each once, in the order of the sources, children after their source.
  public var targets: [String] {
    var targets: [String] = []
    for target in sources.flatMap({ [$0.target] + childTargets(of: $0) }) where !targets.contains(target) {
      targets.append(target)
    }
    return targets
  }
}

/// How many records a run may reject and still be published.
public enum RejectLimit: Sendable, Hashable, CustomStringConvertible {
  /// A number of records.
  case count(Int)
  /// A share of the records read, in percent.
  case percent(Double)
  /// A share, or as many as a number where the share of a small file is fewer.
  case percentOrCount(Double, Int)

  /// Reads `0`, `25`, `0.5%` or `0.5% or 25`; nil when it is none of these.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    if parts.count == 3, parts[1] == "or" {
      guard case .percent(let percent)? = RejectLimit(String(parts[0])),
        case .count(let count)? = RejectLimit(String(parts[2]))
      else { return nil }
      self = .percentOrCount(percent, count)
    } else if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
      self = .percent(percent)
    } else {
      guard let count = Int(text), count >= 0 else { return nil }
      self = .count(count)
    }
  }

  /// Whether so many rejected records of so many read ones are within the limit.
  public func allows(rejected: Int, of read: Int) -> Bool {
    switch self {
    case .count(let count): rejected <= count
    case .percent(let percent): Double(rejected) * 100 <= percent * Double(read)
    case .percentOrCount(let percent, let count):
      rejected <= count || Double(rejected) * 100 <= percent * Double(read)
    }
  }

  /// Whether so many rejected records are too many already, however many are read yet.
  public func isExceeded(by rejected: Int) -> Bool {
    switch self {
    case .count(let count): rejected > count
    case .percent(let percent): percent == 0 && rejected > 0
    case .percentOrCount(let percent, let count): percent == 0 && rejected > count
    }
  }

  /// As it is written in a definition.
  public var description: String {
    switch self {
    case .count(let count): "\(count)"
    case .percent(let percent): percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
    case .percentOrCount(let percent, let count): "\(RejectLimit.percent(percent)) or \(count)"
    }
  }
}

extension RejectLimit {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "rejects", keys: ["allow"], in: file),
      let text = fields.needText("allow")
    else { return nil }
    guard let limit = RejectLimit(text.value) else {
      file.report(
        "'\(text.value)' is no limit", at: text.mark,
        hint: "write a number, a share such as 1%, or both: 1% or 5")
      return nil
    }
    self = limit
  }
}
