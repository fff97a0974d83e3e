import Host

/// How long the stages of a run take.
final class StageClock {
  private var order: [String] = []
  private var started: [String: Double] = [:]
  private var seconds: [String: Double] = [:]
  private var records: [String: Int] = [:]

  /// The stages that have ended, in the order in which they began.
  var reports: [StageReport] {
    order.compactMap { stage in
      seconds[stage].map { StageReport(stage: stage, seconds: $0, records: records[stage]) }
    }
  }

  func start(_ stage: String) {
    order.append(stage)
    started[stage] = Machine.seconds
  }

  /// A stage that was timed elsewhere.
  func add(_ stage: String, seconds: Double) {
    order.append(stage)
    self.seconds[stage] = seconds
  }

  func stop(_ stage: String) {
    if let start = started[stage] { seconds[stage] = Machine.seconds - start }
  }

  func count(_ stage: String, _ count: Int) { records[stage] = count }

  func measure<Value>(_ stage: String, _ body: () throws -> Value) rethrows -> Value {
    start(stage)
    defer { stop(stage) }
    return try body()
  }
}
