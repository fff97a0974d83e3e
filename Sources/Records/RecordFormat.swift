/// How the records of a file are distinguished, and their fields.
public enum RecordFormat: Sendable {
  /// Fields between delimiters.
  case delimited(DelimitedFormat)
  /// Fields at fixed places.
  case fixedWidth(FixedWidthFormat)
  /// Cells of a sheet.
  case xlsx(XLSXFormat)
  /// Properties of things within each other: JSON and XML.
  case tree(TreeFormat)
}

/// How a delimited file is written.
public struct DelimitedFormat: Sendable {
  /// The byte between fields.
  public let delimiter: UInt8
  /// The byte around fields that hold delimiters, line ends or itself (then doubled).
  public let quote: UInt8
  /// The most bytes a record may have, its line end not counted.
  public let recordLimit: Int
  /// The number of fields of a record that may leave out the last one where it is blank, see
  /// ``TrailingField``: one with a field less is given with a blank one at its end, unless a record before it has a blank last one.
  /// Nil where none may.
  public let widthWithTrailing: Int?

  /// A format; by default RFC 4180's, with records of at most 1 MiB.
  ///
  /// Delimiter and quote must be ASCII.
  public init(
    delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8 = UInt8(ascii: "\""), recordLimit: Int = 1 << 20,
    widthWithTrailing: Int? = nil
  ) {
    self.widthWithTrailing = widthWithTrailing
    precondition(delimiter < 0x80 && quote < 0x80, "delimiter and quote are ASCII")
    self.delimiter = delimiter
    self.quote = quote
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(1, recordLimit), 1 << 30)
  }

  /// The bytes that lists have between their fields, the most usual first: comma, semicolon, tab, bar.
  public static let usualDelimiters: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]

  /// A delimiter as definitions name it: `tab`, or the mark in quotes.
  public static func name(of delimiter: UInt8) -> String {
    delimiter == 0x09 ? "tab" : "'\(Character(UnicodeScalar(delimiter)))'"
  }
}

/// How a file of fixed-width records is written.
public struct FixedWidthFormat: Sendable {
  /// The characters of each field, from 1, both ends included; fields may overlap and leave gaps.
  public let fields: [ClosedRange<Int>]
  /// How many characters a record has at least, and at most where the blanks at its end are not counted.
  public let length: ClosedRange<Int>
  /// The most bytes a line is read for, its line end not counted; it is malformed beyond `length` already.
  public let recordLimit: Int

  /// A format of fields and a record length.
  ///
  /// Fields must begin at character 1 or after it. The length is a range where publishers cut the blanks at
  /// the end of records in some years.
  public init(fields: [ClosedRange<Int>], length: ClosedRange<Int>, recordLimit: Int = 1 << 20) {
    precondition(fields.allSatisfy { $0.lowerBound >= 1 }, "fields begin at character 1 or after it")
    self.fields = fields
    self.length = length
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(1, recordLimit, length.upperBound), 1 << 30)
  }
}

/// How the records of a workbook are read.
public struct XLSXFormat: Hashable, Sendable {
  /// Which of its sheets.
  public let sheet: SheetChoice
  /// The most bytes that a record's fields may have together.
  public let recordLimit: Int

  /// A sheet, by default the first that is not hidden, with records of at most 1 MiB.
  public init(sheet: SheetChoice = .first, recordLimit: Int = 1 << 20) {
    self.sheet = sheet
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(1, recordLimit), 1 << 30)
  }
}

/// Which sheet of a workbook is read.
public enum SheetChoice: Hashable, Sendable {
  /// The first worksheet that is not hidden; if all are, the first.
  case first
  /// The worksheet of that number, from 1, in the workbook's order, hidden ones counted: the order of
  /// ``XLSXReader/sheets(of:)``.
  case numbered(Int)
  /// The worksheet of that name, hidden or not; without case if no name is the same with it.
  case named(String)
}

extension SheetChoice: CustomStringConvertible {
  /// What is looked for, to follow "no".
  public var description: String {
    switch self {
    case .first: "worksheet"
    case .numbered(let number): "worksheet number \(number)"
    case .named(let name): "sheet \"\(name)\""
    }
  }
}

/// How a file of tree-shaped records is written, and what is wanted of them.
public struct TreeFormat: Sendable {
  /// How the records are written, and distinguished.
  public enum Syntax: Sendable, Hashable {
    /// JSON, each line a record (NDJSON).
    case jsonLines
    /// One JSON document: an array of records, an object that holds records, or one record.
    case json
    /// One XML document that holds records, or is one.
    case xml
  }

  /// How the records are written.
  public let syntax: Syntax
  /// What is wanted of them.
  public let plan: TreePlan
  /// The names that lead from a document that holds records to each of them, such as `entry` and `resource`;
  /// empty where a document is a record or an array of them.
  public let records: [String]
  /// The most bytes that a record may have.
  public let recordLimit: Int

  /// A form of records; by default they have at most 4 MiB.
  public init(_ syntax: Syntax, plan: TreePlan, records: [String] = [], recordLimit: Int = 4 << 20) {
    self.syntax = syntax
    self.plan = plan
    self.records = records
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(16, recordLimit), 1 << 30)
  }
}
