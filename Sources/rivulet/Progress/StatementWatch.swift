import Host
import PostgreSQL
import Progress
import Synchronization

/// Asks the server now and then, on a connection of its own, how far the statements of some work have come.
///
/// What cannot be asked is not shown: no error of it reaches anybody, and a server that does not answer keeps
/// nothing waiting.
final class StatementWatch: Sendable {
  private let work: WorkProgress
  private let target: ConnectionTarget
  private let pause: Double
  private let known = Mutex(Known())
  private let isEnded = Atomic<Bool>(false)

  /// What the server said, and what was being done when it was asked.
  private struct Known {
    var steps: [String] = []
    var statements: [Int: StatementState] = [:]
  }

  /// So often it is looked whether it is time to ask, in seconds.
  private static let tick = 0.1

  /// Starts to watch. Nothing is asked, and there is no connection, before a statement has been at work for
  /// one `pause`, in seconds.
  init(_ work: WorkProgress, on target: ConnectionTarget, every pause: Double) {
    (self.work, self.target, self.pause) = (work, target, pause)
    BackgroundThread.start { [self] in watch() }
  }

  /// What is known of the statements of some state, by the server's processes; nothing where it was at
  /// something else when that was asked.
  func statements(of state: WorkState) -> [Int: StatementState] {
    known.withLock { $0.steps == Self.steps(of: state) ? $0.statements : [:] }
  }

  /// What the tasks are at.
  private static func steps(of state: WorkState) -> [String] {
    state.tasks.map { "\($0.name) \($0.stages.last?.name ?? "") \($0.step?.number ?? 0)" }
  }

  /// Stops watching.
  func end() { isEnded.store(true, ordering: .relaxed) }

  private var isOver: Bool { isEnded.load(ordering: .relaxed) || Interruption.shared.isRaised }

  private func watch() {
    var connection: Connection?
    var next = Machine.seconds + pause
    while !isOver {
      Machine.sleep(seconds: Self.tick)
      guard Machine.seconds >= next, !isOver else { continue }
      next = Machine.seconds + pause
      let state = work.state()
      let processes = state.processes
      do {
        let found = processes.isEmpty ? [] : try ask(processes, on: &connection)
        let statements = found.map { statement in
          let said = StatementState(
            command: statement.command, phase: statement.phase, share: statement.share)
          return (statement.process, said)
        }
        let answer = Known(
          steps: Self.steps(of: state), statements: Dictionary(statements) { first, _ in first })
        known.withLock { $0 = answer }
      } catch {
        known.withLock { $0 = Known() }
        return
      }
    }
  }

  private func ask(
    _ processes: [Int], on connection: inout Connection?
  ) throws(PostgreSQLError) -> [StatementProgress] {
    let open =
      if let connection { connection } else {
        try Connection(to: target, settings: StatementProgress.settings)
      }
    connection = open
    return try StatementProgress.of(processes, on: open)
  }
}
