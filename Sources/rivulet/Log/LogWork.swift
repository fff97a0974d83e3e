import Progress
import Synchronization

/// What the program is at, as the log hears it from the thread that does it.
final class LogWork: Sendable {
  private struct Content {
    var pipeline: String?
    var progress: WorkProgress?
  }

  private let content = Mutex(Content())

  /// The pipeline from now on; nil for none.
  func enter(pipeline: String?) { content.withLock { $0.pipeline = pipeline } }

  /// The work whose tasks are meant from now on; nil for none.
  func enter(_ progress: WorkProgress?) { content.withLock { $0.progress = progress } }

  /// What is so now.
  var subject: LogSubject {
    let (pipeline, progress) = content.withLock { ($0.pipeline, $0.progress) }
    return LogSubject(pipeline: pipeline, progress?.state())
  }
}
