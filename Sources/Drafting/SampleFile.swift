import Definitions
import Records
import Values

/// A file that a draft is made from: how its records are written, and what they call their columns.
struct SampleFile {
  /// The formats that a draft is made from.
  static let formats: [Source.Format] = [.csv, .xlsx, .json, .ndjson, .xml]

  /// A column as the file has it.
  struct Column {
    let place: DraftColumn.Place
    var seen = ColumnProfile()
  }

  /// So many records are searched for the header.
  static let searched = 40
  /// So many records are looked at: of more the answer is hardly another.
  static let mostRecords = 100_000
  /// A table has 1,600 columns, three of them the engine's.
  static let mostColumns = 1597

  let entry: SourceEntry
  let kind: Source.Format
  /// The byte between fields; nil where there is none.
  var delimiter: UInt8?
  /// The columns that have a name, in their order.
  var columns: [Column] = []
  /// How many records were looked at, and whether these are all.
  var records = 0
  var isWhole = true
  /// The name of the text's encoding; nil of a workbook.
  var encoding: String?
  /// How many records at the end hold text in their first field alone.
  var footnotes: Int { held.count }
  /// Where records begin that have other fields than the header, and would be refused.
  var misfits: [Int] = []
  /// The sheet of a workbook that is looked at, and the others that hold rows.
  var sheet: String?
  var otherSheets: [String] = []
  /// The names that lead from a document to its records.
  var way: [String] = []
  /// What is left out of the draft, and why.
  var notes: [String] = []
  /// How many records left out their last field, see `TrailingField`.
  var lackingTrailing = 0
  /// The last records, as long as they hold text in their first field alone.
  var held: [(fields: [[UInt8]], line: Int)] = []
  /// The fields of the columns.
  var places: [Int] = []

  /// `sheet`: the sheet of a workbook; if nil the first that has a header.
  init(_ path: String, sheet: String? = nil) throws {
    let entries = try Discovery.entries(of: path)
    guard entries.count == 1, let entry = entries.first else {
      throw DraftError.severalFiles(path: path, names: entries.map(\.name))
    }
    self.entry = entry
    guard let kind = Source.Format(fileName: entry.name), Self.formats.contains(kind) else {
      throw DraftError.unknownFormat(file: entry.description)
    }
    self.kind = kind
    if let sheet, kind != .xlsx { throw DraftError.noSheets(file: entry.description, sheet: sheet) }
    if kind != .xlsx { try checkText() }
    switch kind {
    case .csv:
      let delimiter = try DelimiterGuess.find(entry)
      self.delimiter = delimiter
      try readList(.delimited(DelimitedFormat(delimiter: delimiter)))
    case .xlsx: try readWorkbook(sheet)
    case .xml: try readXML()
    default: try readTree()
    }
    guard columns.count <= Self.mostColumns else {
      throw DraftError.tooManyColumns(
        file: entry.description, count: columns.count, limit: Self.mostColumns)
    }
    guard records > 0 else { throw DraftError.noRecords(file: entry.description) }
  }

  /// Nothing at all, and what no text has, are reported before anything is made of them.
  private func checkText() throws {
    let head = try entry.open().head(64 << 10)
    guard head.contains(where: { $0 > 0x20 }) else { throw DraftError.empty(file: entry.description) }
    // UTF-16 has NUL bytes, and says so by its first two.
    let isUTF16 = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    guard isUTF16 || !head.contains(0) else { throw DraftError.binary(file: entry.description) }
  }
}
