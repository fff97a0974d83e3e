import Definitions
import PostgreSQL

extension ViewComputation {
  /// What computes the view where it is distributed; nil where it is not.
  func sharded() throws -> ShardedView? {
    registered.isOnShards ? try ShardedView(view, number: registered.number, on: connection) : nil
  }

  /// Computes a view that is distributed, as ``run(_:ofGroups:isFull:)`` does one that is not.
  func run(
    _ pending: PendingChanges, on sharded: ShardedView, ofGroups groups: Int, isFull: Bool
  ) throws -> ViewRefresh {
    let sources = pending.publications.map { Quote.qualified($0.source) }
    let types = try ColumnType.columns(of: Array(Set([table] + sources)), on: connection)
    let query = KeysQuery(view)
    let changed =
      isFull || pending.rebuild != nil
      ? nil
      : query.dirty { name in
        registered.sources.first { $0.name == name }.flatMap { self.changed($0, pending, types) }
      }
    guard let changed else {
      return try computeAll(because: pending.rebuild, on: sharded, types[table] ?? [:])
    }
    let most = max(1, Int(view.rebuildShare * Double(groups)))
    let difference = ShardedDifference(sharded: sharded, types: types[table] ?? [:], isPartial: true)
    let count = try explained { try sharded.compute(changed, query, difference.types, most: most) }
    guard count <= most else {
      return try computeAll(
        because: groups == 0
          ? "there were no groups, and now there may be \(count)"
          : "\(count) of \(groups) groups have changed",
        on: sharded, difference.types)
    }
    var refresh = ViewRefresh(view, .refreshed)
    refresh.kind = .incremental
    refresh.groups = count
    if count == 0 { return refresh }
    guard try difference.staysInGroups() else { throw outsideOfGroups }
    guard try difference.isDistinct() else { throw rowsAlike }
    try explained { try difference.write(into: &refresh) }
    try sharded.end()
    return refresh
  }

  private func computeAll(
    because reason: String?, on sharded: ShardedView, _ types: [String: ColumnType]
  ) throws -> ViewRefresh {
    var refresh = ViewRefresh(view, .refreshed)
    refresh.kind = .full
    refresh.reason = reason
    if try connection.execute("SELECT 1 FROM \(table) LIMIT 1").count == 0 {
      refresh.inserted = try explained { try sharded.computeAll(registered.twin, into: table, types) }
      refresh.rows = refresh.inserted
    } else {
      let difference = ShardedDifference(sharded: sharded, types: types, isPartial: false)
      refresh.rows = try explained { try sharded.computeAll(registered.twin, into: sharded.fresh, types) }
      guard try difference.isDistinct() else { throw rowsAlike }
      try explained { try difference.write(into: &refresh) }
    }
    try sharded.end()
    return refresh
  }
}
