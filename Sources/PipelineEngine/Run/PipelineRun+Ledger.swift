/// What a run tells the ledger as it goes.
extension PipelineRun {
  /// Notes the end of a run that publishes nothing. Where the answer was lost it may have been noted already.
  func noteEnd(_ entry: Ledger.Entry) throws {
    try setting.connections.note { ledger in
      if try ledger.end(entry, state: report.state, revision: report.revision, error: nil) { return }
      guard try ledger.state(of: report.run) == report.state else {
        throw RunError.takenOver(run: report.run)
      }
    }
  }

  /// Ends the stage at work, begins the next, and notes that with all that was found since the last time.
  func begin(_ stage: String) throws {
    clock.start(stage)
    let loaded = report.sources.map(\.loaded)
    let entry = Ledger.Entry(
      run: report.run, stages: clock.reports,
      // Rules may have taken rows out since.
      sources: loaded == notedLoads ? [] : report.sources.filter(\.addsUp), gates: report.gates)
    try setting.connections.note { try $0.note(entry) }
    notedLoads = loaded
  }
}
