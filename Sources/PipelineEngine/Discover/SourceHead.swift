import Definitions
import Records
import Values

/// What the beginning of an entry tells: its layout, where its data begin, and what stands above them.
struct SourceHead: Sendable {
  /// The version of the layout that fits, with the entry's own constants.
  let layout: LayoutVersion
  /// How the entry's records are read.
  let format: RecordFormat
  /// For each of the layout's columns, those of children too, the number of its field; nil where the entry has none.
  let fields: [Int?]
  /// How many fields the records have.
  let width: Int
  /// Which records are no data.
  let skips: [SkipRule]
  /// How many records stand above the data.
  let recordsAbove: Int
  /// The text of the records above the data, without the header.
  let banner: String
  /// The fields that should hold nothing, by what the header calls them.
  let blanks: [HeaderMatch.UnknownColumn]
  /// What the header calls columns that the layout does not know.
  let unknown: [String]
  /// How many records the header is merged from; 0 where there is none.
  let headerDepth: Int
  /// Whether the first column is that of an export's reasons, see ``ReasonColumn``.
  let hasReasons: Bool
  /// The kinds of the entry's records, the first few, where it has some and none of them is wanted.
  let foreignKinds: [String]
  /// The child tables that it has rows for which are not read, as the bundle has files of their own for them.
  var leftOut: [String] = []
  /// The sheets of the workbook that hold rows and that no source takes; told by the first source that reads it.
  var otherSheets: [String] = []
  /// The properties, in small letters, that hold those rows.
  var leftOutNames: Set<String> = []

  /// The byte between the fields of a list; of a sheet, whose records are kept as csv, a comma.
  var delimiter: UInt8 {
    if case .delimited(let format) = format { format.delimiter } else { UInt8(ascii: ",") }
  }

  /// How records tell what they are; nil where they do not.
  var kind: RecordKind? { isTree ? RecordKind(layout) : nil }

  /// Whether the entry has records, and all of them of kinds that are not wanted.
  var isForeign: Bool { !foreignKinds.isEmpty }

  /// Whether records are properties of things within each other.
  var isTree: Bool {
    if case .tree = format { true } else { false }
  }

  /// No header has so many fields; a broken record may have a million.
  private static let mostFields = 1 << 14
  /// How many records are searched for a header, or for what tells the layout.
  static let searched = 40
  /// The same where the first of them are all of another kind.
  private static let searchedAtMost = 4096

  /// Reads the first records of an entry.
  /// - Parameter release: where it is known already, so that versions of other years need not be tried.
  init(_ entry: BundleEntry, layout: Layout, release: String?) throws {
    switch entry.format {
    case .csv:
      try self.init(
        named: entry, layout: layout, release: release, format: .delimited(entry.source.delimitedFormat))
    case .xlsx: try self.init(workbook: entry, layout: layout, release: release)
    case .txt:
      try self.init(placed: entry, layout: layout, release: release)
    case .ndjson, .json, .xml:
      try self.init(tree: entry, layout: layout, release: release)
    }
  }

  /// The sheet whose header names the columns; where none does, what is wrong with the first.
  private init(workbook entry: BundleEntry, layout: Layout, release: String?) throws {
    var first: (any Error)?
    for sheet in try XLSXReader.sheets(of: entry.entry).indices {
      do {
        try self.init(
          named: entry, layout: layout, release: release,
          format: .xlsx(XLSXFormat(sheet: .numbered(sheet + 1))))
        return
      } catch let error as RunError {
        first = first ?? error
      }
    }
    throw first ?? RunError.unknownLayout(entry: entry.entry.description, mismatch: nil)
  }

