import Host
import PipelineCore
import PostgreSQL

/// Threads that each have a connection of their own, for loading several tables at once.
///
/// One thread reads, parses, checks and sends the rows of one COPY; the server's parsing is the limit, so
/// that more than one connection is what gains. Tasks must be such as can be done twice: where one loses its
/// connection it is begun again on another.
final class StagingWorkers: Sendable {
  private typealias Job = @Sendable (_ connection: () throws -> Connection) -> Void

  private let jobs = Mailbox<Job?>()
  /// How many there are; none where the system has no thread to give.
  private let count: Int
  private let target: ConnectionTarget
  private let retry: Retry

  /// Starts `count` threads; each connects when it has its first job.
  init(count: Int, target: ConnectionTarget, retry: Retry) {
    self.target = target
    self.retry = retry
    let jobs = jobs
    self.count = (0..<count).count { _ in
      BackgroundThread.start { StagingWorkers.work(target) { jobs.take() } }
    }
  }

  deinit { for _ in 0..<count { jobs.put(nil) } }

  /// Tasks that were handed over and whose outcomes are still to come.
  struct Pending<Outcome: Sendable>: Sendable {
    fileprivate let answers = Mailbox<(Int, Result<Outcome, any Error>)>()
    fileprivate let count: Int

    /// Waits for all of them and gives their outcomes in the order of the tasks.
    func wait() -> [Result<Outcome, any Error>] {
      var outcomes: [Int: Result<Outcome, any Error>] = [:]
      while outcomes.count < count {
        let (index, outcome) = answers.take()
        outcomes[index] = outcome
      }
      return (0..<count).compactMap { outcomes[$0] }
    }
  }

  /// Hands tasks over, each to be done on some thread, and goes on; without a thread they are done here. Those
  /// that come `first` are done before all that wait. `onFailure` is called for each that fails for good.
  func start<Outcome: Sendable>(
    _ tasks: [@Sendable (Connection) throws -> Outcome], first: Bool = false,
    onFailure: @escaping @Sendable () -> Void = {}
  ) -> Pending<Outcome> {
    let pending = Pending<Outcome>(count: tasks.count)
    let new = tasks.enumerated().map { [retry] index, task -> Job in
      { connection in
        let outcome = Result {
          try retry.attempt {
            try Interruption.shared.check()
            let connection = try connection()
            return try connection.cancelledWhenInterrupted { try task(connection) }
          }
        }
        if case .failure = outcome { onFailure() }
        pending.answers.put((index, outcome))
      }
    }
    if count == 0 {
      var rest = new[...]
      StagingWorkers.work(target) { rest.popFirst() }
    } else if first {
      jobs.putFirst(new)
    } else {
      for job in new { jobs.put(job) }
    }
    return pending
  }

  /// Does jobs one after the other until there is none, on one connection for as long as it is usable.
  private static func work(_ target: ConnectionTarget, _ next: () -> Job?) {
    var open: Connection?
    while let job = next() {
      job {
        if let open, open.isUsable, !open.isLost { return open }
        let connection = try connect(target)
        open = connection
        return connection
      }
    }
  }

  /// A connection for loading rows.
  static func connect(_ target: ConnectionTarget) throws -> Connection {
    let connection = try Connection(to: target)
    // What is staged becomes durable with the publishing commit, which flushes all that was written before.
    try connection.execute("SET synchronous_commit = off; SET lock_timeout = '10s'")
    return connection
  }
}

extension Connection {
  /// Does something whose statements are cancelled when the program is asked to end.
  func cancelledWhenInterrupted<Value>(_ body: () throws -> Value) rethrows -> Value {
    try [self].cancelledWhenInterrupted(body)
  }
}

extension [Connection] {
  /// Does something whose statements, on whichever of the connections, are cancelled when the program is
  /// asked to end.
  func cancelledWhenInterrupted<Value>(_ body: () throws -> Value) rethrows -> Value {
    let cancellers = map(\.canceller)
    let key = Interruption.shared.register { for canceller in cancellers { canceller.cancel() } }
    defer { Interruption.shared.unregister(key) }
    return try body()
  }
}
