import Host
import PostgreSQL

/// Threads that each have a connection of their own, for loading several tables at once.
///
/// One thread reads, parses, checks and sends the rows of one COPY; the server's parsing is the limit, so that
/// more than one connection is what gains.
final class StagingWorkers: Sendable {
  private typealias Job = @Sendable (Result<Connection, any Error>) -> Void

  private let jobs = Mailbox<Job?>()
  private let count: Int

  /// Starts `count` threads; each connects when it has its first job.
  init(count: Int, target: ConnectionTarget) {
    self.count = count
    let jobs = jobs
    for _ in 0..<count {
      BackgroundThread.start {
        StagingWorkers.work(jobs, target)
      }
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

  /// Hands tasks over, each to be done on some thread, and goes on. Those that come `first` are done before all
  /// that wait.
  func start<Outcome: Sendable>(
    _ tasks: [@Sendable (Connection) throws -> Outcome], first: Bool = false
  ) -> Pending<Outcome> {
    let pending = Pending<Outcome>(count: tasks.count)
    let new = tasks.enumerated().map { index, task -> Job in
      { connection in pending.answers.put((index, Result { try task(try connection.get()) })) }
    }
    if first {
      jobs.putFirst(new)
    } else {
      for job in new { jobs.put(job) }
    }
    return pending
  }

  private static func work(_ jobs: Mailbox<Job?>, _ target: ConnectionTarget) {
    var open: Connection?
    while let job = jobs.take() {
      let connection = Result { try open ?? connect(target) }
      open = try? connection.get()
      let canceller = open?.canceller
      let key = Interruption.shared.register { canceller?.cancel() }
      job(connection)
      Interruption.shared.unregister(key)
      if open?.isUsable == false { open = nil }
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
