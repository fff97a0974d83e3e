import Definitions
import Host
import PostgreSQL
import Records

/// One run of a pipeline on one source: begun, it loads; finished, it is checked and published.
final class PipelineRun {
  /// What all runs of an engine share.
  struct Setting {
    let pipeline: Pipeline
    let connection: Connection
    let workers: StagingWorkers
    let progress: Progress
    let programVersion: String
    let targets: [String: TargetTable]
    /// Where connections for child tables go.
    let target: ConnectionTarget
    let lockWait: Double

    var ledger: Ledger { Ledger(connection: connection) }
  }

  private let setting: Setting
  private let found: Discovered
  private let tables: [String: StagedTable]
  /// What the bundle amends, where it holds nothing else.
  private let amended: AmendedRelease?
  private let clock = StageClock()
  private let began = Machine.seconds
  private var report: RunReport
  /// The published run of the same content, which is loaded again only to be compared.
  private var compared: Ledger.Published?
  /// The loads at work; nil where there is nothing to load.
  private var staging: StagingWorkers.Pending<SourceLoader.Outcome>?
  /// The copies of amended tables at work.
  private var copies: StagingWorkers.Pending<Void>?

  private var ledger: Ledger { setting.ledger }
  private var connection: Connection { setting.connection }
  private var request: RunRequest { found.request }

  /// Notes the run in the ledger and starts to load, unless the same content is published already.
  init(_ found: Discovered, setting: Setting) throws {
    self.found = found
    self.setting = setting
    let ledger = setting.ledger
    let pipeline = setting.pipeline
    clock.add("discover", seconds: found.seconds)
    amended =
      found.isAmendment
      ? try AmendedRelease(found.release.name, pipeline: pipeline, on: setting.connection) : nil
    let targets = found.targets + (amended?.tables.map(\.target) ?? [])
    // What is published already can be compared only when it is loaded again.
    var earlier =
      found.request.isForced ? nil : try ledger.published(found, targets: targets, pipeline: pipeline)
    if !found.request.isForced && earlier == nil {
      let hidden = try ledger.publishedTargets(of: found.release.name, pipeline: pipeline.name)
        .filter { !targets.contains($0) }
      guard hidden.isEmpty else { throw RunError.wouldHide(release: found.release.name, targets: hidden) }
      try Self.requireLatest(found, pipeline, ledger)
    }
    if found.request.crossChecks { (compared, earlier) = (earlier, nil) }
    let run = try ledger.begin(
      pipeline: pipeline.name, release: found.release.name, definitionHash: pipeline.definitionHash,
      programVersion: setting.programVersion)
    report = RunReport(
      run: run, pipeline: pipeline.name, release: found.release.name, revision: earlier?.revision,
      state: earlier == nil ? .running : .unchanged)
    tables = Dictionary(
      targets.compactMap { setting.targets[$0] }.map {
        ($0.name, StagedTable(target: $0, release: found.release.name, run: run))
      }, uniquingKeysWith: { first, _ in first })
    if let earlier {
      report.sources = try ledger.sources(ofRun: earlier.run)
    } else {
      try startLoading()
    }
  }

  /// Refuses a file whose place a later one has taken already.
  private static func requireLatest(_ found: Discovered, _ pipeline: Pipeline, _ ledger: Ledger) throws {
    for entry in found.bundle.entries {
      guard let number = entry.source.number(of: entry.entry.name) else { continue }
      let published = try ledger.publishedEntries(
        of: entry.source.name, release: found.release.name, pipeline: pipeline.name)
      guard let later = published.first(where: { entry.source.number(of: $0) ?? -1 > number }) else {
        continue
      }
      throw RunError.earlierFile(release: found.release.name, entry: entry.entry.name, published: later)
    }
  }

  /// Waits for the rows, judges them and publishes. On a throw nothing is left of the run but its line in the
  /// ledger.
  func finish() throws -> RunReport {
    guard let staging else {
      report.stages = clock.reports
      report.seconds = found.seconds + Machine.seconds - began
      // Their table may have been emptied, or made anew by a migration.
      if !request.isDryRun { try CodeListTable(setting.pipeline)?.update(on: connection) }
      try ledger.end(run: report.run, state: report.state, revision: report.revision, error: nil)
      return report
    }
    setting.progress.begin("\(report.pipeline) \(found.release.name)")
    do {
      var outcomes = try collect(staging)
      try judge(&outcomes)
      try Interruption.shared.check()
      try conclude()
      report.seconds = found.seconds + Machine.seconds - began
      return report
    } catch {
      if report.state != .staged { fail(error) }
      throw RunFailure(report: report, cause: error)
    }
  }