  /// An entry whose header names the columns.
  private init(named entry: BundleEntry, layout: Layout, release: String?, format: RecordFormat) throws {
    let (records, _) = try SourceHead.first(SourceHead.searched, of: entry, as: format) {
      bytes, fields, encoding in
      fields.indices.prefix(SourceHead.mostFields).map { index in
        SourceHead.text(bytes.extracting(fields[index].range), in: encoding)
      }
    }
    let match: HeaderMatch
    do {
      match = try HeaderMatch.find(in: records, layout: layout, release: release)
    } catch {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: .header(error))
    }
    guard let version = layout.version(named: match.version) else {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: nil)
    }
    self.layout = version.setting(entry.constants)
    self.format = format
    fields = match.fields
    width = records[(match.lastRow + 1 - match.depth)...match.lastRow].map(\.count).max() ?? 0
    skips = version.skips
    recordsAbove = match.lastRow + 1
    banner = match.banner
    blanks = match.blanks
    unknown = match.unknown.map(\.text).filter { $0 != ReasonColumn.header }
    headerDepth = match.depth
    hasReasons = match.unknown.contains { $0.field == 0 && $0.text == ReasonColumn.header }
    foreignKinds = []
  }

  /// An entry whose columns have fixed places.
  private init(placed entry: BundleEntry, layout: Layout, release: String?) throws {
    // Lines as they are, of whatever length.
    let lines = RecordFormat.fixedWidth(FixedWidthFormat(fields: [], length: 0...(1 << 20)))
    func match(_ count: Int) throws -> Result<PlaceMatch, PlaceMismatch> {
      let (records, encoding) = try SourceHead.first(count, of: entry, as: lines) { bytes, _, _ in
        bytes.withUnsafeBufferPointer { Array($0) }
      }
      return Result { () throws(PlaceMismatch) in
        try PlaceMatch.find(in: records, encoding: encoding, layout: layout, release: release)
      }
    }
    var found = try match(SourceHead.searched)
    if case .failure(let mismatch) = found, mismatch.sawNoData {
      found = try match(SourceHead.searchedAtMost)
    }
    let match: PlaceMatch
    switch found {
    case .success(let place): match = place
    case .failure(let mismatch):
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: .places(mismatch))
    }
    guard let version = layout.version(named: match.version), let form = version.fixedWidth else {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: nil)
    }
    self.init(
      version, form, constants: entry.constants, recordsAbove: match.firstRow, banner: match.banner)
  }

  /// Records of a version whose columns have fixed places.
  private init(
    _ version: LayoutVersion, _ form: FixedWidthForm, constants: [String: String], recordsAbove: Int,
    banner: String
  ) {
    let places = version.everyColumn.map { $0.place?.bytes }
    let known = places.compactMap(\.self)
    var next = 0..<known.count
    layout = version.setting(constants)
    format = .fixedWidth(FixedWidthFormat(fields: known, length: form.length))
    fields = places.map { $0 == nil ? nil : next.popFirst() }
    width = known.count
    skips = form.skips
    self.recordsAbove = recordsAbove
    self.banner = banner
    blanks = []
    unknown = []
    headerDepth = 0
    hasReasons = false
    foreignKinds = []
  }

  /// An entry that brings refused records again, mended: its layout is known, and of a txt nothing stands above them.
  init(replaying entry: BundleEntry, _ version: LayoutVersion, of layout: Layout) throws {
    let layout = Layout(name: layout.name, versions: [version], file: layout.file)
    if entry.format.isTree {
      self.init(tree: version.setting(entry.constants), entry.format, way: [ExportedEntry.recordElement])
      return
    }
    guard entry.format == .txt else {
      try self.init(
        named: entry, layout: layout, release: nil, format: .delimited(entry.source.delimitedFormat))
      return
    }
    guard let form = version.fixedWidth else {
      throw RunError.unknownLayout(entry: entry.entry.description, mismatch: nil)
    }
    self.init(version, form, constants: entry.constants, recordsAbove: 0, banner: "")
  }

  /// The first records of an entry, each as `take` makes it of its bytes and fields, and their encoding.
  private static func first<Record>(
    _ count: Int, of entry: BundleEntry, as format: RecordFormat,
    take: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>, _ encoding: TextEncoding) -> Record
  ) throws -> (records: [Record], encoding: TextEncoding) {
    var reader = try RecordReader(
      entry.entry, format: format, encoding: entry.source.encoding, bufferSize: 32 << 10)
    var records: [Record] = []
    while records.count < count, try reader.next() {
      let encoding = reader.encoding
      records.append(reader.withRecord { bytes, fields in take(bytes, fields, encoding) })
    }
    return (records, reader.encoding)
  }

  /// A field of a header in the encoding of its file; what that does not define stands for itself.
  private static func text(_ field: Span<UInt8>, in encoding: TextEncoding) -> String {
    var scratch: [UInt8] = []
    if encoding.isEightBit,
      case .scratch = ValueType.text.normalise(field, encoding: encoding, scratch: &scratch)
    {
      return String(decoding: scratch, as: UTF8.self)
    }
    return field.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// What is new in the file, for the user.
  var warnings: [String] {
    let nested = leftOut.map {
      "rows of \($0) within them are not read: the bundle has them in a file of their own"
    }
    func told(_ what: String, _ names: [String]) -> [String] {
      names.isEmpty ? [] : ["\(what): " + names.map { "'\($0)'" }.joined(separator: ", ")]
    }
    return told("columns that the layout does not know were left out", unknown)
      + told("sheets that hold rows and that no source takes were left out", otherSheets) + nested
  }
}

extension Source {
  /// How its csv is written.
  var delimitedFormat: DelimitedFormat { DelimitedFormat(delimiter: delimiter) }
}
