public import Definitions
import Host
import Records
import Values

/// An entry, and what its beginning tells.
struct HeadedEntry: Sendable {
  let entry: BundleEntry
  var head: SourceHead
  /// Whether the entry's malformed records that do not say what they are count for this source, of all that read it.
  var ownsMalformed = true
  /// The kinds of records that other sources take from the entry.
  var kindsOfOthers: Set<String> = []
  /// Those of them that sources before this one take.
  var kindsOfEarlier: Set<String> = []

  var source: Source { entry.source }

  /// The columns of the table that the file says something about: not those that its header lacks.
  var broughtColumns: [String] {
    zip(head.layout.columns, head.fields).filter { $0.isStored && ($1 != nil || $0.place == nil) }.map(
      \.0.name)
  }

  /// Those that are staged: of a source with SQL of its own all of them, which that may name.
  var stagedColumns: [String] {
    source.change == nil ? broughtColumns : head.layout.columns.filter(\.isStored).map(\.name)
  }
}

/// What is known of a source before anything is loaded: its entries, their headers, its release, its digest.
///
/// Making it needs no database, so that a wrong name or a broken archive is told before one is touched.
public struct Discovered: Sendable {
  let request: RunRequest
  let bundle: Bundle
  /// In the order of the bundle.
  let entries: [HeadedEntry]
  /// The same tables in other formats, where they are to be compared.
  let others: [HeadedEntry]
  let content: BundleContent
  /// SHA-256 of each file on disk, by path, but for those of ``unhashed``.
  var fileHashes: [String: String]
  /// Large files that are read once only, since nothing is known that they could be the same as: what they were when they were
  /// found, by path.
  var unhashed: [String: FileStatus] = [:]
  /// What mended records are added to, where it is those that the source brings.
  let replay: Replay?
  /// How long that took.
  let seconds: Double

  /// Looks into a source, reading no more of it than its digest needs.
  ///
  /// Throws `RecordsError` where it cannot be read and ``RunError`` where it is not the pipeline's.
  public init(_ request: RunRequest, pipeline: Pipeline) throws {
    let started = Machine.seconds
    let bundle = try Bundle(request.source, pipeline: pipeline)
    let period = try BundleContent.period(of: bundle, pipeline: pipeline)
    if pipeline.publishing == .merge, request.release != nil {
      throw RunError.namesNoRelease(pipeline: pipeline.name)
    }
    // A single file of changes is all of what it is.
    let isAlone = period != nil && bundle.entries.count == 1 && bundle.entries[0].entry.entry == nil
    let missing =
      isAlone
      ? []
      : bundle.missing.map { "\($0.name) (\($0.entries.text))" }
        + bundle.missingParts.map { "a part of \($0.source.name) (\($0.part.entries.text))" }
    guard missing.isEmpty || request.allowsMissing else {
      throw RunError.incomplete(path: bundle.path, missing: missing)
    }
    let named =
      period == nil && pipeline.publishing == .release
      ? try ReleaseIdentity.named(bundle: bundle, pipeline: pipeline, given: request.release) : nil
    entries = try Discovered.heads(of: bundle.entries, pipeline: pipeline, release: named)
    others =
      request.crossChecks ? try Discovered.heads(of: bundle.others, pipeline: pipeline, release: named) : []
    unhashed = try Discovered.largeFiles(of: bundle)
    let hashes = try Discovered.hashes(of: bundle, besides: unhashed)
    if let period {
      content = .changes(period)
    } else if pipeline.publishing == .merge {
      content = .tables
    } else {
      content = .release(
        try ReleaseIdentity(named: named, entries: entries, path: bundle.path, pipeline: pipeline))
    }
    self.bundle = bundle
    fileHashes = hashes
    replay = nil
    self.request = request
    seconds = Machine.seconds - started
  }

  /// SHA-256 of each file on disk, by path.
  static func hashes(
    of bundle: Bundle, besides others: [String: FileStatus] = [:]
  ) throws -> [String: String] {
    var hashes: [String: String] = [:]
    for path in Set(bundle.entries.map(\.entry.path)) where others[path] == nil {
      hashes[path] = try sha256(of: path)
    }
    return hashes
  }

  /// Of so many bytes a second look is worth a question to the ledger.
  private static let large = 16 << 20

