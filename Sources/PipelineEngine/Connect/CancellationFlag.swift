import PipelineCore
import Synchronization

/// Says that the loads of a run are no longer wanted: one of them has failed, or a run of the same command.
final class CancellationFlag: Sendable {
  private let isSet = Atomic<Bool>(false)

  /// Cancels them.
  func set() { isSet.store(true, ordering: .relaxed) }

  /// - Throws: ``RunError/cancelled`` once they are cancelled.
  func check() throws(RunError) {
    if isSet.load(ordering: .relaxed) { throw .cancelled }
  }
}
