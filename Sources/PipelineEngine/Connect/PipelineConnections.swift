import Definitions
import Host
import PipelineCore
import PostgreSQL
import Store

/// The connections of a command that moves releases: the main one, which holds the pipeline's lock, judges
/// and publishes, and one for the ledger, so that what is recorded stays when a transaction of the main one
/// does not.
///
/// Either is made again when it is lost.
final class PipelineConnections {
  let retry: Retry
  /// How often the main connection had to be made again.
  private(set) var renewals = 0
  /// How often another server answered a new connection: a standby that was promoted, or a restored copy.
  private(set) var failovers = 0
  /// The timeline of the server that was connected to last; nil where it has not given one.
  private var timeline: String?
  private var current: Connection
  /// The new tries by the time that a connection was last made again.
  private var retriesKnown = 0
  /// The key under which ``current`` is cancelled; nil while its maker sees to that.
  private var interruptionKey: Int?
  private var ofLedger: Connection?
  /// The pipeline whose lock is held.
  private var locked: String?

  /// So long the server gets to end a session of ours whose connection was lost.
  private static let renewalTimeout = 10.0

  init(_ connection: Connection, retry: Retry) {
    current = connection
    self.retry = retry
  }

  deinit { if let interruptionKey { Interruption.shared.unregister(interruptionKey) } }

  /// The main connection, made again where it was lost while nothing was asked of it.
  var main: Connection {
    get throws {
      if current.isLost {
        let isUnreported = isLossUnreported
        try retry.attempt { try renew() }
        if isUnreported {
          retry.note("the connection was lost while nothing was asked of it, and was made again")
        }
        retriesKnown = retry.count
      }
      return current
    }
  }

  /// Whether nothing was reported of a lost connection: what has to be tried again because of one reports it.
  private var isLossUnreported: Bool { retry.count == retriesKnown }

  // MARK: The lock

  /// Takes the lock that keeps other runs of the pipeline away; false where one did not end in time.
  ///
  /// Throws ``RunError/behindPooler`` where the session's lock would be anybody's.
  func lock(_ pipeline: String, waiting seconds: Double) throws -> Bool {
    let connection = try main
    if try TransactionPooler.isBehind(connection) { throw RunError.behindPooler }
    guard try connection.acquireLock(RunLock.name(pipeline), waiting: max(seconds, Connection.leastLockWait))
    else {
      return false
    }
    try Self.requireDurability(on: connection)
    timeline = connection.timeline
    locked = pipeline
    return true
  }

  /// Gives the lock back; where that is not possible the end of the connection does it.
  func unlock() {
    if let locked { try? current.releaseLock(RunLock.name(locked)) }
    locked = nil
  }

  /// Connects again and takes the lock again, which proves that the session of the lost connection has ended,
  /// and with it whatever it was doing.
  private func renew() throws {
    let connection = try current.another()
    try connection.execute("SET lock_timeout = '10s'")
    try Self.requireDurability(on: connection)
    if let locked { try takeLock(of: locked, on: connection) }
    noteFailover(to: connection)
    if let interruptionKey { Interruption.shared.unregister(interruptionKey) }
    let canceller = connection.canceller
    interruptionKey = Interruption.shared.register { canceller.cancel() }
    current = connection
    renewals += 1
  }

  /// Another server may lack what was committed last on the one before it.
  private func noteFailover(to connection: Connection) {
    guard let found = connection.timeline else { return }
    if let timeline, timeline != found { failovers += 1 }
    timeline = found
  }

  /// Has each commit reach the disk where the server is set not to wait for that.
  ///
  /// A run goes on after a crash of the server: what it has taken out of a staged table must not be back
  /// then, and that it is at work must still be recorded.
  private static func requireDurability(on connection: Connection) throws {
    try connection.execute(
      "SELECT set_config('synchronous_commit', 'local', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
  }

  private func takeLock(of pipeline: String, on connection: Connection) throws {
    let name = RunLock.name(pipeline)
    let deadline = Machine.seconds + Self.renewalTimeout
    while try !connection.acquireLock(name) {
      guard Machine.seconds < deadline else { throw RunError.busy(pipeline: pipeline) }
      // The server may not know yet that nobody is there any more.
      try connection.endHolder(of: name, process: current.backendID)
      Machine.sleep(seconds: 0.05)
    }
  }

  // MARK: Rights

  /// Does something with the tables of a pipeline, and says whose rights are missing where it may not.
  func namingRights<Value>(of pipeline: Pipeline, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw missingRights(behind: error, of: pipeline) ?? error
    }
  }

  /// Whose rights are missing behind an error; nil where it is another.
  func missingRights(behind error: any Error, of pipeline: Pipeline) -> MissingRights? {
    let targets = pipeline.sources.flatMap { pipeline.childTargets(of: $0) + [$0.target] }
    let schemas = Set(targets.map { String($0.prefix { $0 != "." }) }).union(["rivulet"])
    return (error as? PostgreSQLError).flatMap {
      current.missingRights(behind: $0, in: schemas.sorted(), unlessCalling: "rivulet.owner_stage_table")
    }
  }

  // MARK: The ledger

  /// Writes to the ledger, again where that fails for a reason that may pass. What is written must come out
  /// the same when it is written twice.
  func record<Value>(_ body: (Ledger) throws -> Value) throws -> Value {
    try retry.attempt { try body(try ledger()) }
  }

  /// The same for the last words of a run that has failed: at once, and once more on a new connection.
  func recordAtOnce<Value>(_ body: (Ledger) throws -> Value) throws -> Value {
    do {
      return try body(try ledger())
    } catch let error as PostgreSQLError where error.isTransient {
      return try body(try ledger())
    }
  }

  private func ledger() throws -> Ledger {
    if let ofLedger {
      if !ofLedger.isLost { return Ledger(connection: ofLedger) }
      if isLossUnreported { retry.note("the ledger's connection was lost, and is made again") }
      retriesKnown = retry.count
    }
    let connection = try current.another()
    // Nothing that it writes waits for a transaction of ours; and what somebody else locks must not hold up
    // the end.
    try connection.execute("SET lock_timeout = '5s'")
    try Self.requireDurability(on: connection)
    noteFailover(to: connection)
    ofLedger = connection
    return Ledger(connection: connection)
  }
}
