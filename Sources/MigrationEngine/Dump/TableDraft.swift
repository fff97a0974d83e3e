/// A part of a table that can be written within it or by itself: a default, or a constraint.
struct TablePart {
  let address: CatalogAddress
  let table: CatalogAddress
  /// The column that it is written behind; nil where it has a line of its own.
  let column: Int?
  let text: String
}

/// A table before its parentheses are filled.
struct TableDraft {
  /// Marks in a table's statement where the columns are to be.
  static let mark = "\u{1}"
  /// The same as a literal of SQL.
  static let sqlMark = "E'\\x01'"

  private var columns: [(number: Int, text: String)] = []
  private var constraints: [String] = []

  /// Adds a column, in the order of columns.
  mutating func add(column number: Int, _ text: String) { columns.append((number, text)) }

  /// Adds a default behind its column, or a constraint after those that are there.
  mutating func add(_ part: TablePart) {
    guard let number = part.column else { return constraints.append(part.text) }
    for index in columns.indices where columns[index].number == number { columns[index].text += part.text }
  }

  /// The statement with everything in its place. A table of a type has no parentheses where it adds nothing.
  func filled(_ statement: String) -> String {
    let lines = columns.map(\.text) + constraints
    let isOfType = statement.split(separator: TableDraft.mark).first?.contains(" OF ") == true
    let body = lines.isEmpty ? (isOfType ? "" : " ()") : " (\n  " + lines.joined(separator: ",\n  ") + "\n)"
    return statement.replacing(TableDraft.mark, with: body)
  }
}
