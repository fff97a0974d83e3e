import Definitions
import Host
import PipelineCore
import PipelineEngine
import Reporting

/// A comparison of two releases for people. Rows are written as they come, a line each.
struct DiffText {
  let pipeline: String
  let diff: ReleaseDiff
  let figures: [DiffFigures]
  let output: OutputFile
  let style: TableStyle

  /// Writes it.
  func write(withRows: Bool) throws {
    let counts = diff.tables.text(from: diff.from, to: diff.to)
    try output.write("\(pipeline), from \(diff.from) to \(diff.to)\n\n" + counts.text(in: style))
    for figures in figures { try output.write("\n" + text(figures)) }
    guard withRows else { return }
    try output.write("\n")
    try diff.rows { try output.write(line($0)) }
  }

  private func text(_ figures: DiffFigures) -> String {
    let table = TextTable(
      figures.columns.map { .init($0.name, $0.kind == .number ? .number : .text) }, figures.rows)
    return figures.query.description + "\n\n" + table.text(in: style)
  }

  /// `cms.rvu  all 99213 ''  changed  work_rvu: 1.30 -> 1.35, mp_rvu: 0.10 -> 0.11`
  private func line(_ change: RowChange) -> String {
    let key = change.key.map { $0.isWithheld ? Self.withheld : shown($0.value) }.joined(separator: " ")
    // Of a row that is new or gone every value would be one that changed.
    let columns = change.kind == .changed ? change.columns : []
    let values = columns.map { column in
      column.isWithheld
        ? "\(column.column): \(Self.withheld)"
        : "\(column.column): \(shown(column.from)) -> \(shown(column.to))"
    }
    let line =
      [change.table, key, change.kind.rawValue] + (values.isEmpty ? [] : [values.joined(separator: ", ")])
    return line.joined(separator: "  ") + "\n"
  }

  private static let withheld = "(withheld)"

  /// A value on one line, distinct from none.
  private func shown(_ value: String?) -> String {
    guard let value else { return "-" }
    let isPlain = !value.isEmpty && value != "-" && !value.contains { $0.isNewline }
    return isPlain
      ? value
      : "'"
        + value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .joined(separator: " ") + "'"
  }
}

/// The answer of one of the pipeline's queries for comparisons: a row for a group, so that it is kept whole.
struct DiffFigures {
  let query: QueryDefinition
  var columns: [(name: String, kind: ColumnKind)] = []
  var rows: [[String?]] = []
}
