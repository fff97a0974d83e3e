import Definitions
import Pages
import Reporting

/// The rows of a part, as a chart or a table.
struct PartRows {
  let part: ReportPart
  let columns: [String]
  let kinds: [ColumnKind]
  let rows: [[String?]]

  /// So many lines are drawn: more can hardly be followed. The table has them all.
  static let drawnLines = 6

  var blocks: [PageBlock] {
    switch part.chart {
    case .table: [.table(table(part.title).underHeading)]
    case .bars: [.row(part.values.map(bars))]
    case .lines: [.figure(part.series == nil ? lines : seriesLines)]
    }
  }

  private func place(_ column: String?) -> Int? { column.flatMap { columns.firstIndex(of: $0) } }

  private func table(_ caption: String) -> PageTable {
    PageTable(
      caption, zip(columns, kinds).map { .init($0, isNumber: $1 == .number) },
      rows.map { row in columns.indices.map { cell(row[$0], $0) } })
  }

  /// Changes have a sign, and numbers commas.
  private func cell(_ text: String?, _ column: Int) -> PageCell {
    guard let text, kinds[column] == .number, let number = Double(text) else { return PageCell(text) }
    return PageCell(shown(text, isSigned: isChange(column)), orderedBy: number)
  }

  private func isChange(_ column: Int) -> Bool {
    part.isSigned && part.values.contains { columns[column].hasPrefix($0) }
  }

  private func shown(_ text: String, isSigned: Bool) -> String {
    let places = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
    guard let number = Double(text), number.isFinite, number.magnitude < 1e15 else { return text }
    return (isSigned && number > 0 ? "+" : "") + number.decimal(places)
  }

  private func bars(_ value: String) -> Figure {
    let (name, at) = (place(part.label) ?? 0, place(value) ?? 0)
    let bars = rows.map { row in
      BarChart.Bar(
        row[name] ?? "none", row[at].flatMap(Double.init) ?? 0,
        shown: row[at].map { shown($0, isSigned: part.isSigned) } ?? "none")
    }
    return Figure(
      value, "By \(columns[name].lowercased()).", chart: BarChart(bars),
      table: table("\(part.title): \(value)"))
  }

  /// Each column that is drawn is a line.
  private var lines: Figure {
    let name = place(part.label) ?? 0
    let series = part.values.map { value in
      LineChart.Series(value, rows.map { row in place(value).flatMap { row[$0] }.flatMap(Double.init) })
    }
    return Figure(
      part.values.joined(separator: ", "), "By \(columns[name].lowercased()).",
      chart: LineChart(rows.map { $0[name] ?? "" }, series), table: table(part.title))
  }

  /// Each value of the column that tells them apart is a line; the table has a column for each.
  private var seriesLines: Figure {
    let (name, line) = (place(part.label) ?? 0, place(part.series) ?? 0)
    let value = place(part.values.first) ?? 0
    var (places, names): ([String], [String]) = ([], [])
    var values: [String: [String: String]] = [:]
    for row in rows {
      let (place, name) = (row[name] ?? "", row[line] ?? "none")
      if values[place] == nil { places.append(place) }
      if !names.contains(name) { names.append(name) }
      values[place, default: [:]][name] = row[value]
    }
    let sums = names.map { name in
      places.reduce(0.0) { $0 + (values[$1]?[name].flatMap(Double.init) ?? 0) }
    }
    let drawn = names.indices.sorted { (sums[$0], $1) > (sums[$1], $0) }.prefix(Self.drawnLines).sorted()
    let table = PageTable(
      part.title, [.init(columns[name])] + names.map { .right($0) },
      places.map { place in [PageCell(place)] + names.map { cell(values[place]?[$0], value) } })
    if let only = places.first, places.count == 1 {
      // A line of one point is none.
      let bars = zip(names, sums).map {
        BarChart.Bar($0, $1, shown: shown(values[only]?[$0] ?? "0", isSigned: false))
      }
      return Figure(
        "\(columns[value]): \(only)", "By \(columns[line].lowercased()).", chart: BarChart(bars), table: table
      )
    }
    let rest = names.count - drawn.count
    let others = rest > 0 ? " The \(drawn.count) largest of \(names.count) are drawn." : ""
    return Figure(
      columns[value], "By \(columns[name].lowercased()) and \(columns[line].lowercased()).\(others)",
      chart: LineChart(
        places,
        drawn.map { index in
          .init(names[index], places.map { values[$0]?[names[index]].flatMap(Double.init) })
        }), table: table)
  }
}
