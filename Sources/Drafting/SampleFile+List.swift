import Definitions
import Records
import Values

extension SampleFile {
  /// The sheet of a name, or the first one that has a header.
  mutating func readWorkbook(_ name: String?) throws {
    var first: (any Error)?
    let sheets = try XLSXReader.sheets(of: entry)
    let choices = name.map { [SheetChoice.named($0)] } ?? sheets.indices.map { .numbered($0 + 1) }
    for choice in choices {
      do {
        try readList(.xlsx(XLSXFormat(sheet: choice)))
        otherSheets = try XLSXReader.filledSheets(of: entry).filter { $0 != sheet }
        return
      } catch let error as DraftError {
        first = first ?? error
      }
    }
    throw first ?? DraftError.empty(file: entry.description)
  }

  mutating func readList(_ format: RecordFormat) throws {
    let header = try header(format)
    try name(header.fields)
    var format = format
    if case .delimited(let plain) = format, header.leavesOutTrailing {
      format = .delimited(
        DelimitedFormat(delimiter: plain.delimiter, widthWithTrailing: (places.last ?? 0) + 1))
    }
    var reader = try RecordReader(entry, format: format)
    sheet = reader.sheet
    var passed = 0
    var scratch: [UInt8] = []
    while try reader.next() {
      passed += 1
      guard passed > header.row + 1, !reader.isBlank else { continue }
      if let malformation = reader.malformation {
        throw DraftError.malformed(
          file: entry.description, line: reader.place.line, reason: malformation.description)
      }
      guard records < Self.mostRecords else {
        isWhole = false
        break
      }
      if reader.lacksTrailing { lackingTrailing += 1 }
      take(Self.texts(reader, &scratch), line: reader.place.line, width: header.fields.count)
    }
    encoding = kind == .xlsx ? nil : reader.encoding.name
  }

  /// The first record that names columns: it has as many fields as most, each a text of its own that is no
  /// number.
  private func header(_ format: RecordFormat) throws -> (
    row: Int, fields: [String], leavesOutTrailing: Bool
  ) {
    var reader = try RecordReader(entry, format: format, bufferSize: 32 << 10)
    var first: [[String]] = []
    var scratch: [UInt8] = []
    while first.count < Self.searched, try reader.next() {
      first.append(Self.texts(reader, &scratch).map { String(decoding: $0, as: UTF8.self) })
    }
    func filled(_ record: [String]) -> Int { record.count { !Self.squeezed($0).isEmpty } }
    let most = first.map(filled).max() ?? 0
    guard most > 0 else { throw DraftError.empty(file: entry.description) }
    // A title above the header has a field or two.
    for (row, record) in first.enumerated()
    where filled(record) * 2 > most || most == 1 && filled(record) == 1 {
      let names = record.map(Self.squeezed)
      let numbered = NumberedHeader(names, below: first[(row + 1)...])
      let named = names.indices.filter {
        numbered.holds($0) || names[$0].unicodeScalars.contains(where: \.properties.isAlphabetic)
      }
      guard named.count * 2 > filled(record),
        names.indices.allSatisfy({ names[$0].isEmpty || numbered.holds($0) || Self.isName(names[$0]) })
      else { break }
      let width = (names.lastIndex { !$0.isEmpty } ?? 0) + 1
      return (row, names, TrailingField.isLeftOut(of: first[(row + 1)...], width: width))
    }
    throw DraftError.noHeader(file: entry.description)
  }

  /// Whether a text may name a column: it is no value of those that are recognised by their form.
  private static func isName(_ text: String) -> Bool {
    guard text.utf8.count <= 300 else { return false }
    let bytes = Array(text.utf8)
    guard !bytes.contains(0) else { return false }
    var scratch: [UInt8] = []
    for type in [ValueType.phone, .date(.iso), .date(.monthDayYear), .decimal(precision: 38, scale: 18)] {
      if case .invalid = type.normalise(bytes.span, scratch: &scratch) { continue }
      return false
    }
    return !text.contains("@")
  }

  mutating func name(_ header: [String]) throws {
    var fields: [String: Int] = [:]
    for name in header where !name.isEmpty { fields[name.uppercased(), default: 0] += 1 }
    let repeated = header.filter { fields[$0.uppercased(), default: 0] > 1 }
    guard repeated.isEmpty else {
      var names: [String] = []
      for name in repeated where !names.contains(name) { names.append(name) }
      throw DraftError.repeatedHeaders(file: entry.description, names: names)
    }
    (columns, places) = ([], [])
    for (field, name) in header.enumerated() {
      if name.isEmpty {
        notes.append("column \(field + 1) has no name in the header and is left out")
      } else {
        columns.append(Column(place: .header(name)))
        places.append(field)
      }
    }
    while notes.last?.hasPrefix("column ") == true, header.last?.isEmpty == true, notes.count == header.count
    {
      notes.removeLast()
    }
  }

  mutating func take(_ fields: [[UInt8]], line: Int, width: Int) {
    let texts = fields.indices.filter { fields[$0].contains { $0 > 0x20 } }
    if texts == [0], width > 2 {
      held.append((fields, line))
      return
    }
    // What another record follows is no footnote.
    for record in held { count(record.fields, line: record.line, texts: [0], width: width) }
    held = []
    count(fields, line: line, texts: texts, width: width)
  }

  mutating func count(_ fields: [[UInt8]], line: Int, texts: [Int], width: Int) {
    let isShort = fields.count <= (places.last ?? 0)
    let isLong = texts.contains { $0 >= width }
    guard !isShort, !isLong else {
      misfits.append(line)
      return
    }
    records += 1
    for (column, place) in places.enumerated() { columns[column].seen.take(fields[place]) }
  }

  /// The fields of a record in UTF-8.
  private static func texts(_ reader: borrowing RecordReader, _ scratch: inout [UInt8]) -> [[UInt8]] {
    let encoding = reader.encoding
    return reader.withRecord { bytes, fields in
      (0..<min(fields.count, mostColumns * 4)).map { index in
        let field = bytes.extracting(fields[index].range)
        switch ValueType.text.normalise(field, encoding: encoding, scratch: &scratch) {
        case .scratch: return scratch
        case .slice(let range): return field.extracting(range).withUnsafeBufferPointer { Array($0) }
        case .blank: return []
        case .invalid: return field.withUnsafeBufferPointer { Array($0) }
        }
      }
    }
  }

  /// A header's text with every run of blanks one blank.
  private static func squeezed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
