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
    if case .release(let release) = found.plan.content {
      let earlier =
        request.isForced
        ? nil
        : try ledger.published(
          found.hashedSources, as: release, targets: targets, pipeline: pipeline,
          amends: found.plan.entries.contains { $0.source.amendment != nil }, replays: found.corrected?.run)
      return (.release(release), earlier)
    }
    guard request.publishes else { throw RunError.mergesAtOnce(pipeline: pipeline.name) }
    for target in targets.compactMap({ setting.targets[$0] }) where target.hidesRows {
      throw RunError.policiesHold(target: target.name)
    }
    return try found.plan.period.map(changes) ?? plainTables()
  }

  private func plainTables() throws -> (Destination, earlier: Ledger.Published?) {
    if let rival = try ledger.rival(of: pipeline.name, targets: targets) {
      throw RunError.mergedByOthers(target: rival.target, pipeline: rival.pipeline)
    }
    let earlier =
      request.isForced ? nil : try ledger.merged(found.hashedSources, targets: targets, pipeline: pipeline)
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
    let offers = found.plan.bySource.map { source, entries in
      PeriodSequence.Offer(
        source: source.name,
        fileHashes: Set(entries.map { found.files.hashes[$0.entry.entry.path] ?? "" }).sorted())
    }
    let verdict = try ledger.periods(of: base, pipeline: pipeline).judge(
      period, offers, allowsGap: request.allowsGap, isForced: request.isForced)
    let destination = Destination.changes(period, of: base)
    guard case .repeated(let run) = verdict else { return (destination, nil) }
    return (destination, Ledger.Published(run: run, revision: base.revision))
  }
}
