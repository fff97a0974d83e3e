/// Writes records as a workbook of one sheet (Office Open XML), row by row.
///
/// Texts are shared strings; once there are very many, those that are new are in their cells, so that a long
/// sheet takes no more memory than a short one.
final class WorkbookWriter: RecordWriter {
  private let zip: ZipStream
  private let columns: [SampleFile.Column]
  private let cells: CellForm
  private let sheetName: String
  private let hasEndMark: Bool
  private var strings: [[UInt8]: Int] = [:]
  private var stringsInOrder: [[UInt8]] = []
  private var uses = 0
  private var row = 0
  private var buffer: [UInt8] = []

  /// How many texts are shared at the most.
  private static let mostStrings = 100_000
  private static let pieceSize = 128 << 10

  init(
    _ columns: [SampleFile.Column], sheet: String, _ quirks: Set<GeneralQuirk>,
    put: @escaping ([UInt8]) throws(SampleError) -> Void
  ) throws(SampleError) {
    self.columns = columns
    sheetName = sheet
    cells = CellForm(quirks)
    hasEndMark = quirks.contains(.ctrlZ)
    zip = try ZipStream(sheet, put: put)
    for part in WorkbookParts.before(sheet: sheet, is1904: cells.is1904, hasStrings: !cells.isInline) {
      try zip.beginEntry(part.name)
      try zip.write(Array(part.text.utf8))
    }
    try zip.beginEntry("xl/worksheets/sheet1.xml")
    buffer += WorkbookParts.sheetStart.utf8
  }

  func write(_ record: SampleRecord) throws(SampleError) {
    row += 1
    // A row without a cell is not there at all, as in the publisher's workbooks.
    guard record.fields.contains(where: { !$0.isEmpty }) else { return }
    beginRow()
    for (number, field) in record.fields.enumerated() where !field.isEmpty {
      let column = record.isRow && number < columns.count ? columns[number] : nil
      append(cells.cell(field, of: column, row: row), at: number)
    }
    try endRow()
  }

  func finish() throws(SampleError) {
    if hasEndMark {
      row += 1
      beginRow()
      append(.text([GeneralQuirk.endMark]), at: 0)
      try endRow()
    }
    buffer += WorkbookParts.sheetEnd.utf8
    try flush()
    if !cells.isInline { try writeStrings() }
    try zip.finish()
  }

  private func beginRow() { buffer += "<row r=\"\(row)\">".utf8 }

  private func endRow() throws(SampleError) {
    buffer += "</row>".utf8
    if buffer.count >= Self.pieceSize { try flush() }
  }

  private func append(_ cell: CellForm.Cell, at field: Int) {
    let reference = Self.letters(field) + String(row)
    switch cell {
    case .number(let text):
      buffer += "<c r=\"\(reference)\"><v>".utf8
      buffer += text
      buffer += "</v></c>".utf8
    case .date(let days): buffer += "<c r=\"\(reference)\" s=\"1\"><v>\(days)</v></c>".utf8
    case .text(let text):
      if let number = number(of: text) {
        buffer += "<c r=\"\(reference)\" t=\"s\"><v>\(number)</v></c>".utf8
      } else {
        buffer += "<c r=\"\(reference)\" t=\"inlineStr\"><is>".utf8
        Self.append(text, to: &buffer)
        buffer += "</is></c>".utf8
      }
    }
  }

  /// The number of a shared string; nil where the text is to be in its cell.
  private func number(of text: [UInt8]) -> Int? {
    if cells.isInline { return nil }
    if let number = strings[text] {
      uses += 1
      return number
    }
    guard strings.count < Self.mostStrings else { return nil }
    strings[text] = strings.count
    stringsInOrder.append(text)
    uses += 1
    return strings.count - 1
  }

  private func writeStrings() throws(SampleError) {
    try zip.beginEntry("xl/sharedStrings.xml")
    buffer += WorkbookParts.stringsStart(uses: uses, count: strings.count).utf8
    for text in stringsInOrder {
      buffer += "<si>".utf8
      Self.append(text, to: &buffer)
      buffer += "</si>".utf8
      if buffer.count >= Self.pieceSize { try flush() }
    }
    buffer += "</sst>".utf8
    try flush()
  }

  private func flush() throws(SampleError) {
    try zip.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// `<t>` with a text, in which what XML does not allow is written as Excel does: `_x001A_`.
  private static func append(_ text: [UInt8], to buffer: inout [UInt8]) {
    let keepsBlanks = [text.first, text.last].contains { $0.map { $0 <= 0x20 } ?? false }
    buffer += (keepsBlanks ? "<t xml:space=\"preserve\">" : "<t>").utf8
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): buffer += "&amp;".utf8
      case UInt8(ascii: "<"): buffer += "&lt;".utf8
      case UInt8(ascii: ">"): buffer += "&gt;".utf8
      case 0x09, 0x0A: buffer.append(byte)
      case 0..<0x20:
        let digits = String(byte, radix: 16, uppercase: true)
        buffer += "_x\(String(repeating: "0", count: 4 - digits.count))\(digits)_".utf8
      default: buffer.append(byte)
      }
    }
    buffer += "</t>".utf8
  }

  /// The letters of a column: A to Z, AA, AB and on.
  static func letters(_ column: Int) -> String {
    let last = String(Unicode.Scalar(UInt8(ascii: "A") + UInt8(column % 26)))
    return column < 26 ? last : letters(column / 26 - 1) + last
  }
}
