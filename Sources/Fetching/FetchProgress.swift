import Progress
import Synchronization

/// Tells how far a download has come: each page and file is a task of its own.
final class FetchProgress: Sendable {
  /// What can be looked at from another thread.
  let work = WorkProgress(of: "files")
  private let current = Mutex<(task: TaskProgress, part: PartProgress, hasBegun: Bool)?>(nil)

  /// Begins a page or a file, and ends the one before.
  func begin(_ name: String) {
    let task = work.begin("fetch")
    let part = task.part(name)
    current.withLock { current in
      if let current { work.end(current.task) }
      current = (task, part, false)
    }
  }

  /// Says how many bytes are there; `total` is nil where the server does not say.
  func at(_ bytes: Int, of total: Int?) {
    current.withLock { current in
      guard let part = current?.part else { return }
      part.expect(total)
      // What an earlier try has left says nothing of the speed.
      if current?.hasBegun == false { part.begin(at: bytes) }
      current?.hasBegun = true
      part.note(bytes: bytes)
    }
  }
}
