/// What quirks make of a file's records, one after the other.
///
/// A quirk of one record is put into the second row, so that a reader has seen a good one before it; of a
/// table of one row, into that.
struct RecordQuirks {
  private let quirks: Set<GeneralQuirk>
  private let file: SampleFile
  private let write: (SampleRecord) throws(SampleError) -> Void
  private var held: [SampleRecord] = []
  /// The last row, until it is known that another one follows.
  private var lastRow: SampleRecord?

  init(
    _ quirks: Set<GeneralQuirk>, file: SampleFile,
    write: @escaping (SampleRecord) throws(SampleError) -> Void
  ) {
    self.quirks = quirks
    self.file = file
    self.write = write
  }

  /// Takes the next record.
  mutating func take(_ record: SampleRecord) throws(SampleError) {
    if record.isRow, quirks.contains(.asciiOrder) || quirks.contains(.ebcdicOrder) {
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
    let sorted = held.enumerated().map { (key: key($0.element), place: $0.offset, record: $0.element) }
      .sorted { one, other in
        one.key == other.key ? one.place < other.place : one.key.lexicographicallyPrecedes(other.key)
      }
    held = []
    for (number, row) in sorted.enumerated() {
      var record = row.record
      record.role = .row(number)
      try pass(record)
    }
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
      for (index, column) in file.columns.enumerated() where column.isDigits {
        record.fields[index] = record.fields[index].withoutLeadingZeros
      }
    }
    if quirks.contains(.trailingBlanks) {
      for index in record.fields.indices where !record.fields[index].isEmpty {
        record.fields[index].append(UInt8(ascii: " "))
      }
    }
  }

  private func oneRow(_ record: inout SampleRecord) {
    if let textColumn = file.textColumn {
      let text = record.fields[textColumn]
      if let addedText { record.fields[textColumn] = text + addedText.utf8 }
      if quirks.contains(.embeddedNewline) { record.fields[textColumn] = text + "\nin two lines".utf8 }
      if quirks.contains(.strayQuote) {
        record.fields[textColumn] = text + " 5\" wide".utf8
        record.bareField = textColumn
      }
      if quirks.contains(.textAfterQuote) {
        record.fields[textColumn] = [UInt8(ascii: "\"")] + text + "\" and more".utf8
        record.bareField = textColumn
      }
      if quirks.contains(.undecodable) { record.fields[textColumn].append(GeneralQuirk.undecodableByte) }
    }
    if quirks.contains(.missingField) { record.fields.removeLast() }
    if quirks.contains(.extraField) { record.fields.append(Array("extra".utf8)) }
    if quirks.contains(.longLine) {
      // Long enough wherever the row's own text ends.
      record.fields.append(Array(repeating: UInt8(ascii: "X"), count: file.text.greatestLength + 1))
    }
  }

  /// Characters beyond ASCII: an accented letter, a blank that does not break, and, but for Latin-1, a
  /// typographer's apostrophe.
  private var addedText: String? {
    if quirks.contains(.latin1) { return " \u{E1}\u{A0}x" }
    return quirks.contains { $0.group == "encodings" } ? " \u{E1}\u{A0}x\u{2019}s" : nil
  }

  /// The bytes of a row's key, as ASCII or EBCDIC orders them.
  private func key(_ record: SampleRecord) -> [UInt8] {
    let isEBCDIC = quirks.contains(.ebcdicOrder)
    let fields = file.key.compactMap { name in file.columns.firstIndex { $0.name == name } }
    return fields.flatMap { record.fields[$0].map(isEBCDIC ? Self.ebcdic : { $0 }) + [0] }
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
