import Host
import PipelineCore
import PostgreSQL
import Synchronization

/// Tries again what a lost connection, or a conflict with another transaction, has undone.
///
/// For what can be done twice only: reading, loading into tables that are made again, transactions that find
/// out whether their COMMIT was done. One of these serves a whole command, on all of its threads; once
/// something has failed for good nothing else is tried again, since the command has failed.
final class Retry: Sendable {
  /// How often each thing is tried again.
  let limit: Int
  private let tell: @Sendable (String) -> Void
  private let used = Atomic<Int>(0)
  private let isSpent = Atomic<Bool>(false)

  /// `tell`: takes a sentence on each new try, on the thread that makes it.
  init(limit: Int, tell: @escaping @Sendable (String) -> Void) {
    self.limit = limit
    self.tell = tell
  }

  /// How often something was tried again so far.
  var count: Int { used.load(ordering: .relaxed) }

  /// Does something, again after a pause where it fails for a reason that may pass.
  ///
  /// - Throws: what the last try threw, and `Interrupted` as soon as the program is asked to end while it
  ///   waits.
  func attempt<Value>(_ body: () throws -> Value) throws -> Value {
    let policy = RetryPolicy.connections(retries: limit)
    do {
      return try policy.run(isStopped: { isSpent.load(ordering: .relaxed) }, report: report) { _ in try body()
      }
    } catch let error as PostgreSQLError where error.transientCause.map(policy.causes.contains) == true {
      isSpent.store(true, ordering: .relaxed)
      throw error
    }
  }

  private func report(_ next: RetryPolicy.NextTry) {
    used.add(1, ordering: .relaxed)
    let reason = (next.error as? PostgreSQLError).map(Retry.reason) ?? "\(next.error)"
    tell("\(reason); trying again in \(tenths(next.pause)) s (\(next.number) of \(limit))")
  }

  /// Counts and tells what was made good before anything had to be tried again.
  func note(_ sentence: String) {
    used.add(1, ordering: .relaxed)
    tell(sentence)
  }

  /// What happened, on one line.
  private static func reason(_ error: PostgreSQLError) -> String {
    switch error {
    case .connectionLost(let reason): "the connection was lost (\(firstLine(reason)))"
    case .connectionFailed(_, let reason): "the server cannot be reached (\(firstLine(reason)))"
    case .server(let server):
      "the server cancelled a transaction (\(server.sqlState), \(server.discreetMessage))"
    case .unexpectedAnswer, .unreadableValue: error.description
    }
  }

  private static func firstLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason is known"
  }

  private func tenths(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
