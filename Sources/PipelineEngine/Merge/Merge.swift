import Definitions
import PipelineCore
import PostgreSQL
import Store

/// What is staged, written to tables whose rows are published: in one transaction, and no more than differs.
///
/// Statements name the target itself, so that its triggers, and those by which derived views learn of
/// changes, see every row. Only rows that are written are locked: nobody who reads waits, nor who writes
/// other rows.
struct Merge {
  let tables: [MergedTable]
  /// What rows were before goes here, by target.
  let histories: [String: RowHistory]
  let destination: Destination
  let connection: Connection

  /// Writes what differs, and gives what that was, in the order of the tables.
  ///
  /// To be called in a transaction. Rows of a table that others of the merge refer to are deleted last, when
  /// nothing of what was staged refers to them any more; those of all others first, so that what must be
  /// unique is free again.
  func write() throws -> [MergeReport] {
    // Rows that a policy hides would look as if they were not there. Compiling costs more than it gains here.
    try connection.execute("SET LOCAL row_security = off; SET LOCAL jit = off")
    let order = try TableOrder(tables.map(\.target), on: connection)
    var reports = Dictionary(uniqueKeysWithValues: tables.map { ($0.target, report($0)) })
    func edit(_ targets: [String], _ change: (MergedTable, inout MergeReport) throws -> Void) throws {
      for target in targets {
        guard let table = tables.first(where: { $0.target == target }), var report = reports[target] else {
          continue
        }
        try plan(table)
        try explaining(table) { try change(table, &report) }
        reports[target] = report
      }
    }
    try edit(order.childrenFirst.filter { !order.isReferredTo($0) }, delete)
    try edit(order.parentsFirst, put)
    try edit(order.childrenFirst.filter(order.isReferredTo), delete)
    let changed = reports.values.filter { $0.inserted + $0.updated + $0.deleted > 0 }.map(\.target)
    if !changed.isEmpty, connection.hasCitus {
      try connection.query(ViewMarks.ofMerge, [.textArray(changed)])
    }
    return tables.compactMap { reports[$0.target] }
  }

  /// What writing would do.
  func counts() throws -> [MergeReport] {
    try connection.execute("SET LOCAL row_security = off; SET LOCAL jit = off")
    return try tables.map { table in
      try plan(table)
      var report = report(table)
      let row = try connection.query(table.counts)[0]
      (report.inserted, report.updated) = (try row.value(0), try row.value(1))
      report.deleted = try row.value(2)
      report.unchanged = try alive(table) - report.inserted - report.updated
      return report
    }
  }

  private func report(_ table: MergedTable) -> MergeReport {
    MergeReport(
      source: table.source, target: table.target, period: destination.period.map { ($0.from, $0.to) })
  }

  private func delete(_ table: MergedTable, _ report: inout MergeReport) throws {
    guard table.deletes else { return }
    report.deleted = try connection.query(table.deletion(keeping: histories[table.target]))[0].value(0)
  }

  private func put(_ table: MergedTable, _ report: inout MergeReport) throws {
    if let update = table.update {
      if let history = histories[table.target] { try connection.execute(table.keeping(history)) }
      report.updated = try connection.execute(update).affectedRows
    }
    report.inserted = try connection.execute(table.insertion).affectedRows
    report.unchanged = try alive(table) - report.inserted - report.updated
  }

  /// How many staged rows are to be there.
  private func alive(_ table: MergedTable) throws -> Int {
    let rows = table.staged.marksDeletions ? "WHERE NOT \(Quote.identifier(StagedTable.deletionMark))" : ""
    return try connection.query("SELECT count(*) FROM \(Quote.qualified(table.staged.name)) \(rows)")[0]
      .value(0)
  }

  /// A few rows are looked up by the target's key, one by one. Left to itself the planner would rather read
  /// all of a table, since it takes a page that is looked up for far more than one that is read in passing.
  private func plan(_ table: MergedTable) throws {
    let free = table.usesKey ? "off" : "on"
    try connection.execute(
      """
      SET LOCAL enable_hashjoin = \(free); SET LOCAL enable_mergejoin = \(free);
      SET LOCAL random_page_cost = \(table.usesKey ? "1.1" : "4")
      """)
  }

  /// What the table's own rules and triggers have against rows is a finding about the data.
  private func explaining(_ table: MergedTable, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error, server.isAboutData else { throw error }
      throw RunError.mergeRefused(
        target: table.target, reason: "\(server.discreetMessage) (\(server.sqlState))")
    }
  }
}