  /// The files of a bundle that are large and lie there as they are, not in an archive, by path.
  private static func largeFiles(of bundle: Bundle) throws -> [String: FileStatus] {
    let packed = Set(bundle.entries.filter { $0.entry.entry != nil }.map(\.entry.path))
    return try Set(bundle.entries.map(\.entry.path)).subtracting(packed).reduce(into: [:]) { found, path in
      let status = try FileStatus(path)
      if status.kind == .file, status.size >= large { found[path] = status }
    }
  }

  /// The digests that were put off, read now.
  var hashesPutOff: [String: String] {
    get throws {
      try unhashed.keys.reduce(into: [:]) { $0[$1] = try Self.sha256(of: $1) }
    }
  }

  /// Reads the digests that were put off, so that none is.
  mutating func hashAll() throws {
    fileHashes.merge(try hashesPutOff) { $1 }
    unhashed = [:]
  }

  /// Whether a file as it was read, with a digest, is the one that was found.
  func isUnchanged(_ path: String, sha256: String) throws -> Bool {
    guard let before = unhashed[path] else { return sha256 == fileHashes[path] }
    let now = try FileStatus(path)
    return (now.size, now.modified) == (before.size, before.modified)
  }

  /// SHA-256 of a file on disk, as the ledger knows it.
  public static func sha256(of path: String) throws -> String {
    let stream = HashingStream(try SourceEntry(file: path).open())
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while try stream.read(into: &buffer, from: 0) > 0 {
      try Interruption.shared.check()
    }
    return stream.sha256
  }

  private static func heads(
    of entries: [BundleEntry], pipeline: Pipeline, release: ReleaseIdentity.Named?
  ) throws -> [HeadedEntry] {
    let own = Set(entries.map(\.source.target))
    let headed = try entries.compactMap { entry in
      try pipeline.layout(of: entry.source).map { layout in
        // What has a file of its own is taken from there, and a header has no place for what is nested.
        let fitting = layout.without { !$0.key.isEmpty && (own.contains($0.target) || !entry.format.isTree) }
        var head = try SourceHead(entry, layout: fitting, release: release?.name)
        if !entry.format.isTree { try requireNothingNested(in: head, of: entry, layout, own) }
        if entry.format.isTree, let whole = layout.version(named: head.layout.name),
          whole.children.count > head.layout.children.count
        {
          head.leftOut = try TreeCandidate(entry, whole).nested.filter(own.contains).sorted()
          head.leftOutNames = Set(
            whole.children.filter { own.contains($0.target) }.flatMap(\.each).map { $0.plain.lowercased() })
        }
        return HeadedEntry(entry: entry, head: head)
      }
    }
    let gathered = headed.filter(\.source.isGathered)
    if let first = gathered.first, gathered.count == headed.count, gathered.allSatisfy(\.head.isForeign) {
      var kinds: [String] = []
      for kind in gathered.flatMap(\.head.foreignKinds) where !kinds.contains(kind) { kinds.append(kind) }
      throw RunError.unknownLayout(
        entry: first.entry.entry.path,
        mismatch: .tree(TreeMismatch(layout: first.source.layout, kinds: kinds)))
    }
    return try tellingSheets(owned(withoutForeign(headed)))
  }

  /// Refuses a list that has a column for the records within a record: as a text in a field they would be lost.
  private static func requireNothingNested(
    in head: SourceHead, of entry: BundleEntry, _ layout: Layout, _ own: Set<String>
  ) throws {
    for child in layout.version(named: head.layout.name)?.children ?? []
    where !child.key.isEmpty && !own.contains(child.target) {
      let names = child.each.map { $0.plain.lowercased() }
      guard let column = head.unknown.first(where: { names.contains($0.lowercased()) }) else { continue }
      throw RunError.nestedInList(entry: entry.entry.description, column: column, target: child.target)
    }
  }

  /// Of the sources that read an entry the first owns what is malformed in it and does not say what it is.
  private static func owned(_ headed: [HeadedEntry]) -> [HeadedEntry] {
    var seen: Set<SourceEntry> = []
    var kinds: [SourceEntry: Set<String>] = [:]
    return headed.map { entry in
      var entry = entry
      entry.ownsMalformed = seen.insert(entry.entry.entry).inserted
      let others = headed.filter { $0.entry.entry == entry.entry.entry && $0.source != entry.source }
      entry.kindsOfOthers = Set(others.flatMap { $0.head.kind?.wanted ?? [] })
      entry.kindsOfEarlier = kinds[entry.entry.entry] ?? []
      kinds[entry.entry.entry, default: []].formUnion(entry.head.kind?.wanted ?? [])
      return entry
    }
  }

