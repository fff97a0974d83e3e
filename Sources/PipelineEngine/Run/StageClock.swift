import Host

/// How long the stages of a run take, one after the other.
final class StageClock {
  private var ended: [StageReport] = []
  private var current: (stage: String, started: Double)?
  private var records: Int?

  /// The stages in the order in which they began; the last may be still at work, without its seconds.
  var reports: [StageReport] {
    ended + (current.map { [StageReport(stage: $0.stage, seconds: nil, records: records)] } ?? [])
  }

  /// The same as if the stage at work ended now.
  var endedReports: [StageReport] {
    reports.map { stage in
      guard stage.seconds == nil, let current else { return stage }
      return StageReport(
        stage: stage.stage, seconds: Machine.seconds - current.started, records: stage.records)
    }
  }

  /// Ends the stage at work and begins another.
  func start(_ stage: String) {
    stop()
    current = (stage, Machine.seconds)
  }

  /// A stage that was timed elsewhere.
  func add(_ stage: String, seconds: Double) {
    ended.append(StageReport(stage: stage, seconds: seconds, records: nil))
  }

  /// Ends the stage at work.
  func stop() {
    guard let current else { return }
    ended.append(
      StageReport(stage: current.stage, seconds: Machine.seconds - current.started, records: records))
    (self.current, records) = (nil, nil)
  }

  /// Says that the stage at work has had to wait for its turn until then, by ``Machine/seconds``.
  func waited(until start: Double) { current?.started = start }

  /// Says how many records went through the stage at work.
  func count(_ count: Int) { records = count }
}
