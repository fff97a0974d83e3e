import Glibc
import Host
import Synchronization

/// Shows how far a run or a download has come: a line that is written over on a terminal, a line every few
/// seconds elsewhere.
final class ProgressLine: Sendable {
  private let state: @Sendable () -> String
  private let isLive: Bool
  private let isEnded = Atomic<Bool>(false)
  private let started = Machine.seconds

  /// Starts showing how far something has come, unless `kind` is `none`.
  init(kind: String?, _ state: @escaping @Sendable () -> String) {
    self.state = state
    isLive = kind != "plain" && isatty(STDERR_FILENO) == 1
    if kind != "none" { BackgroundThread.start { [self] in show() } }
  }

  /// Stops showing; the terminal's line is clean again.
  func end() {
    guard !isEnded.exchange(true, ordering: .relaxed) else { return }
    if isLive { Output.err("\r\u{1b}[K") }
  }

  private func show() {
    let pause = isLive ? 0.2 : 5.0
    var next = pause
    while !isEnded.load(ordering: .relaxed) {
      Machine.sleep(seconds: 0.1)
      let elapsed = Machine.seconds - started
      guard elapsed >= next, !isEnded.load(ordering: .relaxed) else { continue }
      next += pause
      let line = "\(state()), \(Int(elapsed)) s"
      Output.err(isLive ? "\r\u{1b}[K\(line)" : line + "\n")
    }
  }
}
