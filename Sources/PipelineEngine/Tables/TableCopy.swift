import PipelineCore
import PostgreSQL

/// Copies a table of the amended release into a staged table.
struct TableCopy: Sendable {
  let from: ReleaseTable
  let to: StagedTable

  func run(on connection: Connection) throws {
    try connection.transaction {
      try to.create(on: connection)
      _ = try to.copy(from: from.partition, on: connection)
      // What was a key there is one here.
      _ = try to.index(key: [], on: connection)
    }
  }
}
