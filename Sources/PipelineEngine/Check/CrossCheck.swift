/// How a table of a bundle in one format compares with the same table in another.
public struct CrossCheck: Sendable {
  /// A value that is not the same in both.
  public struct Difference: Sendable {
    /// The row's key, column by column; not the values of sensitive columns.
    public let key: [(column: String, value: String)]
    /// The column.
    public let column: String
    /// What the format that is loaded has; nil for nothing, and where the column is sensitive.
    public let first: String?
    /// What the other has.
    public let second: String?
  }

  /// A row that only one of the formats has.
  public struct LoneRow: Sendable {
    /// The row's key, column by column.
    public let key: [(column: String, value: String)]
    /// The format that has it.
    public let format: String
  }

  /// Codes that a workbook holds as numbers.
  public struct Numbers: Sendable {
    /// The column.
    public let column: String
    /// How many cells.
    public let count: Int
    /// How many of them lost leading zeros, which were restored.
    public let restored: Int
    /// The codes as the cells have them, each once, in the order of the numbers; at most ``keptValues``, and
    /// none of a sensitive column.
    public let values: [String]

    /// So many codes are kept.
    public static let keptValues = 100_000
  }

  /// The source.
  public let source: String
  /// The format that is loaded, and the one that it is compared with.
  public let formats: (first: String, second: String)
  /// Rows that both have.
  public internal(set) var compared = 0
  /// Rows that only the format that is loaded has.
  public internal(set) var onlyInFirst = 0
  /// Rows that only the other has.
  public internal(set) var onlyInSecond = 0
  /// The rows that only one of them has, at most ``keptDifferences``.
  public internal(set) var loneRows: [LoneRow] = []
  /// How many rows differ, by column; only columns that differ.
  public internal(set) var columns: [String: Int] = [:]
  /// Columns that one of the formats does not have.
  public internal(set) var notCompared: [String] = []
  /// Records of the other format that were refused.
  public internal(set) var rejected = 0
  /// What is wrong with the first few of them, with their places.
  public internal(set) var examples: [String] = []
  /// The differences, at most ``keptDifferences``.
  public internal(set) var differences: [Difference] = []
  /// Codes that a workbook holds as numbers.
  public internal(set) var numbers: [Numbers] = []
  /// How many values differ that are numbers or codes, not texts whose wording varies.
  public internal(set) var weighty = 0

  /// So many differences are kept.
  public static let keptDifferences = 1000

  init(source: String, formats: (first: String, second: String)) {
    self.source = source
    self.formats = formats
  }

  /// The differences in one sentence.
  public var summary: String {
    let rows = [
      ("rows only in \(formats.first)", onlyInFirst), ("rows only in \(formats.second)", onlyInSecond),
    ]
    let counts =
      rows + [("refused records", rejected)] + columns.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return "\(formats.first) and \(formats.second) differ\(faults == 0 ? " in wording" : ""): "
      + counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// What must not differ: rows, and values that are numbers or codes.
  public var faults: Int { onlyInFirst + onlyInSecond + rejected + weighty }
}
