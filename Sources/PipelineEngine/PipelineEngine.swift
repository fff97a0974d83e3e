public import Definitions
public import Host
public import PostgreSQL
import Records
import Values

/// What a run is asked to do.
public struct RunRequest: Sendable {
  /// The file, archive or folder to load.
  public var source: String
  /// The release, where the user names it.
  public var release: String?
  /// Publish what passes; otherwise it stays staged.
  public var publishes = true
  /// Do everything but publish, and leave nothing behind.
  public var isDryRun = false
  /// Run even if the same content is published already.
  public var isForced = false
  /// Publish a bundle that lacks some of the pipeline's tables.
  public var allowsMissing = false
  /// How many records may be refused, in place of the pipeline's own limit.
  public var rejectLimit: RejectLimit?
  /// How long to wait for another run of the pipeline, in seconds.
  public var lockWait = 0.0

  /// A run of one source with the pipeline's own settings.
  public init(source: String) { self.source = source }
}

/// Runs a pipeline: discover, stage, check, publish.
///
/// It keeps its connections, so that many sources are loaded one after the other without connecting anew.
public final class PipelineEngine {
  private let pipeline: Pipeline
  private let target: ConnectionTarget
  private let connection: Connection
  private let workers: StagingWorkers
  private let interruption: Interruption
  private let programVersion: String
  /// How far the run at work has come.
  public let progress = Progress()
  private var targets: [String: TargetTable] = [:]

  /// - Parameters:
  ///   - connection: for the ledger, the gates and publishing.
  ///   - target: where the connections that load rows go; the same database.
  public init(
    pipeline: Pipeline, connection: Connection, target: ConnectionTarget, interruption: Interruption,
    programVersion: String
  ) {
    self.pipeline = pipeline
    self.connection = connection
    self.target = target
    self.interruption = interruption
    self.programVersion = programVersion
    workers = StagingWorkers(count: 2, target: target, interruption: interruption)
  }

  /// Runs the pipeline on one source.
  public func run(_ found: Discovered) throws -> RunReport {
    let request = found.request
    progress.begin("\(pipeline.name) \(found.release.name)")
    let clock = StageClock()
    clock.add("discover", seconds: found.seconds)
    let lock = RunLock.name(pipeline.name)
    guard try connection.acquireLock(lock, waiting: request.lockWait) else {
      throw RunError.busy(pipeline: pipeline.name)
    }
    defer { _ = try? connection.releaseLock(lock) }
    try Leftovers.clearUnfinished(pipeline: pipeline.name, on: connection)
    try prepareTargets(found)
    let ledger = Ledger(connection: connection)
    if !request.isForced, let earlier = try ledger.published(found, pipeline: pipeline) {
      return try unchanged(found, earlier, clock, ledger)
    }
    let run = try ledger.begin(
      pipeline: pipeline.name, release: found.release.name, definitionHash: pipeline.definitionHash,
      programVersion: programVersion)
    var report = RunReport(
      run: run, pipeline: pipeline.name, release: found.release.name, revision: nil, state: .running)
    do {
      try perform(request, found, clock, ledger, &report)
      return report
    } catch {
      fail(&report, error, clock, ledger)
      throw RunFailure(report: report, cause: error)
    }
  }

  // MARK: Stages

  private func perform(
    _ request: RunRequest, _ found: Discovered, _ clock: StageClock, _ ledger: Ledger,
    _ report: inout RunReport
  ) throws {
    let tables = found.stagedTables(targets: targets, run: report.run)
    let ids = try ledger.addSources(found.bundle.entries, run: report.run, fileHashes: found.fileHashes)
    var outcomes = try clock.measure("stage") { try stage(found, tables, ids) }
    report.sources = outcomes.map(\.report)
    clock.count("stage", report.sources.reduce(0) { $0 + $1.read })
    for outcome in outcomes {
      try ledger.keepRejects(outcome.rejects, sourceFileID: outcome.report.sourceFileID)
    }
    try requireFewRejects(outcomes, request.rejectLimit ?? pipeline.rejects)
    let gates = Gates(pipeline: pipeline, tables: tables, connection: connection, workers: workers)
    report.gates = try clock.measure("check") { try gates.judge(&outcomes) }
    report.sources = outcomes.map(\.report)
    let failed = report.gates.filter { !$0.passed }
    guard failed.isEmpty else { throw RunError.gatesFailed(failed) }
    for source in report.sources where !source.addsUp {
      throw RunError.countsDoNotAddUp(
        source: source.source, read: source.read, loaded: source.loaded, rejected: source.rejected,
        skipped: source.skipped)
    }
    try interruption.check()
    try finish(request, found, tables, clock, ledger, &report)
  }

  private func stage(_ found: Discovered, _ tables: [String: StagedTable], _ ids: [Int]) throws
    -> [SourceLoader.Outcome]
  {
    let interruption = interruption
    let progress = progress
    let loaders = zip(found.bundle.entries, ids).compactMap { entry, id -> SourceLoader? in
      guard let head = found.heads[entry.source.name], let table = tables[entry.source.target] else {
        return nil
      }
      return SourceLoader(
        entry: entry, head: head, table: table, sourceFileID: id, interruption: interruption,
        progress: progress)
    }
    // The largest first, so that no thread is left with it at the end.
    let order = loaders.indices.sorted {
      (loaders[$0].entry.entry.size ?? 0) > (loaders[$1].entry.entry.size ?? 0)
    }
    let results = workers.run(
      order.map { index in
        let loader = loaders[index]
        return { connection in (index, try loader.load(on: connection)) }
      })
    var outcomes: [Int: SourceLoader.Outcome] = [:]
    for result in results {
      let (index, outcome) = try result.get()
      outcomes[index] = outcome
    }
    return loaders.indices.compactMap { outcomes[$0] }
  }

