import Definitions

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
    /// The physical lines of its records, from 1, of a sheet the rows: of the format that is loaded, and of the
    /// other.
    public let lines: (first: Int, second: Int)

    package init(
      key: [(column: String, value: String)], column: String, first: String?, second: String?,
      lines: (first: Int, second: Int)
    ) {
      self.key = key
      self.column = column
      self.first = first
      self.second = second
      self.lines = lines
    }
  }

  /// A row that only one of the formats has.
  public struct LoneRow: Sendable {
    /// The row's key, column by column.
    public let key: [(column: String, value: String)]
    /// The format that has it.
    public let format: String
    /// The physical line of its record, from 1; of a sheet the row.
    public let line: Int

    package init(
      key: [(column: String, value: String)], format: String, line: Int
    ) {
      self.key = key
      self.format = format
      self.line = line
    }
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

    package init(
      column: String, count: Int, restored: Int, values: [String]
    ) {
      self.column = column
      self.count = count
      self.restored = restored
      self.values = values
    }
  }

  /// The source.
  public let source: String
  /// The format that is loaded, and the one that it is compared with.
  public let formats: (first: String, second: String)
  /// Rows that both have.
  public package(set) var compared = 0
  /// Rows that only the format that is loaded has.
  public package(set) var onlyInFirst = 0
  /// Rows that only the other has.
  public package(set) var onlyInSecond = 0
  /// The rows that only one of them has, at most ``keptDifferences``.
  public package(set) var loneRows: [LoneRow] = []
  /// How many rows differ, by column; only columns that differ.
  public package(set) var columns: [String: Int] = [:]
  /// Columns that one of the formats does not have.
  public package(set) var notCompared: [String] = []
  /// Records of the other format that were refused.
  public package(set) var rejected = 0
  /// What is wrong with the first few of them, with their places.
  public package(set) var examples: [String] = []
  /// The differences, at most ``keptDifferences``.
  public package(set) var differences: [Difference] = []
  /// The file of each format, and the entry if there is one; nil where it is in several.
  public package(set) var files: (first: String?, second: String?)
  /// Codes that a workbook holds as numbers.
  public package(set) var numbers: [Numbers] = []
  /// How many values differ that are numbers or codes, not texts whose wording varies.
  public package(set) var weighty = 0

  /// So many differences are kept.
  public static let keptDifferences = 1000

  package init(source: String, formats: (first: String, second: String)) {
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

  /// What is reported of it as a rule: differences in rows, keys, numbers and codes refuse the release, those
  /// in wording do not.
  package var gate: GateReport {
    let found = faults > 0 ? faults : columns.values.reduce(0, +)
    return GateReport(
      rule: "cross-check-\(source)-\(formats.second)", severity: .fail, passed: faults == 0, found: found,
      isOdd: found > 0, about: summary, places: places)
  }

  /// The records of the first row that differs, or that only one format has.
  private var places: [GateReport.Place] {
    if let lone = loneRows.first {
      let file = lone.format == formats.first ? files.first : files.second
      return [GateReport.Place(file: file, line: lone.line)]
    }
    guard let difference = differences.first else { return [] }
    return [
      GateReport.Place(file: files.first, line: difference.lines.first),
      GateReport.Place(file: files.second, line: difference.lines.second),
    ]
  }
}
