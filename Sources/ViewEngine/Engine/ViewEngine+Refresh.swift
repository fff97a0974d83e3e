import Catalog
import Definitions
import Host
public import PostgreSQL

extension ViewEngine {
  /// Refreshes views, each after those that it reads, and reports each when it is done.
  ///
  /// A view that fails, and those that read it, stay as they were; the others are refreshed. One whose table
  /// somebody has dropped has failed with ``RefreshError/outOfStep(_:)``, and, where all are asked for, one
  /// that is defined and not made.
  /// - Throws: ``RefreshError`` where what is asked for cannot be, `Catalog.Problem` where the schema
  ///   `rivulet` is of a later program, `Interrupted` between two views, `PostgreSQLError` where the
  ///   connection is lost.
  @discardableResult
  public func refresh(
    _ request: RefreshRequest, on connection: Connection, report: (ViewRefresh) -> Void = { _ in }
  ) throws -> [ViewRefresh] {
    if request.scope == .named([]) { return [] }
    try Catalog.prepare(connection)
    let registered = try RegisteredView.all(on: connection)
    let graph = ViewGraph(registered)
    let chosen = try self.chosen(request, registered, graph, on: connection)
    if chosen.isEmpty { return [] }
    let definitions = try self.definitions(with: chosen)
    if try TransactionPooler.isBehind(connection) { throw RefreshError.behindPooler }
    var done: [ViewRefresh] = []
    var failed: Set<String> = []
    func end(_ refresh: ViewRefresh) {
      if refresh.hasFailed { failed.insert(refresh.view) }
      done.append(refresh)
      report(refresh)
    }
    for view in definitions where chosen.contains(view.name) && registered[view.name] == nil {
      var refresh = ViewRefresh(view: view.name, strategy: view.strategy.rawValue, outcome: .failed)
      refresh.error = RefreshError.outOfStep(view.name)
      end(refresh)
    }
    let exact = request.bringsAllUpToDate ? self.exact(on: connection) : []
    for name in graph.order where chosen.contains(name) {
      try Interruption.shared.check()
      guard let view = definitions.first(where: { $0.name == name }) else { continue }
      var refresh = ViewRefresh(view: name, strategy: view.strategy.rawValue, outcome: .unchanged)
      let started = Machine.seconds
      if let source = graph.read(by: name).first(where: failed.contains) {
        refresh.outcome = .skipped
        refresh.error = RefreshError.behind(source)
      } else if !exact.contains(name) {
        do {
          try self.refresh(view, registered[name], request, &refresh, on: connection)
        } catch {
          try Interruption.shared.check()
          if case PostgreSQLError.connectionLost = error { throw error }
          refresh.outcome = .failed
          refresh.error = Self.missingRights(behind: error, view, on: connection) ?? error
        }
      }
      refresh.seconds = Machine.seconds - started
      end(refresh)
    }
    return done
  }

  /// The views of which nothing waits to be computed, nor of what they read; they are recorded to be exact
  /// now. The lock of such a view is not waited for. None where it cannot be said; then each view says why.
  ///
  /// One snapshot, or a change that goes from a view to its reader meanwhile would be in neither. A view that
  /// is being refreshed is not recorded: its refresh would fail for the row that somebody else has written.
  private func exact(on connection: Connection) -> Set<String> {
    let settings = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; \(RefreshTransaction.lockTimeout)"
    let found = try? connection.transaction(settings: settings) {
      let registered = try RegisteredView.all(on: connection)
      let graph = ViewGraph(registered)
      let backlog = try ViewBacklog(limit: 1, on: connection)
      let there = try ViewRegister(on: connection)
      var exact: Set<String> = []
      for name in graph.order {
        guard let view = definitions.first(where: { $0.name == name }),
          there.hash(of: name) == Self.hash(view), backlog[name]?.isBehind == false,
          graph.read(by: name).allSatisfy(exact.contains)
        else { continue }
        exact.insert(name)
      }
      let free = try ViewLock.tryTaking(exact.sorted(), on: connection)
      try connection.query(
        "UPDATE rivulet.view SET refreshed_at = greatest(refreshed_at, now()) WHERE name = ANY ($1)",
        [.textArray(free)])
      return exact
    }
    return found ?? []
  }

