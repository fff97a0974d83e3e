import PostgreSQL

extension MigrationEngine {
  /// Reverts what `down` would revert, as far as a transaction can hold it, looks which rows are gone, and rolls
  /// all of it back; with `andForth` it goes on as `redo` does.
  ///
  /// It holds the locks that `down` needs until the last way back was tried.
  ///
  /// - Throws: as ``down(_:_:)`` and ``redo(_:_:)``.
  public func dryRunBack(_ goal: MigrationGoal, andForth: Bool = false) throws
    -> [(Direction, MigrationStep)]
  {
    let steps = try rehearsing { wait, steps in
      let status = try status()
      let back = try wayBack(status, goal)
      var stored = try StoredTables(
        connection, leavingOut: dependents?.relations(on: connection) ?? [])
      func add(_ direction: Direction, _ step: MigrationStep) throws {
        var step = step
        step.losses = try stored.losses(among: try StoredTables.touched(connection), connection)
        // Of which nobody knows before how many they are: those of the table, at most.
        for batches in step.plannedBatches where batches.deletesRows {
          let loss = DataLoss(kind: .deletion, table: batches.table)
          if !step.losses.contains(loss) { step.losses.append(loss) }
        }
        steps.append((direction, step))
      }
      for work in back {
        try add(.down, try rehearse(work, after: steps) { try rehearse(back: work, runner(wait)) })
      }
      for migration in andForth ? try wayForth(status, after: back) : [] {
        try add(.up, try rehearse(migration, wait, after: steps))
      }
    }
    // Counted where the rows are again, with nothing locked.
    return try steps.map { direction, step in
      var step = step
      step.losses = try DataLoss.counted(step.losses, on: connection)
      return (direction, step)
    }
  }

  private func rehearse(back work: SectionWork, _ runner: SectionRunner) throws -> LeftOut {
    let left = work.isStatementwise ? try rehearseStatements(of: work, runner) : LeftOut()
    if !work.isStatementwise { try runner.run(work) }
    try connection.execute(MigrationEngine.ending)
    try dependents?.clearOrphans(on: connection)
    return left
  }
}
