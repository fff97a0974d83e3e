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
  init(count: Int, target: ConnectionTarget, interruption: Interruption) {
    self.count = count
    let jobs = jobs
    for _ in 0..<count {
      BackgroundThread.start {
        StagingWorkers.work(jobs, target, interruption)
      }
    }
  }

  deinit { for _ in 0..<count { jobs.put(nil) } }

  /// Runs every task on some thread and gives their outcomes in the order of the tasks.
  func run<Outcome: Sendable>(
    _ tasks: [@Sendable (Connection) throws -> Outcome]
  ) -> [Result<Outcome, any Error>] {
    let answers = Mailbox<(Int, Result<Outcome, any Error>)>()
    for (index, task) in tasks.enumerated() {
      jobs.put { connection in
        answers.put((index, Result { try task(try connection.get()) }))
      }
    }
    var outcomes: [Int: Result<Outcome, any Error>] = [:]
    while outcomes.count < tasks.count {
      let (index, outcome) = answers.take()
      outcomes[index] = outcome
    }
    return tasks.indices.compactMap { outcomes[$0] }
  }

  private static func work(_ jobs: Mailbox<Job?>, _ target: ConnectionTarget, _ interruption: Interruption) {
    var open: Connection?
    while let job = jobs.take() {
      let connection = Result { try open ?? connect(target) }
      open = try? connection.get()
      let canceller = open?.canceller
      let key = interruption.register { canceller?.cancel() }
      job(connection)
      interruption.unregister(key)
      if open?.isUsable == false { open = nil }
    }
  }

  private static func connect(_ target: ConnectionTarget) throws -> Connection {
    let connection = try Connection(to: target)
    // What is staged becomes durable with the publishing commit, which flushes all that was written before.
    try connection.execute("SET synchronous_commit = off; SET client_connection_check_interval = '2s'")
    return connection
  }
}
