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
      try setting.connections.retry.attempt {
        for table in tables.values { try table.drop(on: try connection) }
      }
      report.state = request.isDryRun ? .dryRun : .unchanged
      report.revision = request.isDryRun ? nil : compared?.revision
      clock.stop()
      report.stages = clock.endedReports
      return try noteEnd(
        Ledger.Entry(
          run: report.run, stages: report.stages, sources: report.sources, gates: report.gates))
    }
    if destination.isMerge { return try concludeMerge() }
    try countChange()
    try begin("publish")
    let counts = try tables.sorted { $0.key < $1.key }.map { ($1, try rows(of: $0, in: $1)) }
    try setting.connections.retry.attempt {
      if try isConcluded() { return }
      try publish(counts, on: try connection)
    }
    clock.stop()
    report.stages = clock.reports
  }

  /// Registers the release and puts it in sight, where that is asked for, in one transaction.
  private func publish(_ rows: [(StagedTable, Int)], on connection: Connection) throws {
    guard case .release(let release) = destination else { return }
    let publisher = Publisher(
      connection: connection, pipeline: report.pipeline, lockWait: setting.lockWait)
    let revision = Publisher.Revision(
      release: release.name, revision: try publisher.nextRevision(of: release.name))
    let registration = Registration(
      revision: revision, pipeline: report.pipeline, dates: release.dates,
      holdsTo: try BundleContent.held(in: found.bundle, pipeline: setting.pipeline),
      missing: setting.pipeline.lackedTargets(by: Array(tables.keys)), run: report.run, tables: rows,
      copied: amended?.tables.map(\.partition) ?? [])
    let ledger = Ledger(connection: connection)
    report.revision = revision.revision
    func keep() throws {
      report.state = .staged
      try connection.transaction {
        try register(registration, on: connection)
        try publisher.markStaged(revision)
        try record(on: ledger)
      }
    }
    guard request.publishes else { return try keep() }
    report.state = .published
    do {
      try publisher.publish(
        revision, first: { try register(registration, on: connection) },
        also: {
          try record(on: ledger)
          try Interruption.shared.check()
        })
    } catch ReleaseOperationError.blocked {
      // What was loaded and checked is kept, for another try that needs no loading.
      try keep()
      throw RunError.publishBlocked(pipeline: report.pipeline, release: release.name)
    }
  }

  private func register(_ registration: Registration, on connection: Connection) throws {
    try registration.insert(on: connection)
    try CodeListTable(setting.pipeline)?.update(on: connection)
  }

  /// Writes the run's last words, and once more all that was noted on the way: a crash of the server may have taken back what
  /// nobody waited for. A run that is not at work any more, since another took it for dead, must not publish.
  func record(on ledger: Ledger) throws {
    report.stages = clock.endedReports
    let entry = Ledger.Entry(
      run: report.run, stages: report.stages, sources: report.sources, gates: report.gates,
      change: report.change)
    guard try ledger.end(entry, state: report.state, revision: report.revision, error: nil) else {
      throw RunError.takenOver(run: report.run)
    }
  }

  /// Notes a failure and drops what was staged; what cannot be noted any more is found by the next run.
  ///
  /// True where the run has been published after all.
  func fail(_ error: any Error) -> Bool {
    let intended = (state: report.state, revision: report.revision, merges: report.merges)
    let refusal = error as? RunError
    report.state =
      Interruption.shared.isRaised
      ? .interrupted : refusal?.isRefusal ?? (error as? RecordsError)?.isRefusal ?? false ? .refused : .failed
    report.revision = nil
    report.merges = []
    report.stages = clock.reports
    Interruption.shared.settle()
    let reason = Ledger.reason(error)
    let entry = Ledger.Entry(
      run: report.run, stages: report.stages, sources: report.sources.filter(\.addsUp), gates: report.gates)
    // By its content a file is known again that is refused.
    let hashes = report.state == .refused ? (try? found.hashesPutOff) ?? [:] : [:]
    // A COMMIT that is still under way is waited for here, and what is noted here keeps a later one from being done.
    let isNoted = try? setting.connections.noteAtOnce { ledger in
      try ledger.note(hashes, run: report.run)
      if try ledger.end(entry, state: report.state, revision: nil, error: reason) { return true }
      return try ledger.state(of: report.run) != intended.state
    }
    if isNoted == false, [.published, .staged, .merged].contains(intended.state) {
      (report.state, report.revision, report.merges) = intended
      return true
    }
    for _ in 0..<2 where (try? dropStaged()) != nil { return false }
    return false
  }

  private func dropStaged() throws {
    let connection = try setting.connection
    try connection.transaction { try Leftovers.dropStaged(run: report.run, on: connection) }
  }
}
