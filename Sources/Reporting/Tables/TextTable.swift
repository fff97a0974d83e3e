import Values

/// Rows under a header, in columns as wide as their widest value; at a terminal that is too narrow for them a
/// record a row, its values below each other.
public struct TextTable: Sendable {
  /// What a column's values are.
  public enum Content: Sendable {
    /// Words.
    case text
    /// Numbers, which are aligned at the right.
    case number
    /// What has become of something, in a word that may have a colour.
    case state
    /// Sentences, which may go on in the next line where they are the last column.
    case prose
  }

  /// A column's name, and what its values are.
  public struct Column: Sendable, ExpressibleByStringLiteral {
    let name: String
    let content: Content

    /// A column with a name.
    public init(_ name: String, _ content: Content = .text) { (self.name, self.content) = (name, content) }

    /// A column of text.
    public init(stringLiteral name: String) { self.init(name) }

    /// A column of numbers.
    public static func right(_ name: String) -> Column { Column(name, .number) }

    /// A column of states.
    public static func state(_ name: String) -> Column { Column(name, .state) }

    /// A column of sentences.
    public static func prose(_ name: String) -> Column { Column(name, .prose) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []
  /// The number of the row before the first, where the table goes on from another.
  var rowsBefore = 0

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

  /// The table, to be laid out where it is shown.
  public var text: ConsoleText { ConsoleText(self) }

  /// The table, to be laid out where it is shown; another text where it has no row.
  public func text(orIfEmpty other: String) -> ConsoleText { isEmpty ? ConsoleText(other) : text }

  /// The table as lines, each ended.
  public func text(in style: TableStyle) -> String {
    TableLayout(self, style).text
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
