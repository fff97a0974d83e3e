/// What a run tells the ledger as it goes.
extension PipelineRun {
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
