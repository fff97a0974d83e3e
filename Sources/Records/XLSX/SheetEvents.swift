/// Gathers the rows of a sheet as its XML goes by.
///
/// What is gathered is as much as the XML that was read since the last `letGo()`, and never more than one
/// row's limits beyond: shared strings, which a row may name as often as it likes, are kept as numbers.
final class SheetEvents: XMLEvents {
  static let mostColumns = 16_384
  static let mostRows = 1_048_576

  /// What a cell's value is, by its attribute `t`.
  private enum Kind { case number, shared, text, inline, boolean, date }

  private(set) var rows: [SheetRow] = []
  private(set) var cells: [SheetCell] = []
  private(set) var bytes: [UInt8] = []

  private let workbook: XLSXWorkbook
  private let stringCount: Int
  private let recordLimit: Int
  private var row: SheetRow?
  /// The number of the last row that was in order.
  private var lastRow = 0
  /// Where the next row begins.
  private var nextOffset = 0
  private var isInData = false
  private var isInCell = false
  private var isInInline = false
  private var isInPhonetic = false
  private var isInText = false
  private var kind = Kind.number
  private var style = 0
  private var column = 0
  private var nextColumn = 0
  private var textStart = 0
  private var number = SheetNumber()

  init(_ workbook: XLSXWorkbook, stringCount: Int, recordLimit: Int) {
    self.workbook = workbook
    self.stringCount = stringCount
    self.recordLimit = recordLimit
  }

  /// Forgets the rows that are whole; the one that is being read stays.
  func letGo() {
    rows.removeAll(keepingCapacity: true)
    let (byte, cell) = (row?.firstByte ?? bytes.count, row?.firstCell ?? cells.count)
    bytes.removeSubrange(..<byte)
    cells.removeSubrange(..<cell)
    row?.firstByte = 0
    row?.firstCell = 0
    textStart -= byte
  }

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    guard isInData else {
      if XMLName.matches(name, "sheetData") {
        isInData = true
        // The tag's own end is still to come.
        nextOffset = (parser?.offset ?? -1) + 1
      }
      return
    }
    if XMLName.matches(name, "c") {
      beginCell(attributes)
    } else if XMLName.matches(name, "v") {
      isInText = isInCell && kind != .inline
    } else if XMLName.matches(name, "row") {
      beginRow(attributes)
    } else if XMLName.matches(name, "is") {
      isInInline = kind == .inline
    } else if XMLName.matches(name, "rPh") {
      isInPhonetic = true
    } else if XMLName.matches(name, "t") {
      isInText = isInCell && isInInline && !isInPhonetic
    }
  }

  override func end(_ name: UnsafePointer<UInt8>) {
    guard isInData else { return }
    if XMLName.matches(name, "c") {
      endCell()
    } else if XMLName.matches(name, "v") || XMLName.matches(name, "t") {
      isInText = false
    } else if XMLName.matches(name, "row") {
      endRow()
    } else if XMLName.matches(name, "is") {
      isInInline = false
    } else if XMLName.matches(name, "rPh") {
      isInPhonetic = false
    } else if XMLName.matches(name, "sheetData") {
      isInData = false
    }
  }

  override func text(_ text: UnsafeBufferPointer<UInt8>) {
    guard isInText, let start = row?.firstByte else { return }
    // Escapes and long numbers get shorter: a little more than a record may have is enough to know it.
    guard bytes.count - start <= recordLimit else {
      mark(.tooLong)
      return
    }
    bytes.append(contentsOf: text)
  }
}

extension SheetEvents {
  private func beginRow(_ attributes: XMLAttributes) {
    // A row in a row is not of this format; the outer one ends.
    if row != nil { endRow() }
    let given = attributes.bytes("r").map { XMLName.number($0) } ?? lastRow + 1
    var row = SheetRow(
      number: given ?? lastRow, offset: nextOffset, firstByte: bytes.count, firstCell: cells.count)
    if lastRow == Self.mostRows, given.map({ $0 > lastRow }) ?? false {
      refusal = "the sheet has more than \(Self.mostRows) rows"
      parser?.stop()
    }
    if let given, given > lastRow, given <= Self.mostRows {
      lastRow = given
    } else {
      row.malformation = .badReference
    }
    nextColumn = 0
    self.row = row
  }

  private func endRow() {
    guard var row else { return }
    row.cellCount = cells.count - row.firstCell
    row.byteCount = bytes.count - row.firstByte
    rows.append(row)
    self.row = nil
    nextOffset = parser?.offset ?? 0
  }

