import Host
import Synchronization

/// Shows how far a run or a download has come: a line that is written over on a terminal, a line every few
/// seconds elsewhere.
final class ProgressLine: Sendable {
  private let state: @Sendable () -> String
  private let isLive: Bool
  /// Held while something is shown, so that nothing is after the end.
  private let isEnded = Mutex(false)
  private let started = Machine.seconds

  /// Starts showing how far something has come, unless `kind` is `none`.
  init(kind: String?, _ state: @escaping @Sendable () -> String) {
    self.state = state
    isLive = kind != "plain" && Terminal.has(.errors)
    if kind != "none" { BackgroundThread.start { [self] in show() } }
  }

  /// Stops showing; the terminal's line is clean again.
  func end() {
    isEnded.withLock { isEnded in
      if !isEnded, isLive { Output.show("") }
      isEnded = true
    }
  }

  private func show() {
    let pause = isLive ? 0.2 : 5.0
    var next = pause
    while isEnded.withLock({ !$0 }) {
      Machine.sleep(seconds: 0.1)
      let elapsed = Machine.seconds - started
      guard elapsed >= next else { continue }
      next += pause
      let line = "\(state()), \(Int(elapsed)) s"
      isEnded.withLock { isEnded in
        if isEnded { return }
        if isLive { Output.show(line) } else { Output.err(line + "\n") }
      }
    }
  }
}
