/// A table of a page, which its reader can order by any column, and search where it is long.
public struct PageTable: Sendable {
  /// A column's heading, and whether its values are numbers, which are aligned at the right.
  public struct Column: Sendable, ExpressibleByStringLiteral {
    let name: String
    let isNumber: Bool

    /// A column with a heading.
    public init(_ name: String, isNumber: Bool = false) { (self.name, self.isNumber) = (name, isNumber) }

    /// A column of text.
    public init(stringLiteral name: String) { self.init(name) }

    /// A column of numbers.
    public static func right(_ name: String) -> Column { Column(name, isNumber: true) }
  }

  /// Above so many rows a table can be searched.
  static let searchable = 8

  let caption: String
  let columns: [Column]
  private(set) var rows: [[PageCell]]
  /// The text in the place of a table without a row.
  let ifEmpty: String
  /// The heading above says the same as the caption, which only readers of the screen get then.
  var isCaptionHidden = false
  /// Its rows are only shown when something is searched.
  var isIndex = false

  /// A table; its caption says what it lists.
  public init(
    _ caption: String, _ columns: [Column], _ rows: [[PageCell]] = [], ifEmpty: String = "Nothing to list."
  ) {
    (self.caption, self.columns, self.rows, self.ifEmpty) = (caption, columns, rows, ifEmpty)
  }

  /// Nothing was added.
  public var isEmpty: Bool { rows.isEmpty }

  /// The same under a heading that says what the caption says, which is not shown twice.
  public var underHeading: PageTable {
    var table = self
    table.isCaptionHidden = true
    return table
  }

  /// The same as an index: a field to search it, which shows of its rows only those that are found, at first
  /// those whose first column is most like what is searched.
  public var asIndex: PageTable {
    var table = underHeading
    table.isIndex = true
    return table
  }

  /// Adds a row.
  public mutating func add(_ row: [PageCell]) { rows.append(row) }
}

extension PageTable {
  /// The table in a box of its own, in which it can be moved where it is too wide.
  func markup(id: String) -> Markup {
    guard !isEmpty else { return Markup("p", ["class": "none"], text: ifEmpty) }
    let head = columns.map {
      Markup("th", ["scope": "col", "class": $0.isNumber ? "n" : nil], text: $0.name)
    }
    let body = rows.map { row in
      Markup("tr", [:], columns.indices.map { cell(row.indices.contains($0) ? row[$0] : "", in: $0) })
    }
    let table = Markup(
      "table", ["data-search": isIndex ? "index" : rows.count > Self.searchable ? "yes" : nil],
      [
        Markup("caption", ["id": id, "class": isCaptionHidden ? "hidden" : nil], text: caption),
        Markup("thead", [:], [Markup("tr", [:], head)]),
        Markup("tbody", [:], body),
      ])
    return Markup(
      "div", ["class": "box", "role": "group", "aria-labelledby": id, "tabindex": "0"], [table])
  }

  private func isSpaced(_ text: String) -> Bool { text.contains { $0 == " " || $0 == "-" } }

  private func cell(_ cell: PageCell, in column: Int) -> Markup {
    let isNumber = columns[column].isNumber
    // Short text stays on one line, and long text has room for a few words.
    let width = cell.text.count <= 26 ? "s" : cell.text.count > 60 ? "w" : nil
    var content = Markup(text: cell.text)
    if cell.isCode { content = Markup("code", [:], [content]) }
    if let link = cell.link { content = Markup("a", ["href": link], [content]) }
    if let tone = cell.tone, !cell.text.isEmpty {
      content = Markup("span", ["class": "tone \(tone.rawValue)"], [tone.markup, content])
    }
    let attributes: Markup.Attributes = [
      "id": cell.place,
      "scope": column == 0 ? "row" : nil, "class": isNumber ? "n" : isSpaced(cell.text) ? width : nil,
      "data-v": cell.order == cell.text ? nil : cell.order,
    ]
    return column == 0 ? Markup("th", attributes, [content]) : Markup("td", attributes, [content])
  }

  /// The table as Markdown.
  var markdown: String {
    guard !isEmpty else { return ifEmpty.markdownText + "\n" }
    let head = line(columns.map(\.name))
    let rule = "|" + columns.map { $0.isNumber ? " ---: |" : " --- |" }.joined() + "\n"
    let body = rows.map { row in
      line(columns.indices.map { row.indices.contains($0) ? row[$0].text : "" })
    }
    return "**\(caption.markdownText)**\n\n" + head + rule + body.joined()
  }

  private func line(_ values: [String]) -> String {
    "|" + values.map { " \($0.markdownText) |" }.joined() + "\n"
  }
}