  /// Drops what was loaded because an earlier source of the same command failed.
  func giveUp() {
    _ = staging?.wait()
    fail(RunError.givenUp)
  }

  // MARK: Stages

  private func startLoading() throws {
    let loaders = try found.bySource.compactMap { source, entries -> SourceLoader? in
      let ids = try ledger.addSources(
        entries.map(\.entry), run: report.run, fileHashes: found.fileHashes)
      guard let table = tables[source.target] else { return nil }
      return SourceLoader(
        source: source, entries: Array(zip(entries, ids)), table: table,
        children: entries[0].head.layout.children.compactMap { tables[$0.target] },
        lists: setting.pipeline.lists, progress: setting.progress, target: setting.target)
    }
    // The largest first, so that no thread is left with it at the end.
    let order = loaders.sorted { $0.size > $1.size }
    clock.start("stage")
    let copied = amended?.tables.compactMap { table in
      tables[table.target].map { TableCopy(from: table, to: $0) }
    }
    copies = copied.map { copied in
      setting.workers.start(copied.map { copy in { connection in try copy.run(on: connection) } })
    }
    staging = setting.workers.start(
      order.map { loader in { connection in try loader.load(on: connection) } })
  }

  private func collect(_ staging: StagingWorkers.Pending<SourceLoader.Outcome>) throws
    -> [SourceLoader.Outcome]
  {
    let results = staging.wait()
    try copies?.wait().forEach { try $0.get() }
    clock.stop("stage")
    let outcomes = try results.map { try $0.get() }
      .sorted { ($0.reports.first?.sourceFileID ?? 0) < ($1.reports.first?.sourceFileID ?? 0) }
    report.sources = outcomes.flatMap(\.reports)
    for source in report.sources where source.entry == nil && source.sha256 != found.fileHashes[source.file] {
      throw RunError.sourceChanged(source.file)
    }
    clock.count("stage", report.sources.reduce(0) { $0 + $1.read })
    for (id, rejects) in outcomes.flatMap(\.rejects) {
      try ledger.keepRejects(rejects, sourceFileID: id)
    }
    return outcomes
  }

  /// Lets the rows of amending sources do to the other tables what their definition says.
  private func amend() throws {
    for (source, _) in found.bySource {
      guard let amendment = source.amendment else { continue }
      let sql = amendment.sql { Quote.qualified(tables[$0]?.name ?? $0) }
      do {
        try connection.transaction { _ = try connection.execute(sql) }
      } catch let error as PostgreSQLError where !error.isCancellation {
        guard case .server(let server) = error else { throw error }
        throw RunError.checkFailed(
          rule: amendment.name, file: amendment.file, reason: server.discreetMessage)
      }
    }
  }

  /// How many rows the staged tables have; where something was amended the server must count them.
  private func rows(of target: String, in table: StagedTable) throws -> Int {
    guard found.bySource.contains(where: { $0.source.amendment != nil }) else {
      return report.sources.reduce(0) { $0 + ($1.targets[target] ?? 0) }
    }
    return try connection.query("SELECT count(*) FROM \(Quote.qualified(table.name))")[0].value(0)
  }

  private func judge(_ outcomes: inout [SourceLoader.Outcome]) throws {
    try requireFewRejects(outcomes)
    // Tables without their keys are refused by the gates. What the bundle has is compared before it is amended.
    let haveKeys = outcomes.allSatisfy { $0.duplicateKeys.values.allSatisfy { $0 == 0 } }
    if request.crossChecks, haveKeys {
      let checker = CrossChecker(run: report.run, release: found.release.name, setting: setting)
      report.crossChecks = try clock.measure("cross-check") { try checker.compare(found, with: tables) }
    }
    if haveKeys { try amend() }
    let gates = Gates(
      pipeline: setting.pipeline, tables: tables, connection: connection, workers: setting.workers)
    report.gates =
      CrossChecker.gates(report.crossChecks) + (try clock.measure("check") { try gates.judge(&outcomes) })
    report.sources = outcomes.flatMap(\.reports)
    let failed = report.gates.filter { !$0.passed }
    guard failed.isEmpty else { throw RunError.gatesFailed(failed) }
    for source in report.sources where !source.addsUp {
      throw RunError.countsDoNotAddUp(
        source: source.source, read: source.read, loaded: source.loaded, rejected: source.rejected,
        skipped: source.skipped)
    }
  }

