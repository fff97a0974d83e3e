import Values

/// Reads the rows of a sheet of a workbook (.xlsx, ECMA-376) one at a time, in memory that does not grow with
/// the number of rows: what stays is the table of shared strings.
///
/// ```swift
/// var reader = try XLSXReader(entry, format: XLSXFormat(sheet: .named("Fees")))
/// while try reader.next() {
///   reader.withRecord { bytes, fields in
///     for field in fields.indices { use(bytes.extracting(fields[field].range)) }
///   }
/// }
/// ```
///
/// A record has the same face as that of a `DelimitedReader`, as if the sheet had been saved as CSV in UTF-8:
/// - Numbers are plain decimals of at most 15 significant digits, without exponent. Leading zeros are there
///   where the cell's style shows them, as `00000` does; others that a number has lost are lost.
/// - Numbers that the cell's style shows as days are ISO dates (`2025-10-01`, with a time
///   `2025-10-01T13:30:00`), in both date systems; times of day are `13:30:00`.
/// - Booleans are `TRUE` and `FALSE`; errors and the results of formulas are the text that the file holds.
/// - A row that is absent, but followed by another, is a blank record. Cells that are absent are empty
///   fields, up to the widest row so far.
/// - A record of nothing but control-Z and blanks ends the data; text that comes after it is given as
///   malformed.
///
/// A row with an impossible reference, value or length is given as malformed, and reading goes on after it. A
/// damaged part ends it with an error.
public struct XLSXReader: EndMarkedSource, ~Copyable {
  private let package: XLSXPackage
  private let strings: SharedStrings
  private let events: SheetEvents
  private let parser: XMLPushParser
  private let recordLimit: Int
  /// The rows read and not given begin with this one.
  private var nextRow = 0
  /// The last row of the sheet that was given, or was blank.
  private var line = 0
  private var bytes: [UInt8] = []
  private var fields: [FieldRange] = []
  private var width = 1
  /// The record's cells among those that have been read.
  private var cells = 0..<0
  var isPastEndMark = false

  /// The names of the workbook's worksheets in their order, hidden ones too.
  public let sheets: [String]
  /// The name of the sheet that is read.
  public let sheet: String
  /// Where the record begins: the line is the row's number in the sheet; the offset counts the bytes of the
  /// sheet's XML, if that is in UTF-8, and is the next row's for an absent row.
  public private(set) var place = RecordPlace(line: 1, byteOffset: 0)
  /// Why the record's fields are not to be trusted; nil for a good record.
  public internal(set) var malformation: Malformation?

  /// The number and the SHA-256 of the workbook's bytes, once ``next()`` has answered false.
  private(set) var digest: (byteCount: Int, sha256: String)?

  /// A reader at the start of a sheet.
  /// - Parameters:
  ///   - entry: the workbook: a file, or an entry of an archive.
  ///   - format: which sheet is read, and how much a record may have.
  ///   - mostInMemory: the most bytes of a workbook inside an archive that are kept in memory; one that has
  ///     more is put into a temporary file without a name.
  /// - Throws: `notAWorkbook`, `protectedWorkbook`, `brokenWorkbook`, `noSuchSheet`, and what opening and
  ///   reading the entry throws.
  public init(
    _ entry: SourceEntry, format: XLSXFormat = XLSXFormat(), mostInMemory: Int = 16 << 20
  ) throws(RecordsError) {
    try self.init(XLSXPackage(entry, mostInMemory: mostInMemory), format: format)
  }

  init(_ package: XLSXPackage, format: XLSXFormat) throws(RecordsError) {
    let workbook = try XLSXWorkbook(package)
    let names = workbook.sheets.map(\.name)
    guard let sheet = workbook.sheet(format.sheet) else {
      throw .noSuchSheet(
        path: package.entry.path, entry: package.entry.entry, sheet: format.sheet, sheets: names)
    }
    let strings = try SharedStrings(package, part: workbook.sharedStrings, limit: 512 << 20)
    guard let stream = try package.open(sheet.part) else {
      throw package.broken("it has no part \(sheet.part)")
    }
    let events = SheetEvents(workbook, stringCount: strings.count, recordLimit: format.recordLimit)
    parser = try XMLPushParser(stream, events: events, place: package.place(sheet.part))
    self.package = package
    self.strings = strings
    self.events = events
    recordLimit = format.recordLimit
    self.sheets = names
    self.sheet = sheet.name
  }

  /// The names of a workbook's worksheets in their order, hidden ones too; reads no sheet.
  /// - Throws: `notAWorkbook`, `protectedWorkbook`, `brokenWorkbook`, and what opening the entry throws.
  public static func sheets(of entry: SourceEntry) throws(RecordsError) -> [String] {
    try XLSXWorkbook(XLSXPackage(entry, mostInMemory: KeptBytes.mostInMemory)).sheets.map(\.name)
  }

  /// Whether an entry is a workbook, whatever it is called.
  /// - Throws: what opening the entry throws; `protectedWorkbook` and `brokenWorkbook` of one that is.
  public static func isWorkbook(_ entry: SourceEntry) throws(RecordsError) -> Bool {
    guard try entry.open().head(4) == [0x50, 0x4B, 3, 4] else { return false }
    do {
      return try !sheets(of: entry).isEmpty
    } catch .notAWorkbook {
      return false
    }
  }

