import Host
import Progress
import Reporting
import Synchronization

/// Shows how far some work has come: lines that are drawn over on a terminal, a line every few seconds
/// elsewhere.
final class ProgressDisplay: Sendable {
  /// How it is shown.
  enum Form: Sendable {
    /// Lines on the terminal of standard error, in its size.
    case live(isColoured: Bool)
    /// Lines of the log.
    case plain

    /// So long nothing is shown at first, in seconds: what is over soon shows nothing.
    var delay: Double {
      switch self {
      case .live: 0.3
      case .plain: 5
      }
    }

    /// How long nothing else is shown then, in seconds.
    var pause: Double {
      switch self {
      case .live: 0.2
      case .plain: 5
      }
    }
  }

  private let work: WorkProgress
  private let form: Form
  private let log: Log
  private let watch: StatementWatch?
  /// Held while something is shown, so that nothing is after the end.
  private let isEnded = Mutex(false)
  private let started = Machine.seconds

  /// So often it is looked whether it is time to show something, in seconds.
  private static let tick = 0.05
  /// A terminal that does not say how large it is.
  private static let usualSize = Terminal.Size(columns: 80, rows: 24)

  /// Starts showing how far some work has come.
  ///
  /// `log`: where lines go that are not drawn over. `watch`: what knows how far the server's statements have
  /// come; nil where no server is at work.
  init(_ work: WorkProgress, as form: Form, log: Log, watch: StatementWatch?) {
    (self.work, self.form, self.log, self.watch) = (work, form, log, watch)
    BackgroundThread.start { [self] in show() }
  }

  /// Stops showing; the terminal is as if nothing had been shown.
  func end() {
    isEnded.withLock { isEnded in
      if case .live = form, !isEnded { Output.show([]) }
      isEnded = true
    }
    watch?.end()
  }

  private func show() {
    var next = form.delay
    while isEnded.withLock({ !$0 }) {
      Machine.sleep(seconds: Self.tick)
      let elapsed = Machine.seconds - started
      guard elapsed >= next else { continue }
      next = elapsed + form.pause
      let state = work.state()
      let statements = watch?.statements(of: state) ?? [:]
      isEnded.withLock { isEnded in
        if isEnded { return }
        switch form {
        case .live(let isColoured):
          let size = Terminal.size(of: .errors) ?? Self.usualSize
          let style = ProgressStyle(
            columns: size.columns, rows: size.rows, isColoured: isColoured, hasBlocks: Terminal.isUTF8)
          Output.show(ProgressText(state, statements: statements, style: style).lines(after: elapsed))
        case .plain:
          if state.tasks.isEmpty { return }
          log.write(ProgressLine.text(state, statements: statements, after: elapsed), level: .info)
        }
      }
    }
  }
}
