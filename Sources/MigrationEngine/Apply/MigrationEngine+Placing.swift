import PostgreSQL
import SQLText

/// Puts tables where their marks say, on a server that has Citus.
extension MigrationEngine {
  /// To be called in the transaction in which the section has run, or after all of its statements.
  ///
  /// - Throws: `MigrationError.malformed` where a table cannot go there, and `.failed` where the server refuses it.
  func place(_ work: SectionWork, _ runner: SectionRunner) throws {
    guard !work.placements.isEmpty, try connection.findCitus() else { return }
    // What it does on the way it says as notices.
    try connection.execute(
      Connection.reset + (try runner.settings(Migration.Options()))
        + "SET LOCAL client_min_messages = warning")
    for (statement, mark) in work.lastPlacements {
      let table = PlacedTable(mark, on: connection)
      // What the section has dropped again.
      guard try table.isThere() else { continue }
      let refusal = { (reason: String, hint: String) in
        work.section.unfit(mark.position, "\(mark.table) cannot be \(mark.text): \(reason)", hint)
      }
      let place = try table.place()
      if ![place, "local"].contains(mark.text), place != "local" {
        throw refusal("it is \(place)", "run 'rivulet cluster undistribute \(mark.table)' first")
      }
      let faults = try table.faults(capturingOnShards: capturesOnShards)
      if !faults.isEmpty {
        throw refusal(
          faults.joined(separator: "; "),
          "change the table, or take the mark away: it stays on the coordinator then")
      }
      // With the tables of its releases that are not attached, where it has any.
      do {
        _ = try TableMove(
          mark: mark, connection: connection, dependents: dependents, isAlone: false
        ).run()
      } catch let error as PostgreSQLError {
        throw work.failure(error, statement: statement, sent: work.script.statements[statement].range)
      } catch let error as ClusterError {
        throw refusal(error.description, error.hint ?? "nothing was changed: run 'rivulet migrate' again")
      }
    }
  }
}

extension SectionWork {
  /// Of a table that is placed twice, the last word.
  fileprivate var lastPlacements: [(statement: Int, mark: PlacementMark)] {
    placements.enumerated().filter { index, placement in
      !placements[(index + 1)...].contains { $0.mark.table == placement.mark.table }
    }.map(\.element)
  }
}
