/// Rows under a header, in columns as wide as their widest value.
public struct TextTable: Sendable {
  /// How a column's values are aligned.
  public enum Alignment: Sendable {
    /// Text.
    case left
    /// Numbers.
    case right
  }

  private let header: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// A table with named columns; columns without an alignment are text.
  public init(_ columns: [(name: String, alignment: Alignment)]) {
    header = columns.map(\.name)
    alignments = columns.map(\.alignment)
  }

  /// Adds a row; missing values are blank, and what would steer a terminal is shown by its number.
  public mutating func add(_ values: [String?]) {
    rows.append(
      header.indices.map { $0 < values.count ? values[$0]?.printable(keepsLines: false) ?? "" : "" })
  }

  /// Nothing was added.
  public var isEmpty: Bool { rows.isEmpty }

  /// The table as lines, each ended.
  public var text: String {
    let widths = header.indices.map { column in
      max(header[column].count, rows.map { $0[column].count }.max() ?? 0)
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([header, rule] + rows).map { line($0, widths) }.joined()
  }

  private func line(_ values: [String], _ widths: [Int]) -> String {
    var text = ""
    for (column, value) in values.enumerated() {
      let padding = String(repeating: " ", count: widths[column] - value.count)
      text += (column > 0 ? "  " : "") + (alignments[column] == .right ? padding + value : value + padding)
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