  /// The names of the worksheets that hold anything but blanks, or cannot be read so far, in their order.
  /// - Parameters:
  ///   - entry: the workbook.
  ///   - numbers: the sheets that are not asked for, from 1.
  /// - Returns: the names.
  /// - Throws: `notAWorkbook`, `protectedWorkbook`, `brokenWorkbook`, and what opening the entry throws.
  public static func filledSheets(
    of entry: SourceEntry, except numbers: Set<Int> = []
  ) throws(RecordsError) -> [String] {
    var filled: [String] = []
    for (index, name) in try sheets(of: entry).enumerated() where !numbers.contains(index + 1) {
      let format = XLSXFormat(sheet: .numbered(index + 1))
      if (try? holdsRecord(entry, format)) ?? true { filled.append(name) }
    }
    return filled
  }

  private static func holdsRecord(_ entry: SourceEntry, _ format: XLSXFormat) throws(RecordsError) -> Bool {
    var reader = try XLSXReader(entry, format: format)
    while try reader.next() {
      if !reader.isBlank { return true }
    }
    return false
  }

  /// Goes on to the next record; false after the last, when the whole sheet has been read.
  /// - Throws: `brokenWorkbook` and `brokenArchive`.
  public mutating func next() throws(RecordsError) -> Bool { try advanceToRecord() }

  /// Lends the record: its bytes, and where in them its fields are.
  ///
  /// The fields of a malformed record are as far as they could be found.
  /// - Throws: what `body` throws.
  public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.span, fields.span)
  }

  /// Whether a field of the record is a numeric cell, which has lost the leading zeros that a code may have
  /// had; false for dates, texts, codes that a style shows with their zeros, and what is absent.
  public func isNumber(_ field: Int) -> Bool {
    var place = min(field, cells.count - 1)
    // Cells are in the order of their columns, each at most at the place of its column.
    while place >= 0, case let cell = events.cells[cells.lowerBound + place], cell.column >= field {
      if cell.column == field { return cell.isNumber }
      place -= 1
    }
    return false
  }

  /// The record as a line of CSV, without a line end.
  public var raw: [UInt8] {
    var line: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      let text = bytes[field.range]
      guard text.contains(where: { [0x0A, 0x0D, 0x22, 0x2C].contains($0) }) else {
        line.append(contentsOf: text)
        continue
      }
      line.append(UInt8(ascii: "\""))
      for byte in text {
        if byte == UInt8(ascii: "\"") { line.append(byte) }
        line.append(byte)
      }
      line.append(UInt8(ascii: "\""))
    }
    return line
  }

  /// Whether no field of the record holds anything but blanks.
  ///
  /// False for a malformed record.
  public var isBlank: Bool {
    malformation == nil && bytes.allSatisfy { ASCII.isBlank($0) }
  }
}

extension XLSXReader {
  /// Reads the record after the current one, whatever it is.
  mutating func advance() throws(RecordsError) -> Bool {
    while nextRow == events.rows.count {
      events.letGo()
      (nextRow, cells) = (0, 0..<0)
      guard try parser.step() else {
        (bytes, fields, cells, malformation) = ([], [], 0..<0, nil)
        if digest == nil { digest = try package.digest() }
        return false
      }
    }
    let row = events.rows[nextRow]
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    if row.malformation != .badReference, row.number > line + 1 {
      line += 1
      place = RecordPlace(line: line, byteOffset: row.offset)
      malformation = nil
      cells = 0..<0
      pad()
      return true
    }
    nextRow += 1
    line = max(line, min(row.number, SheetEvents.mostRows))
    place = RecordPlace(line: max(1, row.number), byteOffset: row.offset)
    malformation = row.malformation
    put(row)
    return true
  }

  /// Makes the record of a row.
  private mutating func put(_ row: SheetRow) {
    cells = row.firstCell..<(row.firstCell + row.cellCount)
    for cell in events.cells[cells] {
      let range =
        cell.shared < 0
        ? (row.firstByte + cell.text.lowerBound)..<(row.firstByte + cell.text.upperBound)
        : strings.range(cell.shared) ?? 0..<0
      guard bytes.count + range.count <= recordLimit else {
        malformation = .tooLong
        break
      }
      let start = bytes.count
      while fields.count < cell.column { fields.append(FieldRange(start, start)) }
      bytes.append(contentsOf: cell.shared < 0 ? events.bytes[range] : strings.bytes[range])
      fields.append(FieldRange(start, bytes.count))
    }
    if malformation == nil { width = max(width, fields.count) }
    pad()
  }

  /// Adds the empty fields that the row does not have and another one had.
  private mutating func pad() {
    while fields.count < width { fields.append(FieldRange(bytes.count, bytes.count)) }
  }

  /// Whether the record holds a control-Z and nothing else but blanks.
  var isEndMark: Bool {
    malformation == nil && bytes.contains(0x1A) && bytes.allSatisfy { $0 == 0x1A || ASCII.isBlank($0) }
  }
}
