/// How long the stages of a run take, one after the other. Times are seconds of the machine's clock.
package struct StageClock: Sendable {
  private var ended: [StageReport] = []
  private var current: (stage: String, started: Double)?
  private var records: Int?

  /// No stage has begun.
  package init() {}

  /// The stages in the order in which they began; the last may be still running, without its seconds.
  package var reports: [StageReport] {
    ended + (current.map { [StageReport(stage: $0.stage, seconds: nil, records: records)] } ?? [])
  }

  /// The same as if the running stage ended at a time.
  package func reports(endedAt now: Double) -> [StageReport] {
    var clock = self
    clock.stop(at: now)
    return clock.ended
  }

  /// Ends the running stage and begins another.
  package mutating func start(_ stage: String, at now: Double) {
    stop(at: now)
    current = (stage, now)
  }

  /// A stage that was timed elsewhere.
  package mutating func add(_ stage: String, seconds: Double) {
    ended.append(StageReport(stage: stage, seconds: seconds, records: nil))
  }

  /// Ends the running stage.
  package mutating func stop(at now: Double) {
    guard let current else { return }
    ended.append(StageReport(stage: current.stage, seconds: now - current.started, records: records))
    (self.current, records) = (nil, nil)
  }

  /// Says that the running stage had to wait for its turn until a time.
  package mutating func waited(until start: Double) { current?.started = start }

  /// Says how many records went through the running stage.
  package mutating func count(_ count: Int) { records = count }
}
