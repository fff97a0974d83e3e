import PostgreSQL
import SQLText

/// Puts tables where their marks say, on a server that has Citus.
extension MigrationEngine {
  /// To be called in the transaction in which the section has run, or after all of its statements.
  ///
  /// - Throws: `MigrationError.malformed` where a table cannot go there, and `.failed` where the server refuses it.
  func place(_ work: SectionWork, _ runner: SectionRunner) throws {
    guard !work.placements.isEmpty, try connection.hasCitus(asksAgain: true) else { return }
    // What it does on the way it says as notices.
    try connection.execute(
      Connection.reset + (try runner.settings(Migration.Options()))
        + "SET LOCAL client_min_messages = warning")
    for (statement, mark) in work.placements {
      let table = PlacedTable(mark, on: connection)
      // What the section has dropped again.
      guard try table.isThere() else { continue }
      let faults = try table.faults()
      if !faults.isEmpty {
        throw work.section.unfit(
          mark.position, "\(mark.table) cannot be \(mark.text): \(faults.joined(separator: "; "))",
          "change the table, or take the mark away: it stays on the coordinator then")
      }
      // With the tables of its releases that are not attached, where it has any.
      do {
        _ = try TableMove(
          mark: mark, connection: connection, dependents: dependents, changesNothingElse: false
        ).run()
      } catch let error as PostgreSQLError {
        throw work.failure(error, statement: statement, sent: work.script.statements[statement].range)
      }
    }
  }
}
