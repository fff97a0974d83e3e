import Definitions
import Host
import PostgreSQL
import Records

/// One run of a pipeline on one source: begun, it loads; finished, it is checked and published.
final class PipelineRun {
  /// What all runs of an engine share.
  struct Setting {
    let pipeline: Pipeline
    let connections: PipelineConnections
    let workers: StagingWorkers
    let progress: Progress
    let programVersion: String
    let targets: [String: TargetTable]
    /// Where connections for child tables go.
    let target: ConnectionTarget
    let lockWait: Double

    /// The main connection, which publishes.
    var connection: Connection { get throws { try connections.main } }
  }

  let setting: Setting
  let found: Discovered
  let destination: Destination
  let tables: [String: StagedTable]
  /// What the bundle amends, where it holds nothing else.
  let amended: AmendedRelease?
  let clock = StageClock()
  let began = Machine.seconds
  var report: RunReport
  /// The published run of the same content, which is loaded again only to be compared.
  var compared: Ledger.Published?
  /// The loads of the sources, in the order in which they are begun.
  var loaders: [SourceLoader] = []
  /// The loads at work; nil where there is nothing to load.
  var staging: StagingWorkers.Pending<SourceLoader.Outcome>?
  /// Said where the loads are not wanted any more.
  let abandonment = Abandonment()
  /// The copies of amended tables at work.
  var copies: StagingWorkers.Pending<Void>?

  /// The rows loaded, by source, as they were noted last.
  var notedLoads: [Int] = []
  /// The renewals of the main connection after which the run was found to be still its own.
  var knownRenewals: Int
  var request: RunRequest { found.request }

  /// Notes the run in the ledger and starts to load, unless the same content is published already.
  init(_ found: Discovered, setting: Setting) throws {
    self.setting = setting
    let connection = try setting.connection
    knownRenewals = setting.connections.renewals
    let ledger = Ledger(connection: connection)
    let pipeline = setting.pipeline
    var found = found
    // The same content has the same size.
    if try ledger.knowsFile(ofSizes: found.unhashed.values.map(\.size), pipeline: pipeline.name) {
      try found.hashAll()
    }
    self.found = found
    clock.add("discover", seconds: found.seconds)
    amended = try AmendedRelease(of: found, pipeline: pipeline, on: connection)
    let emptyTargets = found.emptySources(of: pipeline).flatMap {
      [$0.target] + pipeline.childTargets(of: $0)
    }
    let targets = found.targets + (amended?.tables.map(\.target) ?? []) + emptyTargets
    // What is published already can be compared only when it is loaded again.
    var earlier: Ledger.Published?
    (destination, earlier) = try Self.destination(of: found, targets: targets, setting: setting, ledger)
    if case .release(let release) = destination {
      if let other = try ledger.owner(of: release.name, targets: targets, besides: pipeline.name) {
        throw RunError.releaseOfAnother(release: release.name, pipeline: other.pipeline, target: other.target)
      }
      try found.replay?.requireBase(unless: earlier != nil)
      if !found.request.isForced && earlier == nil && found.replay == nil {
        let hidden = try ledger.publishedTargets(of: release.name, pipeline: pipeline.name)
          .filter { !targets.contains($0.target) || emptyTargets.contains($0.target) && $0.rows > 0 }.map(
            \.target)
        guard hidden.isEmpty else { throw RunError.wouldHide(release: release.name, targets: hidden) }
        if !found.isAmendment, let day = try ledger.mergedUntil(release.name, pipeline: pipeline.name) {
          throw RunError.wouldLoseChanges(release: release.name, until: day)
        }
        try Self.requireLatest(found, of: release, pipeline, ledger)
      }
    }
    let (release, merges) = (destination.release?.name, destination.isMerge)
    if found.request.crossChecks { (compared, earlier) = (earlier, nil) }
    if earlier == nil { clock.start("stage") }
    let beginning = Ledger.Beginning(
      pipeline: pipeline.name, release: release, definitionHash: pipeline.definitionHash,
      programVersion: setting.programVersion, replays: found.replay?.run,
      sources: earlier == nil
        ? found.entries.map { ($0.entry, found.fileHashes[$0.entry.entry.path] ?? "") } : [],
      stages: clock.reports)
    let (run, sourceFileIDs) = try setting.connections.note { try $0.begin(beginning) }
    report = RunReport(
      run: run, pipeline: pipeline.name, release: release, revision: earlier?.revision,
      state: earlier == nil ? .running : .unchanged)
    report.warnings = found.warnings
    tables = Dictionary(
      targets.compactMap { setting.targets[$0] }.map {
        (
          $0.name,
          merges
            ? found.staged($0, release: release, run: run)
            : StagedTable(target: $0, release: release, run: run)
        )
      }, uniquingKeysWith: { first, _ in first })
    do {
      if let earlier {
        report.sources = try Ledger(connection: connection).sources(ofRun: earlier.run)
      } else {
        try startLoading(sourceFileIDs)
      }
    } catch {
      _ = fail(error)
      throw RunFailure(report: report, cause: error)
    }
  }

