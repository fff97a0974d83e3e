public import PostgreSQL

extension ViewEngine {
  /// Makes those stored views again that a migration has broken: whose source, or a column captured of it,
  /// has another name or type or is gone, or of which a part was dropped. A trigger that names what is no
  /// more would fail every writer of its table.
  ///
  /// To be called in the migration's transaction, before it is committed. What cannot be made is left out,
  /// until ``synchronise(on:)`` finds that it can. False where no view is computed from tables that are
  /// watched.
  /// - Throws: ``ViewProblem`` where a view cannot be computed; ``ViewLoss``; `PostgreSQLError`.
  @discardableResult
  public func remakeBroken(on connection: Connection) throws -> Bool {
    let stored = try RegisteredView.all(on: connection).values.filter { !$0.sources.isEmpty }
    let broken = stored.filter { $0.state != .whole }.map(\.name).sorted()
    if !broken.isEmpty {
      let removed = try ViewRemoval(broken, on: connection).run()
      _ = try make(on: connection, filling: Set(removed))
    }
    return !stored.isEmpty
  }
}
