import Definitions
import PipelineCore
import Records
import Store

/// Decides where a bundle's rows go, by what the ledger says, and finds the run that has brought them there
/// already.
struct DestinationChoice {
  private let found: Discovered
  private let targets: [String]
  private let setting: EngineSetting
  private let ledger: Ledger

  init(_ found: Discovered, targets: [String], setting: EngineSetting, _ ledger: Ledger) {
    (self.found, self.targets, self.setting, self.ledger) = (found, targets, setting, ledger)
  }

  private var pipeline: Pipeline { setting.pipeline }
  private var request: RunRequest { found.plan.request }

  /// The destination.
  /// - Throws: ``RunError`` where the rows must not be merged now, or at all.
  func choose() throws -> (Destination, earlier: Ledger.Published?) {
    try ReleaseStore(connection: try setting.connections.main).requireOwner(of: targets)
    if case .release(let release) = found.plan.content {
      let earlier = try known { content, digest in
        try ledger.published(
          content, by: digest, as: release, targets: targets, pipeline: pipeline,
          amends: found.plan.entries.contains { $0.source.amendment != nil }, replays: found.corrected?.run)
      }
      return (.release(release), earlier)
    }
    guard request.publishes else { throw RunError.mergesAtOnce(pipeline: pipeline.name) }
    for target in targets.compactMap({ setting.targets[$0] }) where target.hidesRows {
      throw RunError.policiesHold(target: target.name)
    }
    return try found.plan.period.map(changes) ?? plainTables()
  }

  /// The run that has brought the same content, by the files on disk; else by their entries alone, which are
  /// read for it only where the ledger knows such of all their sizes.
  private func known(
    _ ask: (_ content: Set<String>, _ digest: ContentDigest) throws -> Ledger.Published?
  ) throws -> Ledger.Published? {
    if request.isForced { return nil }
    func content(_ digest: ContentDigest) throws -> Set<String> {
      Set(zip(found.plan.entries, try found.digests(digest)).map { "\($0.source.name) \($1)" })
    }
    if let same = try ask(try content(.file), .file) { return same }
    guard try knowsSizes() else { return nil }
    var same = try ask(try content(.entry), .entry)
    same?.isWrappedOtherwise = true
    return same
  }

  private func knowsSizes() throws -> Bool {
    guard let sizes = try found.sizes() else { return false }
    return try ledger.knowsEntries(ofSizes: sizes, pipeline: pipeline.name)
  }

  private func plainTables() throws -> (Destination, earlier: Ledger.Published?) {
    if let rival = try ledger.rival(of: pipeline.name, targets: targets) {
      throw RunError.mergedByOthers(target: rival.target, pipeline: rival.pipeline)
    }
    let earlier = try known { content, digest in
      try ledger.merged(content, by: digest, targets: targets, pipeline: pipeline)
    }
    return (.tables, earlier)
  }

  private func changes(of period: Period) throws -> (Destination, earlier: Ledger.Published?) {
    let named = request.release.map(pipeline.release.spelled)
    guard let base = try ledger.publishedRelease(of: pipeline.name, named: named) else {
      throw RunError.nothingToChange(pipeline: pipeline.name, release: named)
    }
    if let lacking = targets.first(where: { !base.targets.contains($0) }) {
      throw RunError.lacksTable(release: base.identity.name, target: lacking)
    }
    let sequence = try ledger.periods(of: base, pipeline: pipeline)
    var offers = try offers(.file)
    let isKnown = request.isForced || sequence.repeats(period, offers) != nil
    if !isKnown, try knowsSizes() { offers = try self.offers(.file, .entry) }
    let verdict = try sequence.judge(
      period, offers, allowsGap: request.allowsGap, isForced: request.isForced)
    let destination = Destination.changes(period, of: base)
    guard case .repeated(let run) = verdict else { return (destination, nil) }
    var earlier = Ledger.Published(run: run, revision: base.revision)
    earlier.isWrappedOtherwise = !isKnown
    return (destination, earlier)
  }

  /// What the bundle brings of each source, by digests of some kinds.
  private func offers(_ kinds: ContentDigest...) throws -> [PeriodSequence.Offer] {
    func digests(_ kind: ContentDigest) throws -> [String: Set<String>] {
      guard kinds.contains(kind) else { return [:] }
      return zip(found.plan.entries, try found.digests(kind)).reduce(into: [:]) {
        $0[$1.0.source.name, default: []].insert($1.1)
      }
    }
    let (files, entries) = (try digests(.file), try digests(.entry))
    return found.plan.bySource.map { source, _ in
      PeriodSequence.Offer(
        source: source.name, fileHashes: files[source.name, default: []].sorted(),
        entryHashes: entries[source.name, default: []].sorted())
    }
  }
}
