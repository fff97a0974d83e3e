import Definitions
import PipelineCore
import Records
import Values

/// Reads the heads of the entries of a bundle, of which there may be thousands for each source.
struct HeadSearch {
  private let pipeline: Pipeline
  private let release: String?
  /// The first day of the release, where that is known.
  private let day: String?
  /// The tables that sources of the bundle bring.
  private let own: Set<String>
  private let kinds: EntryKinds
  private let sequence = EntrySequence()
  /// Entries of trees whose heads others share: those of one source are alike.
  private var known: [Known: HeadedEntry] = [:]
  private var counts: [String: Int] = [:]

  private struct Known: Hashable {
    let source: String
    let format: Source.Format
    /// The kinds of its records, where none of them is wanted.
    var foreignKinds: [String] = []
  }

  /// After so many entries of a source that fit a layout of one version the others are taken to do so, too.
  private static let looked = 64

  /// A search in entries, all of one bundle.
  /// - Throws: `RecordsError` where an entry cannot be read, `Interrupted` where the program is asked to end.
  init(_ entries: [BundleEntry], pipeline: Pipeline, release: String?) throws {
    (self.pipeline, self.release) = (pipeline, release)
    day = release.flatMap { try? pipeline.release.effectiveDates(of: $0).from }
    own = Set(entries.map(\.source.target))
    kinds = try EntryKinds(of: entries, pipeline: pipeline)
  }

  /// An entry with its head; nil where its source has no layout.
  /// - Throws: what ``HeadReader/read()`` throws, and of a list with a column for records within records
  ///   ``RunError/nestedInList(entry:column:target:)``.
  mutating func head(of entry: BundleEntry) throws -> HeadedEntry? {
    guard let layout = pipeline.layout(of: entry.source) else { return nil }
    // What has a file of its own is taken from there, and a header has no place for what is nested.
    let own = own
    let fitting = layout.without { !$0.key.isEmpty && (own.contains($0.target) || !entry.format.isTree) }
    let found = kinds.kinds(of: entry, layout)
    let key = Known(source: entry.source.name, format: entry.format)
    counts[entry.source.name, default: 0] += 1
    if let found, entry.constants.isEmpty, let like = known[key] {
      if !found.contains(where: like.head.wants) {
        // Of a thousand pages most have nothing of a source: what it would read there is the same for all.
        if !found.isEmpty, entry.source.isGathered {
          return shared(key, entry, foreignKinds: Array(found.prefix(HeadReader.foreignKinds)))
        }
      } else if counts[entry.source.name, default: 0] > Self.looked {
        return like.sharingHead(with: entry)
      }
    }
    var head = try HeadReader(
      entry, layout: fitting, release: release, day: day, kinds: found, in: sequence
    ).read()
    guard entry.format.isTree else {
      try LoadPlan.requireNothingNested(in: head, of: entry, layout, own)
      return HeadedEntry(entry: entry, head: head)
    }
    if let whole = layout.version(named: head.layout.name),
      whole.children.count > head.layout.children.count
    {
      head.leftOut = try TreeCandidate(entry, whole, day: day ?? "").nested.filter(own.contains).sorted()
      head.leftOutNames = Set(
        whole.children.filter { own.contains($0.target) }.flatMap(\.each).map { $0.plain.lowercased() })
    } else if layout.versions.count == 1, entry.constants.isEmpty {
      let foreignKinds = head.foreignKinds
      if known[key] == nil {
        head.foreignKinds = []
        known[key] = HeadedEntry(entry: entry, head: head)
      }
      if let found = shared(key, entry, foreignKinds: foreignKinds) { return found }
    }
    return HeadedEntry(entry: entry, head: head)
  }

  /// An entry with the head of those like it; nil where none is known.
  private mutating func shared(_ key: Known, _ entry: BundleEntry, foreignKinds: [String]) -> HeadedEntry? {
    var exact = key
    exact.foreignKinds = foreignKinds
    guard var like = known[exact] ?? known[key] else { return nil }
    if known[exact] == nil {
      like.head.foreignKinds = foreignKinds
      known[exact] = like
    }
    return like.sharingHead(with: entry)
  }
}

extension SourceHead {
  /// Whether its source takes records of a kind.
  fileprivate func wants(_ kind: String) -> Bool { layout.kind?.wanted.contains(kind) ?? false }
}