  /// Refuses a file whose place a later one has taken already.
  private static func requireLatest(
    _ found: Discovered, of release: ReleaseIdentity, _ pipeline: Pipeline, _ ledger: Ledger
  ) throws {
    for entry in found.bundle.entries {
      guard let number = entry.source.number(of: entry.entry.name) else { continue }
      let published = try ledger.publishedEntries(
        of: entry.source.name, release: release.name, pipeline: pipeline.name)
      guard let later = published.first(where: { entry.source.number(of: $0) ?? -1 > number }) else {
        continue
      }
      throw RunError.earlierFile(release: release.name, entry: entry.entry.name, published: later)
    }
  }

  /// Waits for the rows, judges them and publishes. On a throw nothing is left of the run but its line in the
  /// ledger.
  func finish() throws -> RunReport {
    let retriesBefore = setting.connections.retry.count
    func measure() {
      report.seconds = found.seconds + Machine.seconds - began
      report.retries = setting.connections.retry.count - retriesBefore
    }
    setting.progress.begin([report.pipeline, report.release].compactMap(\.self).joined(separator: " "))
    do {
      if let staging {
        var outcomes = try collect(staging)
        try judge(&outcomes)
        try Interruption.shared.check()
        try conclude()
      } else {
        try confirm()
      }
    } catch RunError.publishBlocked(let pipeline, let release) {
      measure()
      throw RunFailure(
        report: report, cause: RunError.publishBlocked(pipeline: pipeline, release: release))
    } catch {
      let cause = explained(error)
      measure()
      // The answer to the COMMIT may be all that was lost.
      guard fail(cause) else { throw RunFailure(report: report, cause: cause) }
    }
    measure()
    try requireIntended()
    return report
  }

  /// Throws ``RunError/publishBlocked(pipeline:release:)`` where the release was to be published and is only kept.
  private func requireIntended() throws {
    guard request.publishes, report.state == .staged else { return }
    throw RunFailure(
      report: report,
      cause: RunError.publishBlocked(pipeline: report.pipeline, release: report.release ?? ""))
  }

  /// Ends a run whose content is published already.
  private func confirm() throws {
    // Their table may have been emptied, or made anew by a migration.
    if !request.isDryRun { try CodeListTable(setting.pipeline)?.update(on: connection) }
    try noteEnd(Ledger.Entry(run: report.run))
    report.stages = clock.reports
  }

  /// Drops what was loaded because an earlier source of the same command failed.
  func giveUp() {
    abandonment.say()
    _ = staging?.wait()
    _ = copies?.wait()
    _ = fail(RunError.givenUp)
  }
}

/// A run that began and did not end well: what it was, and why.
public struct RunFailure: Error {
  /// As far as it got.
  public let report: RunReport
  /// Why.
  public let cause: any Error
}
