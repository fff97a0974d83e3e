import Host
import PostgreSQL
import Synchronization

/// Looks, on a connection of its own, who keeps a session waiting while that tries to get a lock: afterwards the
/// server cannot say it any more.
///
/// There is no connection, and nothing is asked, before a try has lasted for a moment. What cannot be asked is
/// not known: no error of it reaches anybody.
final class LockWatch: Sendable {
  private let target: ConnectionTarget
  private let process: Int
  private let state = Mutex(State())

  private struct State {
    /// When the try began that is under way.
    var started: Double?
    var holder: BlockingSession?
    var isRunning = false
    var isEnded = false
  }

  /// After so long, in seconds, a try may be waiting for a lock.
  private static let waitTimeout = 0.02
  /// The pause between two looks, in seconds, at first and at most.
  private static let pauses = 0.02...0.5

  init(_ connection: Connection) { (target, process) = (connection.target, connection.process) }

  /// Does something that may wait for a lock; where it was not to be had in time, the error says who holds it.
  func naming<Value>(_ body: () throws -> Value) throws -> Value {
    begin()
    defer { state.withLock { $0.started = nil } }
    do {
      return try body()
    } catch MigrationError.failed(let version, let file, let section, let line, var error)
      where error.isLockConflict
    {
      error.lockHolder = holder
      throw MigrationError.failed(version: version, file: file, section: section, line: line, error: error)
    } catch PostgreSQLError.server(var error) where error.isLockConflict {
      error.lockHolder = holder
      throw PostgreSQLError.server(error)
    }
  }

  private var holder: String? { state.withLock { $0.holder?.sentence } }

  /// Ends its thread.
  func end() { state.withLock { $0.isEnded = true } }

  private func begin() {
    let isFirst = state.withLock { state in
      (state.started, state.holder, state.isEnded) = (Machine.seconds, nil, false)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { BackgroundThread.start { [self] in watch() } }
  }

  private func watch() {
    var connection: Connection?
    var pause = Self.pauses.lowerBound
    while goesOn() {
      Machine.sleep(seconds: pause)
      guard let started = state.withLock({ $0.started }), Machine.seconds - started >= Self.waitTimeout else {
        pause = Self.pauses.lowerBound
        continue
      }
      pause = min(pause * 1.5, Self.pauses.upperBound)
      do {
        let open = try connection ?? Connection(to: target, settings: "SET statement_timeout = '2s'")
        connection = open
        guard let holder = try BlockingSession.of(process, on: open) else { continue }
        state.withLock { if $0.started == started { $0.holder = holder } }
      } catch {
        // It is not tried again: the server may have no connection to spare.
        return
      }
    }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.isRunning = !state.isEnded
      return state.isRunning
    }
  }
}
