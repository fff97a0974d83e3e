/// What quirks make of a file's records, one after the other.
///
/// A quirk of one record is put into the second row, so that a reader has seen a good one before it; of a
/// table of one row, into that.
struct RecordQuirks {
  private let quirks: Set<GeneralQuirk>
  private let textColumn: Int?
  private let columns: [SampleFile.Column]
  private let sort: RecordSort?
  private let greatestLength: Int
  private let write: (SampleRecord) throws(SampleError) -> Void
  private var held: [SampleRecord] = []
  /// The last row, until it is known that another one follows.
  private var lastRow: SampleRecord?

  init(
    _ quirks: Set<GeneralQuirk>, file: SampleFile,
    write: @escaping (SampleRecord) throws(SampleError) -> Void
  ) {
    self.quirks = quirks
    self.write = write
    columns = file.columns
    textColumn = file.textColumn
    greatestLength = file.text.greatestLength
    sort = RecordSort(quirks, file: file)
  }

  /// Whether there is nothing to be done.
  static func isIdle(_ quirks: Set<GeneralQuirk>) -> Bool {
    quirks.isDisjoint(with: [
      .utf8, .cp1252, .latin1, .utf16le, .utf16be, .undecodable, .embeddedNewline, .strayQuote,
      .textAfterQuote, .extraField, .missingField, .trailingBlanks, .lostZeros, .asciiOrder, .ebcdicOrder,
      .duplicateKey, .longLine,
    ])
  }

  /// Takes the next record.
  mutating func take(_ record: SampleRecord) throws(SampleError) {
    guard sort != nil else { return try pass(record) }
    if record.isRow {
      held.append(record)
    } else {
      try release()
      try pass(record)
    }
  }

  /// Takes the end of the records.
  mutating func finish() throws(SampleError) {
    try release()
    try endRows()
  }

  private mutating func release() throws(SampleError) {
    guard let sort, !held.isEmpty else { return }
    for (number, record) in sort.sorted(held).enumerated() {
      var record = record
      record.role = .row(number)
      try pass(record)
    }
    held = []
  }

  private mutating func pass(_ record: SampleRecord) throws(SampleError) {
    guard case .row(let number) = record.role else {
      if record.role == .footer { try endRows() }
      return try write(record)
    }
    var record = record
    if number == 1 { oneRow(&record) }
    everyRow(&record)
    if quirks.contains(.duplicateKey) { lastRow = record }
    try write(record)
  }

  /// Repeats the last row once all are written.
  private mutating func endRows() throws(SampleError) {
    guard let row = lastRow else { return }
    lastRow = nil
    try write(row)
  }

  private func everyRow(_ record: inout SampleRecord) {
    if quirks.contains(.lostZeros) {
      for (index, column) in columns.enumerated() where column.isDigits {
        record.replace(index, with: Array(record[index].withoutLeadingZeros))
      }
    }
    if quirks.contains(.trailingBlanks) {
      for index in 0..<record.count where !record[index].isEmpty {
        record.replace(index, with: record[index] + [UInt8(ascii: " ")])
      }
    }
  }

  private func oneRow(_ record: inout SampleRecord) {
    if let textColumn {
      let text = String(decoding: record[textColumn], as: UTF8.self)
      if let added = addedText { record.replace(textColumn, with: Array((text + added).utf8)) }
      if quirks.contains(.embeddedNewline) {
        record.replace(textColumn, with: Array((text + "\nin two lines").utf8))
      }
      if quirks.contains(.strayQuote) {
        record.replace(textColumn, with: Array((text + " 5\" wide").utf8))
        record.bareField = textColumn
      }
      if quirks.contains(.textAfterQuote) {
        record.replace(textColumn, with: Array("\"\(text)\" and more".utf8))
        record.bareField = textColumn
      }
      if quirks.contains(.undecodable) {
        record.replace(textColumn, with: Array(record[textColumn]) + [GeneralQuirk.undecodableByte])
      }
    }
    if quirks.contains(.missingField) { record.removeLast() }
    if quirks.contains(.extraField) { record.append("extra".utf8) }
    if quirks.contains(.longLine) {
      // Long enough wherever the row's own text ends.
      record.append([UInt8](repeating: UInt8(ascii: "X"), count: greatestLength + 1))
    }
  }

  /// Characters beyond ASCII: an accented letter, a blank that does not break, and, but for Latin-1, a
  /// typographer's apostrophe.
  private var addedText: String? {
    if quirks.contains(.latin1) { return " \u{E1}\u{A0}x" }
    let others: Set<GeneralQuirk> = [.utf8, .cp1252, .utf16le, .utf16be]
    return quirks.isDisjoint(with: others) ? nil : " \u{E1}\u{A0}x\u{2019}s"
  }
}

/// Orders rows by the bytes of their keys, as ASCII or EBCDIC has them.
struct RecordSort {
  private let fields: [Int]
  private let isEBCDIC: Bool

  /// nil when no order is asked for.
  init?(_ quirks: Set<GeneralQuirk>, file: SampleFile) {
    guard quirks.contains(.asciiOrder) || quirks.contains(.ebcdicOrder) else { return nil }
    isEBCDIC = quirks.contains(.ebcdicOrder)
    fields = file.key.compactMap { name in file.columns.firstIndex { $0.name == name } }
  }

  func sorted(_ records: [SampleRecord]) -> [SampleRecord] {
    records.enumerated().map { (key: key($0.element), place: $0.offset, record: $0.element) }
      .sorted { one, other in
        one.key == other.key ? one.place < other.place : one.key.lexicographicallyPrecedes(other.key)
      }
      .map(\.record)
  }

  private func key(_ record: SampleRecord) -> [UInt8] {
    var key: [UInt8] = []
    for field in fields { key += record[field].map(isEBCDIC ? Self.ebcdic : { $0 }) + [0] }
    return key
  }

  /// A rank of letters, digits and blanks as EBCDIC has it: blanks, letters, digits.
  private static func ebcdic(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30 + 0xF0
    case UInt8(ascii: "A")...UInt8(ascii: "I"): byte - 0x41 + 0xC1
    case UInt8(ascii: "J")...UInt8(ascii: "R"): byte - 0x4A + 0xD1
    case UInt8(ascii: "S")...UInt8(ascii: "Z"): byte - 0x53 + 0xE2
    case UInt8(ascii: " "): 0x40
    default: 0x41
    }
  }
}
