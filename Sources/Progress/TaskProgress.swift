import Host
import Synchronization

/// How far one task has come: its stages, and what is done at once in the one at work.
public final class TaskProgress: Sendable {
  private struct Content {
    var name: String
    /// The stages that have ended, with the seconds that each took.
    var stages: [StageState] = []
    var stage: (name: String, began: Double)?
    var parts: [PartProgress] = []
    var step: StepState?
    var processes: [Int] = []
  }

  private let run: Int?
  private let began: Double
  private let content: Mutex<Content>

  init(_ name: String, run: Int?, began: Double) {
    self.run = run
    self.began = began
    content = Mutex(Content(name: name))
  }

  /// Gives it another name, as more is known of it.
  public func rename(_ name: String) { content.withLock { $0.name = name } }

  /// Ends the stage at work and begins another; nothing where that is the one at work.
  public func enter(_ stage: String) {
    let now = Machine.seconds
    content.withLock { content in
      if let last = content.stage {
        if last.name == stage { return }
        content.stages.append(StageState(name: last.name, seconds: now - last.began))
      }
      content.stage = (stage, now)
      content.step = nil
    }
  }

  /// Adds a part, which waits for its turn.
  ///
  /// `total`: how many bytes it has; nil where nobody knows.
  public func part(_ name: String, of total: Int? = nil) -> PartProgress {
    let part = PartProgress(name, of: total)
    content.withLock { $0.parts.append(part) }
    return part
  }

  /// Says which of several steps the stage is at; nil for one that has no steps.
  public func step(_ step: StepState?) { content.withLock { $0.step = step } }

  /// Says that so many more of the steps are done.
  public func stepForward() { content.withLock { $0.step?.number += 1 } }

  /// Names the processes of the server that are at work on it, whose statements tell how far they have come.
  public func ask(_ processes: [Int]) { content.withLock { $0.processes = processes } }

  func state(at now: Double) -> TaskState {
    content.withLock { content in
      let running = content.stage.map {
        StageState(name: $0.name, seconds: now - $0.began)
      }
      return TaskState(
        name: content.name, run: run, stages: content.stages + [running].compactMap(\.self),
        step: content.step,
        seconds: now - began, parts: content.parts.map { $0.state(at: now) }, processes: content.processes)
    }
  }
}
