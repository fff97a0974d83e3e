import Catalog
import Definitions
import Host
public import PostgreSQL
import Progress

extension ViewEngine {
  /// Refreshes views, each after those that it reads, and reports each when it is done.
  ///
  /// A view that fails, and those that read it, stay as they were; the others are refreshed. One whose table
  /// somebody has dropped has failed with ``RefreshError/outOfStep(_:)``, and, where all are asked for, one
  /// that is defined and not made.
  /// - Throws: ``RefreshError`` where what is asked for cannot be, `Catalog.Problem` where the schema
  ///   `rivulet` is of a later program, `MissingRights` where the role may not make it, `Interrupted` between
  ///   two views, `PostgreSQLError` where the connection is lost.
  @discardableResult
  public func refresh(
    _ request: RefreshRequest, on connection: Connection, report: (ViewRefresh) -> Void = { _ in }
  ) throws -> [ViewRefresh] {
    if request.scope == .named([]) { return [] }
    try Catalog.prepare(connection)
    let registered = try RegisteredView.all(on: connection, lookingAtState: false).filter(\.value.isStored)
    let graph = ViewGraph(registered)
    let chosen = try self.chosen(request, registered, graph, on: connection)
    if chosen.isEmpty { return [] }
    let definitions = try self.definitions(with: chosen)
    if !request.isGivenExactly, try TransactionPooler.isBehind(connection) { throw RefreshError.behindPooler }
    progress.expect(chosen.count)
    var done: [ViewRefresh] = []
    var failed: Set<String> = []
    func end(_ refresh: ViewRefresh) {
      if refresh.hasFailed { failed.insert(refresh.view) }
      done.append(refresh)
      report(refresh)
    }
    for view in definitions where chosen.contains(view.name) && registered[view.name] == nil {
      end(ViewRefresh(view, .failed, RefreshError.outOfStep(view.name)))
      progress.pass(1)
    }
    for name in graph.order where chosen.contains(name) {
      try Interruption.shared.check()
      guard let view = definitions.first(where: { $0.name == name }) else { continue }
      let task = progress.begin(name)
      defer { progress.end(task) }
      task.ask([connection.process])
      var refresh: ViewRefresh
      let started = Machine.seconds
      if let source = graph.read(by: name).first(where: failed.contains) {
        refresh = ViewRefresh(view, .skipped, RefreshError.behind(source))
      } else {
        do {
          // Again where another transaction has stood in its way, without the view's lock in between: a
          // migration that holds a source may be waiting for that.
          var wait = ViewLockWait(request.lockWait)
          refresh = try wait.retrying.run(isStopped: { request.failsIfBusy || wait.isOver }) { _ in
            try self.refresh(view, registered[name], request, &wait, task, on: connection)
          }
        } catch {
          try Interruption.shared.check()
          if case PostgreSQLError.connectionLost = error { throw error }
          refresh = ViewRefresh(
            view, .failed, Self.missingRights(behind: error, view, on: connection) ?? error)
        }
      }
      refresh.seconds = Machine.seconds - started
      end(refresh)
    }
    return done
  }

  // MARK: Choosing

  /// The views that are known, and those of some names that were not.
  func definitions(with names: Set<String>) throws -> [ViewDefinition] {
    let unread = names.subtracting(definitions.map(\.name))
    return unread.isEmpty ? definitions : try definitions + reading(unread)
  }

  /// The names of the views that a request is for.
  private func chosen(
    _ request: RefreshRequest, _ registered: [String: RegisteredView], _ graph: ViewGraph,
    on connection: Connection
  ) throws -> Set<String> {
    var names: Set<String>
    switch request.scope {
    case .all: names = Set(definitions.filter(\.isStored).map(\.name))
    case .named(let given):
      for name in given {
        guard let view = registered[name] else { throw RefreshError.outOfStep(name) }
        if request.date != nil, !view.followsDate { throw RefreshError.notByDate(name) }
      }
      // What they read comes first, or they would be behind at once.
      names = graph.closure(of: given, graph.read(by:))
    case .exactly(let given): names = Set(given).intersection(registered.keys)
    case .readers(let tables): names = graph.readers(of: tables)
    }
    if request.date != nil {
      let byDate = names.filter { registered[$0]?.followsDate == true }
      names = graph.closure(of: Array(byDate), graph.readers(of:))
    }
    guard request.isOnlyStale else { return names }
    return names.intersection(try status(on: connection).filter(\.isStale).map(\.name))
  }

  // MARK: One view

