public import Definitions
import Host
public import PipelineCore
import Records
import Values

/// What is known of a source before anything is loaded: its entries, their headers, its release, its digests.
///
/// Making it needs no database, so that a wrong name or a broken archive is reported before one is touched.
public struct Discovered: Sendable {
  /// What is to be loaded.
  package let plan: LoadPlan
  /// The digests of its files.
  var files: SourceFiles
  /// What corrected records are added to, where it is those that the source brings.
  let corrected: CorrectedRecords?
  /// How long that took.
  let seconds: Double

  /// Looks into a source, reading no more of it than its digest needs.
  ///
  /// - Throws: `RecordsError` where it cannot be read and ``RunError`` where it is not the pipeline's.
  public init(_ request: RunRequest, pipeline: Pipeline) throws {
    let started = Machine.seconds
    var all = try Discovery.entries(of: request.location, shownAs: request.source)
    let search = ContentSearch(at: request.source, for: pipeline)
    let assigned = try search.assignments(of: request.assigned, among: &all)
    let index = try pipeline.index.map { try IndexReader($0).read(among: all) } ?? IndexedFiles()
    let bundle = try search.bundle(among: all, assigned) { assigned in
      try Bundle(
        request.source, at: request.location, of: all, index: index, assigned: assigned, pipeline: pipeline)
    }
    let period = try BundleContent.period(of: bundle, pipeline: pipeline)
    try LoadPlan.require(request, of: bundle, period: period, pipeline: pipeline)
    let named =
      period == nil && pipeline.publishing == .release
      ? try ReleaseIdentity.named(bundle: bundle, pipeline: pipeline, request: request) : nil
    let entries = try Self.heads(of: bundle.entries, pipeline: pipeline, release: named)
    let others =
      request.crossChecks ? try Self.heads(of: bundle.others, pipeline: pipeline, release: named) : []
    files = try SourceFiles(of: bundle, readsLargeFilesOnce: true)
    plan = try LoadPlan(
      request, bundle, entries: entries, others: others, period: period, named: named, pipeline: pipeline)
    corrected = nil
    seconds = Machine.seconds - started
  }

  /// Looks into several sources, two at a time.
  ///
  /// Throws what looking into the first of them throws that cannot be loaded.
  public static func all(_ requests: [RunRequest], pipeline: Pipeline) throws -> [Discovered] {
    try requests.map(onThreads: 2) { try Discovered($0, pipeline: pipeline) }
  }

  /// The pipelines that a source could be loaded through: those of whose tables it has one by its name, in a
  /// known layout, and misses the fewest.
  ///
  /// A source that cannot be read fits none.
  public static func fitting(_ source: String, among pipelines: [Pipeline]) -> [Pipeline] {
    guard let all = try? Discovery.entries(of: source) else { return [] }
    let found = pipelines.compactMap { pipeline -> (pipeline: Pipeline, missing: Int)? in
      guard
        let index = try? pipeline.index.map({ try IndexReader($0).read(among: all) }) ?? IndexedFiles(),
        let bundle = try? Bundle(source, of: all, index: index, pipeline: pipeline),
        (try? heads(of: bundle.entries, pipeline: pipeline, release: nil)) != nil
      else { return nil }
      return (pipeline, bundle.missing.count + bundle.missingParts.count)
    }
    let fewest = found.map(\.missing).min()
    return found.filter { $0.missing == fewest }.map(\.pipeline)
  }

  /// Corrected records, and what they are added to.
  init(_ plan: LoadPlan, corrected: CorrectedRecords, started: Double) throws {
    self.plan = plan
    self.corrected = corrected
    files = try SourceFiles(of: plan.bundle, readsLargeFilesOnce: false)
    seconds = Machine.seconds - started
  }

  /// Bundles of which none would take the place of another: of two that are the same release and bring other
  /// content of the same table, that which the user has said to carry it. Forced they all stay.
  /// - Returns: the bundles, and for the user which were left out.
  /// - Throws: ``RunError/sameRelease(_:source:entries:difference:)`` where the user has said it of none or of
  ///   both, and what reading them throws.
  public static func distinct(_ found: [Discovered]) throws -> (kept: [Discovered], warnings: [String]) {
    var (kept, warnings): ([Discovered], [String]) = ([], [])
    for later in found {
      var isMeant = true
      for (index, earlier) in kept.enumerated().reversed() {
        guard let rival = try later.rival(in: earlier) else { continue }
        let meant = [earlier, later].map { $0.plan.request.assigned.contains { $0.source == rival.source } }
        guard meant[0] != meant[1] else { throw rival.error }
        if meant[1] { kept.remove(at: index) } else { isMeant = false }
        let left = meant[1] ? earlier : later
        warnings.append("\(left.source) was left alone: \(rival.source) is said to be another file")
      }
      if isMeant { kept.append(later) }
    }
    return (kept, warnings)
  }

