public import Host
import Synchronization

/// How far some work has come, to be looked at from another thread while it goes on.
///
/// Work is done in tasks, such as the runs of a command, the views that are refreshed, or migrations; a task
/// has stages, one after the other, and parts, several at once.
///
/// ```swift
/// let work = WorkProgress(of: "sources")
/// let task = work.begin("cms-rvu 2025D")
/// task.enter("stage")
/// let part = task.part("pprrvu", of: 19_800_000)
/// part.begin()
/// part.note(bytes: 65_536, rows: 512, rejects: 0)
/// show(work.state())
/// ```
public final class WorkProgress: Sendable {
  private struct Content {
    var total: Int?
    var ended = 0
    var tasks: [TaskProgress] = []
  }

  /// What its tasks are, in the plural.
  private let noun: String
  private let content = Mutex(Content())

  /// Nothing has begun.
  ///
  /// `noun`: what the tasks are, in the plural: `sources`.
  public init(of noun: String = "sources") { self.noun = noun }

  /// Says how many tasks there are from now on, of which none has begun.
  public func expect(_ count: Int) {
    content.withLock {
      ($0.total, $0.ended) = (count, 0)
    }
  }

  /// Begins a task.
  ///
  /// `run`: its number in the ledger; nil where it has none.
  public func begin(_ name: String, run: Int? = nil) -> TaskProgress {
    let task = TaskProgress(name, run: run, began: Machine.seconds)
    content.withLock { $0.tasks.append(task) }
    return task
  }

  /// Ends a task, which is only counted from then on; nothing where it has ended already.
  public func end(_ task: TaskProgress) {
    content.withLock { content in
      guard let place = content.tasks.firstIndex(where: { $0 === task }) else { return }
      content.tasks.remove(at: place)
      content.ended += 1
    }
  }

  /// Counts tasks that were over in a moment.
  public func pass(_ count: Int) { content.withLock { $0.ended += count } }

  /// Does a task, which has ended when `body` returns or throws.
  /// - Throws: what `body` throws.
  public func doing<Value>(_ name: String, _ body: (TaskProgress) throws -> Value) rethrows -> Value {
    let task = begin(name)
    defer { end(task) }
    return try body(task)
  }

  /// What is so at a time, in seconds of the machine's clock.
  public func state(at now: Double = Machine.seconds) -> WorkState {
    content.withLock { content in
      WorkState(
        noun: noun, total: content.total, ended: content.ended, tasks: content.tasks.map { $0.state(at: now) }
      )
    }
  }
}
