/// A table in a style: decides whether its columns fit beside each other, and writes it.
struct TableLayout {
  private let table: TextTable
  private let style: TableStyle
  private let widths: [Int]

  /// So many columns sentences need at least, to be read beside the others.
  private static let leastProse = 24

  init(_ table: TextTable, _ style: TableStyle) {
    (self.table, self.style) = (table, style)
    widths = table.columns.indices.map { column in
      let header = style.width(of: table.columns[column].name)
      return table.rows.reduce(header) { max($0, style.width(of: $1[column])) }
    }
  }

  var text: String {
    guard let width = style.width, needed > width else { return grid(lastWidth: nil) }
    let left = width - (needed - (widths.last ?? 0))
    if case .prose = table.columns.last?.content, left >= Self.leastProse { return grid(lastWidth: left) }
    return records(within: width)
  }

  /// How wide the table is with its columns beside each other.
  private var needed: Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }

  // MARK: Columns beside each other

  private func grid(lastWidth: Int?) -> String {
    var widths = widths
    if let lastWidth, !widths.isEmpty { widths[widths.count - 1] = lastWidth }
    let rule = widths.map { String(repeating: "-", count: $0) }
    var text = line(table.columns.map(\.name), widths, isRow: false) + line(rule, widths, isRow: false)
    for row in table.rows {
      guard lastWidth != nil, let last = row.last else {
        text += line(row, widths, isRow: true)
        continue
      }
      for (index, part) in last.wrapped(toColumns: widths[widths.count - 1]).enumerated() {
        let others = index == 0 ? Array(row.dropLast()) : row.dropLast().map { _ in "" }
        text += line(others + [part], widths, isRow: true)
      }
    }
    return text
  }

  private func line(_ values: [String], _ widths: [Int], isRow: Bool) -> String {
    var text = ""
    var blanks = 0
    for (column, value) in values.enumerated() {
      let padding = max(0, widths[column] - style.width(of: value))
      blanks += column > 0 ? 2 : 0
      let isRight = if case .number = table.columns[column].content { true } else { false }
      if isRight { blanks += padding }
      // Blanks are written when something follows them, so that none is left at the end of a line.
      var kept = value
      while kept.last == " " { kept.removeLast() }
      if !kept.isEmpty {
        text += String(repeating: " ", count: blanks) + (isRow ? shown(kept, column) : kept)
        blanks = value.count - kept.count
      } else {
        blanks += value.count
      }
      if !isRight { blanks += padding }
    }
    return text + "\n"
  }

  private func shown(_ value: String, _ column: Int) -> String {
    if case .state = table.columns[column].content { style.shown(state: value) } else { value }
  }

  // MARK: A record a row

  private func records(within width: Int) -> String {
    let names = table.columns.reduce(0) { max($0, $1.name.columns) }
    let room = max(8, width - names - 2)
    let widest = min(width, names + 2 + (widths.max() ?? 0))
    var text = ""
    for (index, row) in table.rows.enumerated() {
      let head = "-[ \(table.rowsBefore + index + 1) ]"
      text += head + String(repeating: "-", count: max(0, widest - head.count)) + "\n"
      for (column, value) in row.enumerated() {
        let name = table.columns[column].name
        if name.isEmpty && value.isEmpty { continue }
        for (index, part) in value.wrapped(toColumns: room).enumerated() {
          let label = index == 0 ? name : ""
          let gap = String(repeating: " ", count: names - label.columns + 2)
          text += label + (part.isEmpty ? "" : gap + shown(part, column)) + "\n"
        }
      }
    }
    return text
  }
}
