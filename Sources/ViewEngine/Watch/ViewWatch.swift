import Catalog
import Definitions
import Host
public import PostgreSQL

/// Keeps stored views up to date as what they read changes.
///
/// It looks for what waits to be computed, refreshes that, pauses, and looks again. Where nothing has waited for
/// a while it sleeps until a session that writes wakes it: ``WatchSignal``.
public final class ViewWatch {
  private var engine: ViewEngine
  private let reading: () throws -> ViewEngine
  private let names: [String]
  private let pause: Double
  private var tries = WatchTries()
  /// When everything that is wanted was exact last, or a change may have come, by `Machine.seconds`; nil where
  /// that is not known.
  private var exactAt: Double?
  private var hasBegun = false
  /// Rows taken off the queues of each view since the space of these was given back.
  private var taken: [String: Int] = [:]
  /// A view of the round at work was left to somebody else.
  private var isHeldUp = false

  /// After so many rounds without anything to do it sleeps.
  private static let roundsBeforeSleep = 4
  /// So long it pauses at least where it cannot sleep, in seconds.
  private static let pauseWithoutSleep = 0.5
  /// So many waiting rows are counted of views that have failed, to see whether others have come.
  private static let countedRows = 1000

  /// - Parameters:
  ///   - names: the stored views that are wanted, with those that they read; all where there is none.
  ///   - pause: between two rounds, in seconds: what is written meanwhile is computed together.
  ///   - reading: reads the definitions; again where those of the database have become others.
  /// - Throws: what `reading` throws.
  public init(
    _ names: [String], pause: Double, reading: @escaping () throws -> ViewEngine
  ) throws {
    self.names = names
    self.pause = pause
    self.reading = reading
    engine = try reading()
  }

  /// Watches, until the program is asked to end or something is wrong; what was known of failures stays for
  /// another call on a new connection.
  /// - Parameters:
  ///   - connection: one that nobody else uses.
  ///   - program: what its session is called.
  ///   - lockWait: how long somebody else may still watch, in seconds.
  ///   - report: hears what happens.
  /// - Throws: `Interrupted`, in the end; ``WatchedByOther``; ``RefreshError/behindPooler``;
  ///   `Catalog.Problem`, `MissingRights`, and `PostgreSQLError`, also where the connection is lost.
  public func run(
    on connection: Connection, as program: String, lockWait: Double, report: (WatchEvent) -> Void
  ) throws {
    try begin(on: connection, as: program, lockWait: lockWait)
    defer {
      Interruption.shared.settle()
      try? connection.releaseLock(WatchSignal.watching)
    }
    let canSleep = try connection.query("SELECT current_setting('max_prepared_transactions') = '0'")[0]
      .value(0, Bool.self)
    try tellBeginning(on: connection, report)
    exactAt = nil
    var idleRounds = 0
    while true {
      try Interruption.shared.check()
      let isIdle = try round(on: connection, report)
      idleRounds = isIdle ? idleRounds + 1 : 0
      report(.rested)
      if !canSleep || idleRounds <= Self.roundsBeforeSleep {
        try Interruption.shared.sleep(seconds: canSleep ? pause : max(pause, Self.pauseWithoutSleep))
      } else if try sleep(on: connection) {
        idleRounds = 0
      }
    }
  }

  // MARK: Beginning

  private func begin(on connection: Connection, as program: String, lockWait: Double) throws {
    try Catalog.prepare(connection)
    if try TransactionPooler.isBehind(connection) { throw RefreshError.behindPooler }
    try connection.query("SELECT set_config('application_name', $1, false)", [.text(program)])
    guard try connection.acquireLock(WatchSignal.watching, waiting: max(lockWait, Connection.leastLockWait))
    else {
      throw WatchedByOther(holder: try Self.session(on: connection))
    }
    try connection.listen(to: WatchSignal.channel)
  }

  private func tellBeginning(on connection: Connection, _ report: (WatchEvent) -> Void) throws {
    let made = try RegisteredView.all(on: connection, lookingAtState: false).filter(\.value.isStored)
    let wanted =
      names.isEmpty ? Set(made.keys) : ViewGraph(made).closure(of: names, ViewGraph(made).read(by:))
    report(.began(views: wanted.filter { made[$0] != nil }.count))
    if hasBegun { return }
    hasBegun = true
    let defined = names.isEmpty ? engine.definitions.filter(\.isStored).map(\.name) : names
    for name in defined.sorted() where made[name] == nil {
      report(.failed(name, RefreshError.outOfStep(name)))
    }
  }

  // MARK: Rounds

  /// Looks, and refreshes what is due; true where that was nothing.
  private func round(on connection: Connection, _ report: (WatchEvent) -> Void) throws -> Bool {
    let lookedAt = Machine.seconds
    let (backlog, agenda) = try look(on: connection)
    isHeldUp = false
    if !agenda.due.isEmpty { try refresh(agenda.due, backlog, on: connection, report) }
    if !isHeldUp { exactAt = lookedAt }
    return agenda.due.isEmpty
  }

  private func look(on connection: Connection) throws -> (ViewBacklog, WatchAgenda) {
    let backlog = try connection.transaction(
      settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    ) {
      try ViewBacklog(limit: tries.hasFailures ? Self.countedRows : 1, on: connection)
    }
    tries.keep { backlog[$0] != nil }
    return (backlog, WatchAgenda(backlog, of: names, after: tries, at: Machine.seconds))
  }

