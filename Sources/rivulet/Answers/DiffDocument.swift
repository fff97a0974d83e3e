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
    let head: JSON = ["pipeline": pipeline, "from": diff.from, "to": diff.to]
    let document = head + diff.tables.json { $0 == .from ? diff.from : diff.to } + ["queries": queries]
    guard withRows else { return try output.write(document.text + "\n") }
    try output.write(document.text.dropLast() + ",\"rows\":[")
    do {
      var separator = "\n "
      try diff.rows { change in
        try output.write(separator + row(change).text)
        separator = ",\n "
      }
    } catch let error where !(error is FileError) {
      let failure = Failure(Interruption.shared.isRaised ? Interrupted() : error)
      try output.write("]," + failure.json.text.dropFirst() + "\n")
      try output.close()
      throw ReportedFailure(failure: failure)
    }
    try output.write("]}\n")
  }

  private var queries: JSON {
    .object(of: figures) { figures in
      (
        figures.query.name,
        JSON.array(of: figures.rows) { row in
          .object(of: zip(figures.columns, row)) { ($0.name, $0.kind.json($1)) }
        }
      )
    }
  }

  private func row(_ change: RowChange) -> JSON {
    let withheld =
      change.key.filter(\.isWithheld).map(\.column) + change.columns.filter(\.isWithheld).map(\.column)
    let row: JSON = [
      "table": change.table, "change": change.kind.rawValue,
      "key": JSON.object(of: change.key) { ($0.column, ColumnKind(typeNumber: $0.type).json($0.value)) },
      "columns": JSON.object(of: change.columns) { column in
        let kind = ColumnKind(typeNumber: column.type)
        return (column.column, ["from": kind.json(column.from), "to": kind.json(column.to)] as JSON)
      },
    ]
    return row + (withheld.isEmpty ? [:] : ["withheld": withheld])
  }
}