  private func refresh(
    _ view: ViewDefinition, _ known: RegisteredView?, _ request: RefreshRequest,
    _ refresh: inout ViewRefresh, on connection: Connection
  ) throws {
    let work = try retrying { try locked(view, known, request, on: connection) }
    refresh.outcome = work.kind == nil ? .unchanged : .refreshed
    refresh.kind = work.kind
    refresh.reason = work.reason
    refresh.groups = work.groups
    refresh.inserted = work.count.inserted
    refresh.updated = work.count.updated
    refresh.deleted = work.count.deleted
  }

  /// Refreshes a view while it holds the view's lock.
  private func locked(
    _ view: ViewDefinition, _ known: RegisteredView?, _ request: RefreshRequest, on connection: Connection
  ) throws -> ViewComputation.Work {
    let lock = ViewLock.name(view.name)
    guard try connection.acquireLock(lock, waiting: max(request.lockWait, Self.lockTimeout)) else {
      throw RefreshError.busy(view.name)
    }
    defer { try? connection.releaseLock(lock) }
    // Nobody makes it again while the lock is held, but somebody may have since it was looked at.
    var registered = known
    while true {
      try Interruption.shared.check()
      do {
        guard let registered, registered.hash == Self.hash(view) else {
          throw RefreshError.outOfStep(view.name)
        }
        let result = try RefreshTransaction(view: view, registered: registered, connection: connection).run(
          isFull: request.isFull, date: registered.followsDate ? request.date : nil)
        // What was computed is committed, whatever becomes of this.
        try? shrinkQueues(of: registered, after: result.taken, on: connection)
        return result.work
      } catch RefreshTransaction.Obstacle.isUnwatched {
        if let registered { try restoreTriggers(of: registered, on: connection) }
      } catch {
        if let found = try? RegisteredView.find(view.name, on: connection), found != registered {
          registered = found
          continue
        }
        if case RefreshTransaction.Obstacle.isOther = error { throw RefreshError.outOfStep(view.name) }
        // A queue or a column that is gone is behind many an error.
        let register = try? ViewRegister(of: view.name, on: connection)
        if let register, register.hash(of: view.name) == nil { throw RefreshError.outOfStep(view.name) }
        throw error
      }
    }
  }

  /// Whose rights are missing behind an error; nil where it is another.
  private static func missingRights(
    behind error: any Error, _ view: ViewDefinition, on connection: Connection
  ) -> MissingRights? {
    let schemas = view.sources.map { String($0.name.value.prefix { $0 != "." }) } + [view.schema, "rivulet"]
    return (error as? PostgreSQLError).flatMap {
      connection.missingRights(behind: $0, in: Set(schemas).sorted())
    }
  }

  /// So long another refresh of the view is waited for in any case, in seconds: the server drops the lock of
  /// a program that was killed within half a second, and two jobs that overlap need not fail over a brief
  /// view.
  private static let lockTimeout = 1.5

  /// So long a refresh tries to get the tables that somebody else alters or publishes, in seconds.
  private static let retryTimeout = 15.0

  /// Does something again where another transaction has stood in its way, without the view's lock in between:
  /// a migration that holds a source may be waiting for that.
  private func retrying<Value>(_ body: () throws -> Value) throws -> Value {
    try RetryPolicy.locks(seconds: Self.retryTimeout, and: [.deadlock, .serialization]).run { _ in try body()
    }
  }

  /// Gives the room of many rows back at once: the next look into the queue would pass all of them.
  private func shrinkQueues(of view: RegisteredView, after taken: Int, on connection: Connection) throws {
    guard taken > 10_000 else { return }
    for queue in view.sources.compactMap(\.queue) {
      try connection.execute("VACUUM (SKIP_LOCKED, PROCESS_TOAST off) \(Quote.qualified(queue))")
    }
  }

  /// Puts triggers back that somebody has dropped or switched off, and has everything computed that was
  /// missed meanwhile.
  private func restoreTriggers(of view: RegisteredView, on connection: Connection) throws {
    let unwatched = try ChangeCapture.unwatched(view.name, on: connection)
    for capture in view.captures {
      guard let tables = unwatched[capture.position] else { continue }
      try connection.transaction(settings: RefreshTransaction.lockTimeout) {
        try capture.watch(tables, on: connection)
        try connection.query(
          """
          INSERT INTO rivulet.view_mark (view, source, reason)
          VALUES ($1, $2, 'changed while nobody watched')
          """,
          [.text(view.name), .text(capture.source)])
      }
    }
  }
}