  /// Sleeps until somebody has changed something, or it is time for something; true where there is something
  /// to do, or may be.
  ///
  /// A transaction that is at work and has not sent a notification keeps the lock from being had; who comes
  /// later sends one. So what the look sees and what is heard of is everything.
  private func sleep(on connection: Connection) throws -> Bool {
    try connection.discardNotifications()
    guard try connection.acquireLock(WatchSignal.asleep) else {
      try Interruption.shared.sleep(seconds: pause)
      return false
    }
    defer { try? connection.releaseLock(WatchSignal.asleep) }
    let lookedAt = Machine.seconds
    let agenda = try look(on: connection).1
    guard agenda.due.isEmpty else { return true }
    let isWoken = try connection.waitForNotification(seconds: agenda.pause)
    exactAt = isWoken ? Machine.seconds : lookedAt
    return isWoken
  }

  // MARK: Refreshing

  private func refresh(
    _ due: Set<String>, _ backlog: ViewBacklog, on connection: Connection, _ report: (WatchEvent) -> Void
  ) throws {
    var outcomes = try refresh(due, on: connection)
    var problem: (any Error)?
    let unknown = due.filter { !isKnown($0, outcomes[$0]) }
    if !unknown.isEmpty {
      do {
        engine = try reading()
      } catch {
        problem = error
      }
      let others = due.filter { unknown.contains($0) || outcomes[$0]?.outcome == .skipped }
      if problem == nil { outcomes.merge(try refresh(others, on: connection)) { $1 } }
    }
    for name in due.sorted() {
      let isUnknown = !isKnown(name, outcomes[name])
      if let outcome = outcomes[name], !isUnknown {
        tell(outcome, backlog[name], report)
      } else if isUnknown {
        fail(name, problem ?? RefreshError.outOfStep(name), backlog[name], report)
      }
    }
  }

  private func refresh(_ names: Set<String>, on connection: Connection) throws -> [String: ViewRefresh] {
    var request = RefreshRequest(.exactly(names.sorted()))
    request.failsIfBusy = true
    let done = try engine.refresh(request, on: connection)
    for refresh in done {
      // Of more at once the refresh itself gives the space back.
      let sum = taken[refresh.view, default: 0] + refresh.taken
      taken[refresh.view] = refresh.taken > ViewEngine.much ? 0 : sum
      guard sum > ViewEngine.much, refresh.taken <= ViewEngine.much,
        let view = try RegisteredView.find(refresh.view, on: connection)
      else { continue }
      engine.freeSpace(ofQueues: view, on: connection)
      taken[refresh.view] = 0
    }
    return Dictionary(done.map { ($0.view, $0) }) { $1 }
  }

  /// Whether a view is made as it is defined, as far as its refresh says; of one that was dropped meanwhile
  /// nothing is said.
  private func isKnown(_ name: String, _ outcome: ViewRefresh?) -> Bool {
    if let error = outcome?.error as? RefreshError, case .outOfStep = error { return false }
    return outcome != nil || (try? engine.definitions(with: [name]).contains { $0.name == name }) == true
  }

  private func tell(
    _ outcome: ViewRefresh, _ entry: ViewBacklog.Entry?, _ report: (WatchEvent) -> Void
  ) {
    switch outcome.outcome {
    case .refreshed, .unchanged:
      let hasFailed = tries.succeed(outcome.view, at: Machine.seconds)
      let isUntracked = entry?.reasons.contains { if case .untracked = $0 { true } else { false } } == true
      let isTimed = !hasFailed && !isUntracked && entry?.freshLeft == nil
      report(.refreshed(outcome, seconds: isTimed ? exactAt.map { Machine.seconds - $0 } : nil))
      if hasFailed { report(.recovered(outcome.view)) }
    case .failed: fail(outcome.view, outcome.error ?? RefreshError.outOfStep(outcome.view), entry, report)
    // What it reads has failed, or is busy.
    case .skipped: break
    }
  }

  private func fail(
    _ view: String, _ error: any Error, _ entry: ViewBacklog.Entry?, _ report: (WatchEvent) -> Void
  ) {
    var isBusy = (error as? any TransientError)?.transientCause != nil
    if case RefreshError.busy = error { isBusy = true }
    // Others are at work on it, or on its sources: the next round comes soon.
    if isBusy {
      isHeldUp = true
      return
    }
    let waiting = (entry?.reasons ?? []).filter { if case .reads = $0 { false } else { true } }
    if tries.fail(view, "\(error)", waiting: waiting, at: Machine.seconds) { report(.failed(view, error)) }
  }
}

extension ViewWatch {
  /// The session that watches the database of a connection; nil where none does.
  /// - Throws: `PostgreSQLError`.
  public static func session(on connection: Connection) throws(PostgreSQLError) -> LockHolder? {
    try connection.holders(ofLocks: [WatchSignal.watching]).first { !$0.isWaiting }
  }

  /// A session in words, as far as this role may see it.
  public static func describe(_ session: LockHolder) -> String {
    let facts = [session.program, session.user.map { "as \($0)" }, session.since.map { "since \($0)" }]
    return (["session \(session.process)"] + facts.compactMap(\.self).filter { !$0.isEmpty })
      .joined(separator: ", ")
  }
}
