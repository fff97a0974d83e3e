import Catalog
import Definitions
import Host
public import PostgreSQL
import Progress

extension ViewEngine {
  /// Holds stored views beside what their SELECTs give, each in one snapshot, and reports each when it is done.
  /// Nothing is written: what waits for a view is added for the comparison, and rolled back.
  ///
  /// A view that is not made is left out.
  /// - Parameters:
  ///   - names: which views; all when nil.
  ///   - lockWait: how long to wait for a refresh of the same view, in seconds.
  ///   - connection: a session of a role that may refresh them.
  ///   - report: is called with each.
  /// - Returns: the comparisons, a view after those that it reads.
  /// - Throws: `Interrupted` between two views, `PostgreSQLError` where the connection is lost.
  @discardableResult
  public func compare(
    _ names: Set<String>? = nil, lockWait: Double = 0, on connection: Connection,
    report: (ViewComparison) -> Void = { _ in }
  ) throws -> [ViewComparison] {
    let registered = try RegisteredView.all(on: connection).filter(\.value.isStored)
    let compared = definitions.filter { registered[$0.name] != nil && names?.contains($0.name) != false }
    progress.expect(compared.count)
    let order = ViewGraph(registered).order
    return try order.compactMap { name in compared.first { $0.name == name } }.map { view in
      try Interruption.shared.check()
      let task = progress.begin(view.name)
      defer { progress.end(task) }
      task.ask([connection.process])
      let started = Machine.seconds
      var comparison: ViewComparison
      do {
        var wait = ViewLockWait(lockWait)
        comparison = try wait.retrying.run(isStopped: { wait.isOver }) { _ in
          try self.compare(view, registered[view.name], &wait, on: connection)
        }
      } catch {
        try Interruption.shared.check()
        if case PostgreSQLError.connectionLost = error { throw error }
        comparison = ViewComparison(
          view.name, .failed, [], Self.missingRights(behind: error, view, on: connection) ?? error)
      }
      comparison.seconds = Machine.seconds - started
      report(comparison)
      return comparison
    }
  }

  /// Compares one view; keeps refreshes of it away only where something waits for it.
  private func compare(
    _ view: ViewDefinition, _ registered: RegisteredView?, _ wait: inout ViewLockWait,
    on connection: Connection
  ) throws -> ViewComparison {
    guard let registered, registered.isMade(by: view.digest) else {
      throw RefreshError.outOfStep(view.name)
    }
    let transaction = RefreshTransaction(view: view, registered: registered, connection: connection)
    do {
      if let comparison = try transaction.compare(isAlone: false) { return comparison }
      let lock = RegisteredView.lock(view.name)
      if try TransactionPooler.isBehind(connection) { throw RefreshError.behindPooler }
      guard try wait.acquire(view.name, on: connection) else { throw RefreshError.busy(view.name) }
      defer { _ = try? connection.releaseLock(lock) }
      if let comparison = try transaction.compare(isAlone: true) { return comparison }
    } catch is RefreshTransaction.Obstacle {}
    throw RefreshError.outOfStep(view.name)
  }
}
