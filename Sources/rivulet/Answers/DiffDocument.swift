import Definitions
import Host
import PipelineCore
import PipelineEngine
import Reporting
import Values

/// A comparison of two releases as the one JSON document that scripts rely on. Rows are written as they come.
struct DiffDocument {
  let pipeline: String
  let diff: ReleaseDiff
  let figures: [DiffFigures]
  let output: OutputFile

  /// Writes it.
  ///
  /// Where the rows break off, the document ends with the error, so that it is one document all the same.
  func write(withRows: Bool) throws {
    let members =
      [("pipeline", JSON.string(pipeline)), ("from", .string(diff.from)), ("to", .string(diff.to))]
      + (diff.tables.first.map(members) ?? []) + [("tables", tables), ("queries", queries)]
    let document = JSON.object(members).text
    guard withRows else { return try output.write(document + "\n") }
    try output.write(document.dropLast() + ",\"rows\":[")
    do {
      var separator = "\n "
      try diff.rows { change in
        try output.write(separator + row(change).text)
        separator = ",\n "
      }
    } catch let error where !(error is FileError) {
      let failure = Failure(Interruption.shared.isRaised ? Interrupted() : error)
      try output.write("]," + JSON.object(failure.members).text.dropFirst() + "\n")
      try output.close()
      throw ReportedFailure(failure: failure)
    }
    try output.write("]}\n")
  }

  /// The tables besides the main one, whose numbers are the document's own.
  private var tables: JSON {
    .object(diff.tables.dropFirst().map { ($0.table, .object(members($0))) })
  }

  private func members(_ table: TableDiff) -> [(String, JSON)] {
    table.members { $0 == .from ? diff.from : diff.to }
  }

  private var queries: JSON {
    .object(
      figures.map { figures in
        let rows = figures.rows.map { row in
          JSON.object(zip(figures.columns, row).map { ($0.name, $0.kind.json($1)) })
        }
        return (figures.query.name, .array(rows))
      })
  }

  private func row(_ change: RowChange) -> JSON {
    let withheld =
      change.key.filter(\.isWithheld).map(\.column) + change.columns.filter(\.isWithheld).map(\.column)
    return .object(
      [
        ("table", .string(change.table)), ("change", .string(change.kind.rawValue)),
        ("key", .object(change.key.map { ($0.column, ColumnKind(typeNumber: $0.type).json($0.value)) })),
        (
          "columns",
          .object(
            change.columns.map { column in
              let kind = ColumnKind(typeNumber: column.type)
              return (
                column.column, .object([("from", kind.json(column.from)), ("to", kind.json(column.to))])
              )
            })
        ),
      ] + (withheld.isEmpty ? [] : [("withheld", .array(withheld.map { .string($0) }))]))
  }
}
