package import Definitions
import Records
import Values

/// What a run has to load: the entries of a bundle with their heads, and what the bundle is.
package struct LoadPlan: Sendable {
  /// What the run is asked to do.
  package let request: RunRequest
  /// What was found.
  package let bundle: Bundle
  /// The entries to load, in the order of the bundle.
  package let entries: [HeadedEntry]
  /// The same tables in other formats, where they are to be compared.
  package let others: [HeadedEntry]
  /// What the bundle is.
  package let content: BundleContent
  /// Whether it brings corrected records of an earlier run.
  package let isReplay: Bool

  /// The plan of a publisher's bundle.
  ///
  /// `entries`: what ``prepared(_:)`` gives.
  /// `others`: the same of other formats.
  /// `named`: the release's name, where it was known before the heads were read.
  /// - Throws: ``RunError`` where the content is of no known release, or of two.
  package init(
    _ request: RunRequest, _ bundle: Bundle, entries: [HeadedEntry], others: [HeadedEntry], period: Period?,
    named: ReleaseIdentity.Named?, pipeline: Pipeline
  ) throws {
    (self.request, self.bundle, self.entries, self.others) = (request, bundle, entries, others)
    isReplay = false
    if let period {
      content = .changes(period)
    } else if pipeline.publishing == .merge {
      content = .tables
    } else {
      content = .release(
        try ReleaseIdentity(named: named, entries: entries, request: request, pipeline: pipeline))
    }
  }

  /// The plan of corrected records that are added to a release.
  package init(replaying request: RunRequest, entries: [HeadedEntry], of release: ReleaseIdentity) {
    (self.request, self.entries, others, isReplay) = (request, entries, [], true)
    bundle = Bundle(path: request.source, entries: entries.map(\.entry))
    content = .release(release)
  }

  /// Throws what a bundle and what is asked of it refuse before any head is read.
  /// - Throws: ``RunError/namesNoRelease(pipeline:)``, ``RunError/incomplete(path:missing:)``.
  package static func require(
    _ request: RunRequest, of bundle: Bundle, period: Period?, pipeline: Pipeline
  ) throws {
    if pipeline.publishing == .merge, request.release != nil {
      throw RunError.namesNoRelease(pipeline: pipeline.name)
    }
    // A single file of changes is all of what it is.
    let isAlone = period != nil && bundle.entries.count == 1 && bundle.entries[0].entry.entry == nil
    guard isAlone || bundle.lacking.isEmpty || request.allowsMissing else {
      throw RunError.incomplete(path: bundle.path, missing: bundle.lacking)
    }
  }

  /// Decides which entries count for which source, after their heads were read.
  /// - Throws: ``RunError/unknownLayout(entry:mismatch:)`` where no source wants anything of what all of them
  ///   gather.
  package static func prepared(_ headed: [HeadedEntry]) throws -> [HeadedEntry] {
    let gathered = headed.filter(\.source.isGathered)
    if let first = gathered.first, gathered.count == headed.count, gathered.allSatisfy(\.head.isForeign) {
      var kinds: [String] = []
      for kind in gathered.flatMap(\.head.foreignKinds) where !kinds.contains(kind) { kinds.append(kind) }
      throw RunError.unknownLayout(
        entry: first.entry.entry.path,
        mismatch: .tree(TreeMismatch(layout: first.source.layout, kinds: kinds)))
    }
    return owned(withoutForeign(headed))
  }

  /// Refuses a list that has a column for the records within a record: as a text in a field they would be
  /// lost.
  /// - Throws: ``RunError/nestedInList(entry:column:target:)``.
  package static func requireNothingNested(
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
    var places: [SourceEntry: [Int]] = [:]
    for (index, entry) in headed.enumerated() { places[entry.entry.entry, default: []].append(index) }
    // Thousands of entries that the same sources read have the same sets.
    var known: [String: Set<String>] = [:]
    func kinds(of indices: some Sequence<Int>) -> Set<String> {
      let names = indices.map { "\(headed[$0].source.name) \(headed[$0].head.layout.name)" }
      let key = names.joined(separator: "|")
      if let found = known[key] { return found }
      let found = Set(indices.flatMap { headed[$0].head.kind?.wanted ?? [] })
      known[key] = found
      return found
    }
    return headed.enumerated().map { index, entry in
      var entry = entry
      let own = places[entry.entry.entry] ?? []
      entry.ownsMalformed = own.first == index
      guard own.count > 1 else { return entry }
      entry.kindsOfOthers = kinds(of: own.filter { headed[$0].source.name != entry.source.name })
      entry.kindsOfEarlier = kinds(of: own.prefix { $0 < index })
      return entry
    }
  }

  /// Leaves out the entries that have nothing of the source that gathers them. What is nobody's stays with
  /// the first source, so that its records are counted, and a source keeps one entry, so that its table is
  /// there.
  private static func withoutForeign(_ headed: [HeadedEntry]) -> [HeadedEntry] {
    var claimed: Set<SourceEntry> = []
    var lastOwn: [String: Int] = [:]
    for (index, entry) in headed.enumerated() where !entry.head.isForeign {
      claimed.insert(entry.entry.entry)
      lastOwn[entry.source.name] = index
    }
    var kept: [HeadedEntry] = []
    var sources: Set<String> = []
    for (index, entry) in headed.enumerated() {
      let name = entry.source.name
      let isOnly = !sources.contains(name) && lastOwn[name].map { $0 <= index } ?? true
      let isNew = claimed.insert(entry.entry.entry).inserted
      guard !entry.head.isForeign || isNew || isOnly else { continue }
      kept.append(entry)
      sources.insert(name)
    }
    return kept
  }

  /// Whether its files say that they are samples: by their names, or above the header of one that is loaded.
  package func isSynthetic(by pattern: TextPattern?) -> Bool {
    guard let pattern else { return false }
    return bundle.isNamedSynthetic || entries.contains { pattern.groups(in: $0.head.banner) != nil }
  }

  /// The release that it is; nil where it is merged.
  package var release: ReleaseIdentity? { if case .release(let release) = content { release } else { nil } }

  /// What is odd about its files, for the user.
  package var warnings: [String] { bundle.warnings + (release?.warnings ?? []) }

  /// The days whose changes it brings; nil where it is no bundle of changes.
  package var period: Period? { if case .changes(let period) = content { period } else { nil } }

  /// Whether its release comes before another's: by the first day in effect, then by name; and of one release
  /// what amends it after what it amends. Changes come after the release that they begin with, and in the
  /// order of their periods.
  package func precedes(_ other: LoadPlan) -> Bool {
    let (one, two) = (content.order, other.content.order)
    if one != two { return one.lexicographicallyPrecedes(two) }
    return !isAmendment && other.isAmendment
  }

  /// The entries by the source that they carry, in the order of the bundle.
  package var bySource: [(source: Source, entries: [HeadedEntry])] {
    var groups: [(source: Source, entries: [HeadedEntry])] = []
    for entry in entries {
      if groups.last?.source.name == entry.source.name {
        groups[groups.count - 1].entries.append(entry)
      } else {
        groups.append((entry.source, [entry]))
      }
    }
    return groups
  }

  /// The bundle brings no table of the release, only amendments of those that are loaded.
  package var isAmendment: Bool { period == nil && entries.allSatisfy { $0.source.amendment != nil } }

  /// What a source's rows do to the other tables that are staged.
  package func changing(_ source: Source) -> Amendment? {
    source.amendment ?? (period == nil ? nil : source.change)
  }

  /// The sources whose tables are staged empty, as the bundle brings none of their rows: those that changes
  /// amend, and those that changes of a release may bring one day.
  package func emptySources(of pipeline: Pipeline) -> [Source] {
    if case .release = content {
      guard pipeline.periods != nil, !isReplay, !isAmendment else { return [] }
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
  package var targets: [String] {
    var targets: [String] = []
    for entry in entries {
      for target in [entry.source.target] + entry.head.layout.children.map(\.target)
      where !targets.contains(target) { targets.append(target) }
    }
    return targets
  }
}
