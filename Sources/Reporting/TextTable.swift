/// Rows under a header, in columns as wide as their widest value.
public struct TextTable: Sendable {
  /// A column's name, and whether its values are numbers, which are aligned at the right.
  public struct Column: Sendable, ExpressibleByStringLiteral {
    let name: String
    let isNumber: Bool

    /// A column with a name.
    public init(_ name: String, isNumber: Bool = false) { (self.name, self.isNumber) = (name, isNumber) }

    /// A column of text.
    public init(stringLiteral name: String) { self.init(name) }

    /// A column of numbers.
    public static func right(_ name: String) -> Column { Column(name, isNumber: true) }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// A table with columns, and rows as ``add(_:)`` takes them.
  public init(_ columns: [Column], _ rows: [[String?]] = []) {
    self.columns = columns
    for row in rows { add(row) }
  }

  /// Adds a row; missing values are blank, and what would steer a terminal is shown by its number.
  public mutating func add(_ values: [String?]) {
    rows.append(
      columns.indices.map { $0 < values.count ? values[$0]?.printable(keepsLines: false) ?? "" : "" })
  }

  /// Nothing was added.
  public var isEmpty: Bool { rows.isEmpty }

  /// The table as lines, each ended; another text where it has no row.
  public func text(orIfEmpty other: String) -> String { isEmpty ? other : text }

  /// The table as lines, each ended.
  public var text: String {
    let widths = columns.indices.map { column in
      max(columns[column].name.count, rows.map { $0[column].count }.max() ?? 0)
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([columns.map(\.name), rule] + rows).map { line($0, widths) }.joined()
  }

  private func line(_ values: [String], _ widths: [Int]) -> String {
    var text = ""
    for (column, value) in values.enumerated() {
      let padding = String(repeating: " ", count: widths[column] - value.count)
      text += (column > 0 ? "  " : "") + (columns[column].isNumber ? padding + value : value + padding)
    }
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }
}

extension Int {
  /// The number with commas between thousands: 19,090.
  public var grouped: String {
    let digits = Array(String(magnitude))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
