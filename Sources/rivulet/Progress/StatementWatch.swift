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
  private let known = Mutex<[Int: StatementState]>([:])
  private let isEnded = Atomic<Bool>(false)

  /// So often it is looked whether it is time to ask, in seconds.
  private static let tick = 0.1

  /// Starts to watch. Nothing is asked, and there is no connection, before a statement has been at work for
  /// one `pause`, in seconds.
  init(_ work: WorkProgress, on target: ConnectionTarget, every pause: Double) {
    (self.work, self.target, self.pause) = (work, target, pause)
    BackgroundThread.start { [self] in watch() }
  }

  /// What is known now, by the server's processes.
  var statements: [Int: StatementState] { known.withLock { $0 } }

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
      let processes = work.state().processes
      do {
        let found = processes.isEmpty ? [] : try ask(processes, on: &connection)
        let states = found.map { statement in
          let state = StatementState(
            command: statement.command, phase: statement.phase, share: statement.share)
          return (statement.process, state)
        }
        known.withLock { $0 = Dictionary(states) { first, _ in first } }
      } catch {
        known.withLock { $0 = [:] }
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
