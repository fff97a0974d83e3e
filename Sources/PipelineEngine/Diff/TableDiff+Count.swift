import PipelineCore
import PostgreSQL

extension TableDiff {
  /// Counts what differs in a table.
  init(
    _ table: ComparedTable, from: ComparedSide, to: ComparedSide, missingIn: [Side], on connection: Connection
  ) throws {
    guard missingIn.isEmpty else {
      self.init(table: table.name, missingIn: missingIn, counts: nil)
      return
    }
    let row = try connection.execute(table.counts(from: from, to: to))[0]
    let columns = try table.compared.enumerated().map { index, name in
      (name: name, rows: try row.value(3 + index, Int.self))
    }
    let counts = Counts(
      added: try row.value(0), removed: try row.value(1), changed: try row.value(2),
      columns: columns.filter { $0.rows > 0 })
    self.init(table: table.name, missingIn: missingIn, counts: counts)
  }
}