  private func requireFewRejects(_ outcomes: [SourceLoader.Outcome], _ limit: RejectLimit) throws {
    let rejected = outcomes.reduce(0) { $0 + $1.report.rejected }
    let read = outcomes.reduce(0) { $0 + $1.report.read }
    let areKept = outcomes.allSatisfy { $0.report.rejected <= SourceLoader.keptRejects }
    guard limit.allows(rejected: rejected, of: read), areKept else {
      throw RunError.tooManyRejects(
        rejected: rejected, read: read, limit: limit.description,
        examples: Array(outcomes.flatMap(\.examples).prefix(10)))
    }
  }

  /// Publishes, keeps or drops what has passed, with the ledger's last words in the same transaction.
  private func finish(
    _ request: RunRequest, _ found: Discovered, _ tables: [String: StagedTable], _ clock: StageClock,
    _ ledger: Ledger, _ report: inout RunReport
  ) throws {
    if request.isDryRun {
      for table in tables.values { try table.drop(on: connection) }
      report.state = .dryRun
      try connection.transaction { try record(&report, clock, ledger) }
      return
    }
    let publisher = Publisher(connection: connection, pipeline: pipeline.name)
    let revision = Publisher.Revision(
      release: found.release.name, revision: try publisher.nextRevision(of: found.release.name))
    report.revision = revision.revision
    let registration = Registration(
      revision: revision, pipeline: pipeline.name, dates: found.release.dates,
      missing: found.bundle.missing.map(\.target), run: report.run,
      tables: report.sources.compactMap { source in
        pipeline.source(named: source.source).flatMap { tables[$0.target] }.map { ($0, source.loaded) }
      })
    clock.start("publish")
    if request.publishes {
      report.state = .published
      var final = report
      try publisher.publish(
        revision, first: { try registration.insert(on: connection) },
        also: {
          clock.stop("publish")
          try record(&final, clock, ledger)
        })
      report = final
    } else {
      report.state = .staged
      try connection.transaction {
        try registration.insert(on: connection)
        clock.stop("publish")
        try record(&report, clock, ledger)
      }
    }
  }

  private func record(_ report: inout RunReport, _ clock: StageClock, _ ledger: Ledger) throws {
    report.stages = clock.reports
    try ledger.recordSources(report.sources)
    try ledger.recordGates(report.gates, run: report.run)
    try ledger.recordStages(report.stages, run: report.run)
    try ledger.end(run: report.run, state: report.state, revision: report.revision, error: nil)
  }

  // MARK: Ends

  private func unchanged(
    _ found: Discovered, _ earlier: Ledger.Published, _ clock: StageClock, _ ledger: Ledger
  ) throws -> RunReport {
    let run = try ledger.begin(
      pipeline: pipeline.name, release: found.release.name, definitionHash: pipeline.definitionHash,
      programVersion: programVersion)
    var report = RunReport(
      run: run, pipeline: pipeline.name, release: found.release.name, revision: earlier.revision,
      state: .unchanged)
    report.sources = try ledger.sources(ofRun: earlier.run)
    report.stages = clock.reports
    try ledger.end(run: run, state: .unchanged, revision: earlier.revision, error: nil)
    return report
  }

  /// Notes a failure and drops what was staged; whatever cannot be noted any more is found by the next run.
  private func fail(_ report: inout RunReport, _ error: any Error, _ clock: StageClock, _ ledger: Ledger) {
    if interruption.isRaised {
      report.state = .interrupted
    } else {
      report.state = (error as? RunError)?.isRefusal == true ? .refused : .failed
    }
    report.revision = nil
    report.stages = clock.reports
    let final = report
    // Server messages may quote values, so that the ledger gets their code only.
    let reason =
      (error as? RunError)?.ledgerText ?? (error as? PostgreSQLError)?.sqlState ?? "\(type(of: error))"
    _ = try? connection.transaction {
      try Leftovers.dropStaged(run: final.run, on: connection)
      try ledger.recordSources(final.sources.filter(\.addsUp))
      try ledger.recordGates(final.gates, run: final.run)
      try ledger.recordStages(final.stages, run: final.run)
      try ledger.end(run: final.run, state: final.state, revision: nil, error: reason)
    }
  }

  private func prepareTargets(_ found: Discovered) throws {
    for entry in found.bundle.entries where targets[entry.source.target] == nil {
      let target = try TargetTable(entry.source.target, on: connection)
      guard
        target.indexes.contains(where: {
          $0.isUnique && Set($0.columns) == Set(["release"] + entry.source.key)
        })
      else { throw RunError.keyMismatch(target: target.name, key: entry.source.key) }
      targets[entry.source.target] = target
    }
    for entry in found.bundle.entries {
      let known = targets[entry.source.target]?.columns ?? []
      let unknown = (found.heads[entry.source.name]?.layout.columns ?? []).map(\.name).filter {
        !known.contains($0)
      }
      guard unknown.isEmpty else {
        throw RunError.unknownColumns(target: entry.source.target, columns: unknown)
      }
    }
  }
}

/// A run that began and did not end well: what it was, and why.
public struct RunFailure: Error {
  /// As far as it got.
  public let report: RunReport
  /// Why.
  public let cause: any Error
}
