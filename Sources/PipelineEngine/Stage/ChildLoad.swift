import PipelineCore
import PostgreSQL

/// A child table to load, and the connection that is its own.
struct ChildLoad {
  let table: StagedTable
  let connection: Connection

  init(_ table: StagedTable, on connection: Connection) {
    self.table = table
    self.connection = connection
  }
}
