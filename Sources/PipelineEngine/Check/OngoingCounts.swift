import Host
import PipelineCore
import Synchronization

/// The counts over staged tables that are at work for a run. They end before the tables go, and where one of
/// them fails nobody waits for those that have not begun, behind the loads of another run.
final class OngoingCounts: Sendable {
  private let state = Mutex((running: 0, isOver: false))

  /// Counts; throws ``RunError/cancelled`` after the end.
  func run<Value>(_ count: () throws -> Value) throws -> Value {
    try state.withLock { state in
      if state.isOver { throw RunError.cancelled }
      state.running += 1
    }
    defer { state.withLock { $0.running -= 1 } }
    return try count()
  }

  /// Lets none begin any more, and waits for those that have.
  func end() {
    state.withLock { $0.isOver = true }
    while state.withLock({ $0.running > 0 }) { Machine.sleep(seconds: 0.005) }
  }
}
