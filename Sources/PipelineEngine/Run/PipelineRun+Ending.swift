import Definitions
import Host
import PostgreSQL
import Records

/// How a run ends: published, kept, dropped or failed, always with the last words in the ledger.
extension PipelineRun {
  /// Publishes, keeps or drops what has passed, with the ledger's last words in the same transaction.
  func conclude() throws {
    if request.isDryRun || compared != nil {
      if request.isDryRun { try compareWithPublished() }
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

  func register(_ registration: Registration) throws {
    try registration.insert(on: connection)
    try CodeListTable(setting.pipeline)?.update(on: connection)
  }

  func record(ending stage: String? = nil) throws {
    if let stage { clock.stop(stage) }
    report.stages = clock.reports
    try ledger.recordSources(report.sources)
    try ledger.recordGates(report.gates, run: report.run)
    try ledger.recordStages(report.stages, run: report.run)
    try ledger.end(run: report.run, state: report.state, revision: report.revision, error: nil)
  }

  /// Notes a failure and drops what was staged; what cannot be noted any more is found by the next run.
  func fail(_ error: any Error) {
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

  func cleanUp(_ reason: String) throws {
    try connection.transaction {
      try Leftovers.dropStaged(run: report.run, on: connection)
      try ledger.recordSources(report.sources.filter(\.addsUp))
      try ledger.recordGates(report.gates, run: report.run)
      try ledger.recordStages(report.stages, run: report.run)
      try ledger.end(run: report.run, state: report.state, revision: nil, error: reason)
    }
  }
}
