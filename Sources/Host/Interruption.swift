import Glibc
import Synchronization

/// The wish of a user or the system that the program end: SIGINT or SIGTERM.
///
/// The first signal runs what was registered (cancelling what servers are doing) and raises a flag that loops
/// look at; the second ends the program at once.
public final class Interruption: Sendable {
  private struct State {
    var next = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let raised = Atomic<Bool>(false)
  /// The terminal's signals are meant for a program that was started.
  private let isLeft = Atomic<Bool>(false)
  private let state = Mutex(State())

  /// Signals come to the whole process, and so there is one of these.
  public static let shared = Interruption()

  private init() {}

  /// The program was asked to end.
  public var isRaised: Bool { raised.load(ordering: .relaxed) }

  /// Does nothing, unless the program was asked to end.
  /// - Throws: ``Interrupted`` once the program was asked to end.
  public func check() throws(Interrupted) {
    if isRaised { throw Interrupted() }
  }

  /// Waits, for as long as the program is not asked to end.
  /// - Throws: ``Interrupted`` once the program was asked to end.
  public func sleep(seconds: Double) throws(Interrupted) {
    let end = Machine.seconds + seconds
    while true {
      try check()
      let left = end - Machine.seconds
      if left <= 0 { return }
      Machine.sleep(seconds: min(left, 0.02))
    }
  }

  /// Has `action` run when the program is asked to end; `unregister` takes the answer. An action registered
  /// too late runs at once.
  public func register(_ action: @escaping @Sendable () -> Void) -> Int {
    let key = state.withLock { state in
      state.next += 1
      state.actions[state.next] = action
      return state.next
    }
    if isRaised { action() }
    return key
  }

  /// Removes a registered action.
  public func unregister(_ key: Int) {
    state.withLock { _ = $0.actions.removeValue(forKey: key) }
  }

  /// Raises the flag and runs what was registered.
  public func raise() {
    // Under the lock, so that a thread that has seen the flag can wait until nothing is cancelled any more.
    state.withLock { state in
      raised.store(true, ordering: .sequentiallyConsistent)
      for action in state.actions.values { action() }
    }
  }

  /// Waits until everything that was registered has been run, so that what is done next is not cancelled.
  public func settle() { state.withLock { _ in } }

  /// Does something while SIGINT is left to the program that has the terminal.
  func leavingSignals<Value>(_ body: () throws -> Value) rethrows -> Value {
    isLeft.store(true, ordering: .sequentiallyConsistent)
    defer { isLeft.store(false, ordering: .sequentiallyConsistent) }
    return try body()
  }

  /// Listens for SIGINT and SIGTERM on a thread of its own. To be called before other threads are made, so
  /// that none of them takes the signals.
  public func listen() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    let listens = BackgroundThread.start { [self, signals] in
      var set = signals
      var signal: Int32 = 0
      var isFirst = true
      while sigwait(&set, &signal) == 0 {
        if signal == SIGINT && isLeft.load(ordering: .sequentiallyConsistent) { continue }
        if !isFirst {
          Output.takeOff()
          _exit(130)
        }
        isFirst = false
        // On another thread: a server that does not answer may keep the thread that wants to cancel something
        // there.
        if !BackgroundThread.start({ self.raise() }) { self.raise() }
      }
    }
    // Nobody would obey them.
    if !listens { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }
}

/// The work was stopped because the program was asked to end.
public struct Interrupted: Error, CustomStringConvertible, Sendable {
  private let state: String

  /// The work was stopped; `state` says what is left of it.
  public init(_ state: String = "what was not done by then is not done at all") { self.state = state }

  /// A sentence for the user.
  public var description: String { "interrupted; " + state }
}
