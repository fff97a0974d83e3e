import Glibc
import Host
import PipelineEngine
import Reporting
import Synchronization

/// Shows how far a run has come: a line that is written over on a terminal, a line every few seconds elsewhere.
final class ProgressLine: Sendable {
  private let progress: Progress
  private let isLive: Bool
  private let isEnded = Atomic<Bool>(false)
  private let started = Machine.seconds

  /// Starts showing, unless `kind` is `none`.
  init(_ progress: Progress, kind: String?) {
    self.progress = progress
    isLive = kind != "plain" && isatty(STDERR_FILENO) == 1
    if kind != "none" { BackgroundThread.start { [self] in show() } }
  }

  /// Stops showing; the terminal's line is clean again.
  func end() {
    isEnded.store(true, ordering: .relaxed)
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
      let line = "\(progress.subject): \(progress.records.grouped) records read, \(Int(elapsed)) s"
      Output.err(isLive ? "\r\u{1b}[K\(line)" : line + "\n")
    }
  }
}
