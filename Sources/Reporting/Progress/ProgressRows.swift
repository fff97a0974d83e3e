/// Lines with bars, laid out below each other in as much room as there is.
struct ProgressRows {
  private let rows: [ProgressRow]
  private let style: ProgressStyle
  private var form = Self.forms[0]
  private var nameWidth = 0
  private var barWidth = 0
  private var cellWidths: [Int] = []

  /// How much is said, from all to the least.
  private struct Form {
    var isLong: Bool
    /// How many columns are between two texts.
    var gap: Int { isLong ? 2 : 1 }
    /// How many columns a name may take.
    var name: Int
    /// How many columns a bar has at least; 0 for none.
    var bar: Int
  }

  private static let forms = [
    Form(isLong: true, name: 32, bar: 12), Form(isLong: true, name: 20, bar: 8),
    Form(isLong: false, name: 16, bar: 8), Form(isLong: false, name: 12, bar: 5),
    Form(isLong: false, name: 10, bar: 0),
  ]
  /// A longer bar tells no more.
  private static let widestBar = 40
  /// How wide the cells are at least, so that nothing moves with every digit: `99,999 rows/s`, `59 s left`.
  private static let leastWidths = [0, 13, 0, 9]
  /// ` 100%`
  private static let percentWidth = 5
  private static let indent = 2

  init(_ rows: [ProgressRow], _ style: ProgressStyle) {
    (self.rows, self.style) = (rows, style)
    let hasBars = rows.contains { $0.share != nil }
    for form in Self.forms {
      self.form = form
      nameWidth = min(form.name, rows.map(\.name.columns).max() ?? 0)
      cellWidths = (rows.first?.cells ?? []).indices.map { column in
        let widths = rows.map { text(of: $0.cells[column]).columns }
        let least = column < Self.leastWidths.count && form.isLong ? Self.leastWidths[column] : 0
        return (widths.max() ?? 0) > 0 ? max(least, widths.max() ?? 0) : 0
      }
      let cells = cellWidths.reduce(0) { $0 + ($1 > 0 ? $1 + form.gap : 0) }
      let percent = hasBars ? Self.percentWidth : 0
      let left = style.width - Self.indent - nameWidth - cells - percent - 1
      barWidth = hasBars && form.bar > 0 ? max(0, min(Self.widestBar, left)) : 0
      if left >= (hasBars ? form.bar : 0) { break }
    }
  }

  private func text(of cell: ProgressRow.Cell) -> String { form.isLong ? cell.long : cell.short }

  /// One line each.
  var lines: [String] { rows.map(line) }

  private func line(_ row: ProgressRow) -> String {
    var line = ColouredLine(style)
    let name = row.name.cut(toColumns: nameWidth)
    line.add(Self.blanks(Self.indent) + name + Self.blanks(nameWidth - name.columns))
    if barWidth > 0 {
      line.add(" ")
      if let share = row.share {
        let bar = style.bar(share, width: barWidth)
        line.add(bar.full, in: row.isDone ? .done : .bar)
        line.add(bar.empty, in: .rest)
      } else {
        line.add(Self.blanks(barWidth))
      }
    }
    if rows.contains(where: { $0.share != nil }) {
      let percent = row.share.map(ProgressUnits.percent) ?? ""
      line.add(Self.blanks(Self.percentWidth - percent.count) + percent)
    }
    for (place, cell) in row.cells.enumerated() where cellWidths[place] > 0 {
      let text = text(of: cell)
      let blanks = Self.blanks(cellWidths[place] - text.columns)
      // The last is words, and the others are numbers.
      let isLast = place == row.cells.count - 1
      line.add(Self.blanks(form.gap) + (isLast ? "" : blanks))
      line.add(text, in: cell.isOdd ? .odd : .plain)
    }
    return line.text
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

/// A line for a terminal that never takes all of its columns.
struct ColouredLine {
  /// What a piece of it is.
  enum Tone: String {
    case plain = ""
    case bar = "36"
    case done = "32"
    case rest = "2"
    case odd = "33"
  }

  private let style: ProgressStyle
  private var pieces = ""
  private var used = 0

  init(_ style: ProgressStyle) { self.style = style }

  /// Adds as much of a text as there is room for.
  mutating func add(_ text: String, in tone: Tone = .plain) {
    let text = text.cut(toColumns: style.width - used)
    if text.isEmpty { return }
    used += text.columns
    let isPlain = !style.isColoured || tone == .plain
    pieces += isPlain ? text : "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m"
  }

  /// The line, without blanks at its end.
  var text: String {
    var text = pieces[...]
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