  /// Leaves out the entries that have nothing of the source that gathers them. What is nobody's stays with the first
  /// source, so that its records are counted, and a source keeps one entry, so that its table is there.
  private static func withoutForeign(_ headed: [HeadedEntry]) -> [HeadedEntry] {
    var claimed: Set<SourceEntry> = []
    for entry in headed where !entry.head.isForeign { claimed.insert(entry.entry.entry) }
    var kept: [HeadedEntry] = []
    for (index, entry) in headed.enumerated() {
      let isOnly =
        !kept.contains { $0.source == entry.source }
        && !headed[(index + 1)...].contains { $0.source == entry.source && !$0.head.isForeign }
      let isNew = claimed.insert(entry.entry.entry).inserted
      if !entry.head.isForeign || isNew || isOnly { kept.append(entry) }
    }
    return kept
  }

  /// The file, archive or folder, as it was named.
  public var source: String { request.source }

  /// What is odd about its files, for the user.
  public var warnings: [String] { bundle.warnings }

  /// The release that it is; nil where it is merged.
  var release: ReleaseIdentity? { if case .release(let release) = content { release } else { nil } }

  /// The days whose changes it brings; nil where it is no bundle of changes.
  public var period: Period? { if case .changes(let period) = content { period } else { nil } }

  /// Whether its release comes before another's: by the first day in effect, then by name; and of one release what
  /// amends it after what it amends. Changes come after the release that they begin with, and in the order of their
  /// periods.
  public func precedes(_ other: Discovered) -> Bool {
    let (one, two) = (content.order, other.content.order)
    if one != two { return one.lexicographicallyPrecedes(two) }
    return !isAmendment && other.isAmendment
  }

  /// Bundles in the order in which they are loaded: as they were named, but changes in the order of their periods.
  public static func inOrder(_ found: [Discovered]) -> [Discovered] {
    var changes = found.filter { $0.period != nil }.sorted { $0.precedes($1) }[...]
    return found.map { $0.period == nil ? $0 : changes.popFirst() ?? $0 }
  }

  /// The entries by the source that they carry, in the order of the bundle.
  var bySource: [(source: Source, entries: [HeadedEntry])] {
    var groups: [(source: Source, entries: [HeadedEntry])] = []
    for entry in entries {
      if groups.last?.source == entry.source {
        groups[groups.count - 1].entries.append(entry)
      } else {
        groups.append((entry.source, [entry]))
      }
    }
    return groups
  }

  /// `source sha256` of each source and file on disk.
  var hashedSources: Set<String> {
    Set(entries.map { "\($0.source.name) \(fileHashes[$0.entry.entry.path] ?? "")" })
  }

  /// The bundle brings no table of the release, only amendments of those that are loaded.
  var isAmendment: Bool { period == nil && entries.allSatisfy { $0.source.amendment != nil } }

  /// What a source's rows do to the other tables that are staged.
  func changing(_ source: Source) -> Amendment? { source.amendment ?? (period == nil ? nil : source.change) }

  /// The sources whose tables are staged empty, as the bundle brings none of their rows: those that changes amend, and those
  /// that changes of a release may bring one day.
  func emptySources(of pipeline: Pipeline) -> [Source] {
    if case .release = content {
      guard pipeline.periods != nil, replay == nil, !isAmendment else { return [] }
      return pipeline.sources.filter { source in
        (source.amendment != nil || source.isOptional) && !entries.contains { $0.source.name == source.name }
      }
    }
    let names = entries.compactMap { changing($0.source) }.flatMap(\.template.names)
    return pipeline.sources.filter { source in
      !entries.contains { $0.source.name == source.name }
        && !names.allSatisfy { $0 != source.target && !pipeline.childTargets(of: source).contains($0) }
    }
  }

  /// The tables that the bundle's rows go to: those of the sources, and of their children.
  var targets: [String] {
    var targets: [String] = []
    for entry in entries {
      for target in [entry.source.target] + entry.head.layout.children.map(\.target)
      where !targets.contains(target) { targets.append(target) }
    }
    return targets
  }
}
