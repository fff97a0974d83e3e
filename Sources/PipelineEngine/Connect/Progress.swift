import PipelineCore
import Synchronization

/// How far a run has come, to be looked at from another thread while it goes on.
public final class Progress: Sendable {
  private let read = Atomic<Int>(0)
  private let release = Mutex("")

  /// Nothing has been read.
  public init() {}

  /// Records read so far, over all sources of the run at work.
  public var records: Int { read.load(ordering: .relaxed) }

  /// What is being loaded: the pipeline and the release.
  public var subject: String { release.withLock { $0 } }

  func begin(_ subject: String) {
    release.withLock { $0 = subject }
    read.store(0, ordering: .relaxed)
  }

  func add(_ records: Int) { read.add(records, ordering: .relaxed) }
}
