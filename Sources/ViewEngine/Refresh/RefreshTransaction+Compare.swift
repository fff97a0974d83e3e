import Definitions
import PostgreSQL

/// Holds a stored view beside what its SELECT gives, in the snapshot and with the settings of a refresh.
extension RefreshTransaction {
  /// Compares, and writes nothing: what waits for the view is computed as a refresh does it, and rolled back.
  /// - Parameter isAlone: nobody refreshes the view meanwhile, so that what waits can be computed.
  /// - Returns: the comparison; nil where something waits and somebody may refresh the view.
  /// - Throws: as ``run(isFull:date:)``.
  func compare(isAlone: Bool) throws -> ViewComparison? {
    var comparison: ViewComparison?
    struct Done: Error {}
    do {
      try connection.transaction(settings: settings(nil)) {
        comparison = try compared(isAlone: isAlone)
        throw Done()
      }
    } catch is Done {}
    return comparison
  }

  private func compared(isAlone: Bool) throws -> ViewComparison? {
    guard try storedSize() != nil else { throw Obstacle.isOther }
    try computation.sharded()?.begin()
    let entry = try ViewBacklog(of: view.name, limit: 1, on: connection)[view.name]
    let pending = PendingChanges(entry?.reasons ?? [], of: registered)
    guard pending.isWatched, !pending.hasLostQueue, !pending.isUntracked, pending.rebuild == nil else {
      return ViewComparison(view.name, .behind, entry?.sentences ?? [])
    }
    if !pending.isEmpty {
      guard isAlone else { return nil }
      let refresh = try computation.run(pending, ofGroups: try storedSize()?.groups ?? 0, isFull: false)
      if refresh.kind == .full { return ViewComparison(view.name, .behind, entry?.sentences ?? []) }
    }
    let differences = try computation.differences()
    // Their rows were read, and are not what the snapshot is about.
    let grown = try sourcesThatGrew()
    if !grown.isEmpty {
      return ViewComparison(view.name, .behind, grown.map { "\($0) was \(Self.grown)" })
    }
    var comparison = ViewComparison(view.name, .exact)
    (comparison.rows, comparison.groups) = differences
    if !comparison.rows.isEmpty || comparison.groups?.isEmpty == false { comparison.outcome = .different }
    return comparison
  }
}