  private func requireFewRejects(_ outcomes: [SourceLoader.Outcome]) throws {
    let limit = request.rejectLimit ?? setting.pipeline.rejects
    let rejected = report.sources.reduce(0) { $0 + $1.rejected }
    let read = report.sources.reduce(0) { $0 + $1.read }
    guard limit.allows(rejected: rejected, of: read), outcomes.allSatisfy(\.areRejectsKept) else {
      throw RunError.tooManyRejects(
        rejected: rejected, read: read, limit: limit.description,
        examples: Array(outcomes.flatMap(\.examples).prefix(10)))
    }
  }

  // MARK: Ends

  /// Publishes, keeps or drops what has passed, with the ledger's last words in the same transaction.
  private func conclude() throws {
    if request.isDryRun || compared != nil {
      for table in tables.values { try table.drop(on: connection) }
      report.state = request.isDryRun ? .dryRun : .unchanged
      report.revision = request.isDryRun ? nil : compared?.revision
      return try connection.transaction { try record() }
    }
    let publisher = Publisher(
      connection: connection, pipeline: report.pipeline, lockWait: setting.lockWait)
    let revision = Publisher.Revision(
      release: found.release.name, revision: try publisher.nextRevision(of: found.release.name))
    let registration = Registration(
      revision: revision, pipeline: report.pipeline, dates: found.release.dates,
      missing: setting.pipeline.lackedTargets(by: Array(tables.keys)), run: report.run,
      tables: try tables.sorted { $0.key < $1.key }.map { ($1, try rows(of: $0, in: $1)) })
    report.revision = revision.revision
    report.state = request.publishes ? .published : .staged
    clock.start("publish")
    if request.publishes {
      do {
        try publisher.publish(
          revision, first: { try register(registration) },
          also: { try record(ending: "publish") })
      } catch let error as PostgreSQLError where error.isLockTimeout {
        // What was loaded and checked is kept, for another try that needs no loading.
        report.state = .staged
        try connection.transaction {
          try register(registration)
          try record(ending: "publish")
        }
        throw RunError.publishBlocked(pipeline: report.pipeline, release: found.release.name)
      }
    } else {
      try connection.transaction {
        try register(registration)
        try record(ending: "publish")
      }
    }
  }

  private func register(_ registration: Registration) throws {
    try registration.insert(on: connection)
    try CodeListTable(setting.pipeline)?.update(on: connection)
  }

  private func record(ending stage: String? = nil) throws {
    if let stage { clock.stop(stage) }
    report.stages = clock.reports
    try ledger.recordSources(report.sources)
    try ledger.recordGates(report.gates, run: report.run)
    try ledger.recordStages(report.stages, run: report.run)
    try ledger.end(run: report.run, state: report.state, revision: report.revision, error: nil)
  }

  /// Notes a failure and drops what was staged; what cannot be noted any more is found by the next run.
  private func fail(_ error: any Error) {
    let refusal = error as? RunError
    report.state =
      Interruption.shared.isRaised
      ? .interrupted : refusal?.isRefusal ?? (error as? RecordsError)?.isRefusal ?? false ? .refused : .failed
    report.revision = nil
    report.stages = clock.reports
    Interruption.shared.settle()
    // Server messages may quote values, so that the ledger gets their code only.
    let reason =
      refusal?.ledgerText ?? (error as? RecordsError)?.ledgerText ?? (error as? PostgreSQLError)?.sqlState
      ?? "\(type(of: error))"
    for _ in 0..<2 where (try? cleanUp(reason)) != nil { return }
  }

  private func cleanUp(_ reason: String) throws {
    try connection.transaction {
      try Leftovers.dropStaged(run: report.run, on: connection)
      try ledger.recordSources(report.sources.filter(\.addsUp))
      try ledger.recordGates(report.gates, run: report.run)
      try ledger.recordStages(report.stages, run: report.run)
      try ledger.end(run: report.run, state: report.state, revision: nil, error: reason)
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