  private func beginCell(_ attributes: XMLAttributes) {
    guard row != nil else { return }
    isInCell = true
    textStart = bytes.count
    style = attributes.number("s") ?? 0
    kind = Self.kind(attributes.bytes("t"))
    column = nextColumn
    if let reference = attributes.bytes("r") {
      column = Self.column(reference) ?? Self.mostColumns
    }
    if column < nextColumn || column >= Self.mostColumns {
      mark(.badReference)
      isInCell = false
    } else {
      nextColumn = column + 1
    }
  }

  private func endCell() {
    guard isInCell, let row else { return }
    isInCell = false
    isInText = false
    if bytes.count == textStart { return }
    var isNumber = false
    switch kind {
    case .shared:
      let index = XMLName.number(bytes[textStart...])
      bytes.removeSubrange(textStart...)
      guard let index, index < stringCount else {
        mark(.badCell)
        return
      }
      cells.append(SheetCell(column: column, shared: index, text: FieldRange(0, 0), isNumber: false))
      return
    case .number: isNumber = endNumber()
    case .text, .inline: XMLEscapes.decode(&bytes, from: textStart)
    case .boolean: endBoolean()
    case .date: endDate()
    }
    let text = FieldRange(textStart - row.firstByte, bytes.count - row.firstByte)
    cells.append(SheetCell(column: column, shared: -1, text: text, isNumber: isNumber))
  }

  /// Says what is wrong with the row, if nothing is yet.
  private func mark(_ malformation: Malformation) {
    if let row, row.malformation == nil { self.row?.malformation = malformation }
  }

  /// Writes the number as it is meant; false if it is a date, a code with its zeros, or no number at all.
  private func endNumber() -> Bool {
    let format = style < workbook.styles.count ? workbook.styles[style] : .number
    if format == .number, SheetNumber.isShortest(bytes[textStart...]) { return true }
    guard number.read(bytes[textStart...]) else {
      mark(.badCell)
      return false
    }
    bytes.removeSubrange(textStart...)
    switch format {
    case .number: break
    case .code(let code):
      if let digits = number.wholeDigits {
        code.append(digits, to: &bytes)
        return false
      }
    case .date, .time:
      if SheetDate.append(number.approximate, format, is1904: workbook.is1904, to: &bytes) { return false }
    }
    number.append(to: &bytes)
    return true
  }

  private func endBoolean() {
    let text = bytes[textStart...]
    let word: StaticString
    if text.elementsEqual("1".utf8) || text.elementsEqual("true".utf8) {
      word = "TRUE"
    } else if text.elementsEqual("0".utf8) || text.elementsEqual("false".utf8) {
      word = "FALSE"
    } else {
      mark(.badCell)
      return
    }
    bytes.removeSubrange(textStart...)
    word.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// The date is written as ISO 8601 has it, often with a midnight that is not meant.
  private func endDate() {
    let midnight = Array("T00:00:00".utf8)
    if bytes.count - textStart == 19, bytes[(textStart + 10)...].elementsEqual(midnight) {
      bytes.removeLast(midnight.count)
    }
  }

  private static func kind(_ type: UnsafeBufferPointer<UInt8>?) -> Kind {
    guard let type, let first = type.first else { return .number }
    switch (first, type.count) {
    case (UInt8(ascii: "s"), 1): return .shared
    case (UInt8(ascii: "n"), 1): return .number
    case (UInt8(ascii: "b"), 1): return .boolean
    case (UInt8(ascii: "d"), 1): return .date
    case (UInt8(ascii: "i"), _): return .inline
    // The text of a formula, an error, and what is not known.
    default: return .text
    }
  }

  /// The column, from 0, of a reference such as `AE19100`; nil if it is none.
  @inline(__always)
  private static func column(_ reference: UnsafeBufferPointer<UInt8>) -> Int? {
    var column = 0
    var place = 0
    while place < reference.count, case let letter = reference[place] & 0xDF, letter >= 0x41, letter <= 0x5A {
      guard place < 3 else { return nil }
      column = column &* 26 &+ Int(letter &- 0x40)
      place += 1
    }
    return place == 0 || place == reference.count ? nil : column - 1
  }
}

/// A row of a sheet as it was read, before its texts are looked up.
struct SheetRow {
  /// From 1.
  var number: Int
  /// Bytes of the sheet's XML before the row.
  var offset: Int
  /// Where the row's own texts and its cells begin among all that have been read.
  var firstByte: Int
  var firstCell: Int
  var cellCount = 0
  var byteCount = 0
  var malformation: Malformation?
}

/// A cell that holds something.
struct SheetCell {
  /// From 0.
  let column: Int
  /// The number of the shared string that is the cell's text; -1 if the text is the row's own.
  let shared: Int
  /// The cell's text among the row's own.
  let text: FieldRange
  /// The cell is a number that is not shown as a date or a time.
  let isNumber: Bool
}