  /// The first table of which another bundle of the same release brings other content; nil where there is none.
  private func rival(in earlier: Discovered) throws -> (source: String, error: RunError)? {
    guard !plan.request.isForced, let release = plan.release, release.name == earlier.plan.release?.name
    else { return nil }
    for two in plan.entries where two.source.amendment == nil && !two.source.isGathered {
      let other = earlier.plan.entries.first { ($0.source, $0.entry.part) == (two.source, two.entry.part) }
      guard let one = other?.entry.entry,
        try earlier.files.sha256(of: one) != files.sha256(of: two.entry.entry)
      else { continue }
      let error = RunError.sameRelease(
        release.name, source: two.source.name, entries: [one, two.entry.entry].map(\.description),
        difference: try EntryDifference(one, two.entry.entry).description)
      return (two.source.name, error)
    }
    return nil
  }

  private static func heads(
    of entries: [BundleEntry], pipeline: Pipeline, release: ReleaseIdentity.Named?
  ) throws -> [HeadedEntry] {
    var search = try HeadSearch(entries, pipeline: pipeline, release: release?.name)
    let headed = try entries.compactMap { try search.head(of: $0) }
    return try withOtherSheets(try LoadPlan.prepared(headed))
  }

  /// Adds which sheets of workbooks hold rows that no source takes, each workbook once.
  private static func withOtherSheets(_ headed: [HeadedEntry]) throws -> [HeadedEntry] {
    var headed = headed
    for index in headed.indices where headed[index].ownsMalformed && headed[index].entry.format == .xlsx {
      let entry = headed[index].entry.entry
      let taken = headed.filter { $0.entry.entry == entry }.compactMap(\.head.sheetNumber)
      headed[index].head.otherSheets = try XLSXReader.filledSheets(of: entry, except: Set(taken))
    }
    return headed
  }

  /// The file, archive or folder, as it was named.
  public var source: String { plan.request.source }

  /// What is odd about its files, for the user.
  public var warnings: [String] { plan.warnings }

  /// The days whose changes it brings; nil where it is no bundle of changes.
  public var period: Period? { plan.period }

  /// Whether its release comes before another's: by the first day in effect, then by name.
  public func precedes(_ other: Discovered) -> Bool { plan.precedes(other.plan) }

  /// Bundles in the order in which they are loaded: as they were named, but changes in the order of their
  /// periods.
  public static func inOrder(_ found: [Discovered]) -> [Discovered] {
    var changes = found.filter { $0.period != nil }.sorted { $0.precedes($1) }[...]
    return found.map { $0.period == nil ? $0 : changes.popFirst() ?? $0 }
  }

  /// The digest of each entry that is loaded, in the order of the plan: of its file on disk, or of its own
  /// bytes.
  /// - Throws: `RecordsError` where an entry cannot be read, `Interrupted` where the program is asked to end.
  func digests(_ kind: ContentDigest) throws -> [String] {
    guard kind == .entry else { return plan.entries.map { files.hashes[$0.entry.entry.path] ?? "" } }
    var known: [SourceEntry: String] = [:]
    return try plan.entries.map { headed in
      let entry = headed.entry.entry
      let digest = try known[entry] ?? files.sha256(of: entry)
      known[entry] = digest
      return digest
    }
  }

  /// The sizes in bytes of the entries that are loaded, as far as they are known before they are read; nil
  /// where a large file does not tell, which is not worth a reading for a digest alone.
  /// - Throws: `FileError` where a file is gone.
  func sizes() throws -> [Int]? {
    for entry in plan.entries.map(\.entry.entry) where entry.size == nil {
      guard try FileStatus(entry.location).size < SourceFiles.large else { return nil }
    }
    return plan.entries.compactMap(\.entry.entry.size)
  }
}

extension SourceHead {
  /// The number of the sheet that is read, from 1; nil of what is no workbook.
  fileprivate var sheetNumber: Int? {
    if case .xlsx(let format) = format, case .numbered(let number) = format.sheet { number } else { nil }
  }
}