  /// Refreshes a view while its lock is held.
  private func refresh(
    _ view: ViewDefinition, _ known: RegisteredView?, _ request: RefreshRequest, _ wait: inout ViewLockWait,
    _ task: TaskProgress, on connection: Connection
  ) throws -> ViewRefresh {
    let lock = RegisteredView.lock(view.name)
    var isHeld = try connection.acquireLock(lock)
    defer { if isHeld { try? connection.releaseLock(lock) } }
    if request.bringsAllUpToDate, isExact(view, recording: isHeld, on: connection) {
      return ViewRefresh(view)
    }
    if !isHeld, !request.failsIfBusy {
      task.rename("\(view.name), waiting for another refresh")
      defer { task.rename(view.name) }
      isHeld = try wait.acquire(view.name, on: connection)
    }
    guard isHeld else { throw RefreshError.busy(view.name) }
    // Nobody makes it again while the lock is held, but somebody may have since it was looked at.
    var registered = known
    var isRepeated = false
    while true {
      try Interruption.shared.check()
      do {
        guard let registered, registered.isMade(by: view.digest) else {
          throw RefreshError.outOfStep(view.name)
        }
        let refresh = try RefreshTransaction(view: view, registered: registered, connection: connection).run(
          isFull: request.isFull, date: registered.followsDate ? request.date : nil)
        let hasWritten = refresh.taken > Self.much || registered.isOnShards && refresh.kind == .full
        if hasWritten { freeSpace(ofQueues: registered, on: connection) }
        return refresh
      } catch RefreshTransaction.Obstacle.isUnwatched {
        if let registered { try restoreTriggers(of: registered, on: connection) }
      } catch {
        // A queue or a column that is gone is behind many an error.
        if let found = try? RegisteredView.find(view.name, on: connection), found != registered {
          registered = found
          continue
        }
        if case RefreshTransaction.Obstacle.isOther = error { throw RefreshError.outOfStep(view.name) }
        // The table of a release may have been dropped since the snapshot was taken; the next one says so.
        let state = (error as? ViewProblem)?.sqlState ?? (error as? PostgreSQLError)?.sqlState
        if state == "42P01", !isRepeated {
          isRepeated = true
          continue
        }
        throw error
      }
    }
  }

  /// Whether nothing waits to be computed of a view, nor of what it reads; false where it cannot be said.
  ///
  /// Who has its lock, or one on a source, is not waited for. That it is exact now is recorded only where nobody
  /// refreshes it, who would fail for the row that somebody else has written.
  private func isExact(_ view: ViewDefinition, recording: Bool, on connection: Connection) -> Bool {
    let settings = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; \(RefreshTransaction.lockTimeout)"
    let isExact = try? connection.transaction(settings: settings) {
      guard try RegisteredView.find(view.name, on: connection)?.isMade(by: view.digest) == true,
        try ViewBacklog(of: view.name, limit: 1, on: connection)[view.name]?.isBehind == false
      else { return false }
      if recording {
        try connection.query(
          """
          UPDATE rivulet.view SET refreshed_at =
            CASE WHEN refreshed_at > clock_timestamp() THEN now() ELSE greatest(refreshed_at, now()) END
          WHERE name = $1
          """, [.text(view.name)])
      }
      return true
    }
    return isExact ?? false
  }

  /// Whose rights are missing behind an error; nil where it is another.
  static func missingRights(
    behind error: any Error, _ view: ViewDefinition, on connection: Connection
  ) -> MissingRights? {
    let schemas = view.sources.map { String($0.name.value.prefix { $0 != "." }) } + [view.schema, "rivulet"]
    return (error as? PostgreSQLError).flatMap {
      connection.missingRights(
        behind: $0, in: Set(schemas).sorted(), unlessCalling: "rivulet.owner_stage_table")
    }
  }

  /// So many rows that were taken off a queue are not left to the server to clear away some time: until then
  /// each refresh would read past them.
  static let much = 10_000

  /// Gives the space of a view's queues back. What somebody else is at work on, or owns, is left.
  func freeSpace(ofQueues view: RegisteredView, on connection: Connection) {
    let own = view.isOnShards ? ShardedView.tables(view.number) : []
    for queue in view.sources.compactMap(\.queue) + own {
      guard (try? ShardedView.isOwned(queue, on: connection)) == true else { continue }
      _ = try? connection.execute("VACUUM (SKIP_LOCKED) \(Quote.qualified(queue))")
    }
  }

  /// Puts triggers back that somebody has dropped or switched off, takes those away that a table has which has
  /// left the source, and has everything computed that was missed meanwhile, or too much. Who writes to such a
  /// table is waited for.
  private func restoreTriggers(of view: RegisteredView, on connection: Connection) throws {
    let unwatched = try ChangeCapture.unwatched(view.name, on: connection)
    let left = try ChangeCapture.left(view.name, on: connection)
    for capture in view.captures {
      let (missing, surplus) = (unwatched[capture.position] ?? [], left[capture.position] ?? [])
      if missing.isEmpty && surplus.isEmpty { continue }
      try connection.transaction(settings: RefreshTransaction.lockTimeout) {
        try capture.watch(missing, on: connection)
        try capture.leave(surplus, on: connection)
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
