import PipelineCore
import PostgreSQL
import Records

/// One COPY into each table of a source, for the rows of one entry, or of several with the same columns.
///
/// Each COPY, and each file whose number the server is given, costs as much as many rows: of thousands of small
/// entries, as pages of a service are, rows say themselves which file they are of.
struct SourceCopy {
  let loader: SourceLoader
  let connection: Connection
  let branches: [ChildLoad]
  let sequence = EntrySequence()

  /// From so many entries on their rows come together.
  static let several = 8

  /// Loads entries: `first`, and those that `next` gives after it.
  ///
  /// `next`: gets a load that is done, and gives the next one to follow in the same COPY; nil where there is
  /// none.
  /// - Returns: how many rows the server has taken, table by table.
  func run(_ first: EntryLoad, next: (EntryLoad) -> EntryLoad?) throws -> [Int] {
    var load = first
    var done: [SourceReport] = []
    let columns = first.columns
    let writers = try zip(branches, columns.dropFirst()).map { child, columns in
      try child.table.expectRows(of: first.sourceFileID, on: child.connection)
      return try CopyWriter(
        child.connection, into: child.table.name, columns: columns, freeze: true, isOfSeveral: true)
    }
    try loader.table.expectRows(of: first.sourceFileID, on: connection)
    var rows = [0]
    do {
      rows = [
        try connection.copy(
          into: loader.table.name, columns: columns[0], freeze: true, isOfSeveral: !writers.isEmpty
        ) { buffer in
          do {
            var following: EntryLoad? = load
            while let current = following {
              load = current
              try load.read(into: &buffer, children: writers, in: sequence)
              following = next(load)
              if following != nil { done.append(load.report) }
            }
          } catch {
            throw cancel(writers, load, done, because: error)
          }
        }
      ]
    } catch {
      throw explained(error, loader.table, load, done)
    }
    for (child, writer) in zip(branches, writers) {
      do { rows.append(try writer.finish()) } catch { throw explained(error, child.table, load, done) }
    }
    return rows
  }

  /// Ends the children's COPYs; gives what the server says against the rows of one of them, else the error
  /// itself.
  private func cancel(
    _ writers: [CopyWriter], _ load: EntryLoad, _ done: [SourceReport], because error: any Error
  ) -> any Error {
    var reason = error
    for (child, writer) in zip(branches, writers) {
      let found = writer.cancel(because: error)
      guard let found = found as? PostgreSQLError, error as? PostgreSQLError == nil else { continue }
      reason = explained(found, child.table, load, done)
    }
    return reason
  }

  /// The server may refuse a row that our own rules let pass: that is a finding about the data or the layout.
  private func explained(
    _ error: any Error, _ table: StagedTable, _ load: EntryLoad, _ done: [SourceReport]
  ) -> any Error {
    guard case PostgreSQLError.server(let server) = error, let place = server.copyPlace, server.isAboutData
    else { return error }
    // Rows count over all entries of the COPY.
    var before = 0
    var name = load.place
    if !done.isEmpty, let row = server.copyRow {
      for report in done {
        let rows = report.targets[table.target.name] ?? 0
        if row <= before + rows {
          name = SourceEntry.describe(report.file, report.entry)
          break
        }
        before += rows
      }
    }
    return RunError.rowRefused(
      entry: name, target: table.target.name, place: server.copyPlace(after: before) ?? place,
      reason: "\(server.discreetMessage) (\(server.sqlState))")
  }
}
