import Definitions
import Records
import Values

/// A file that a draft is made from: how its records are written, and what they call their columns.
struct SampleFile {
  /// The formats that a draft is made from.
  static let formats: [Source.Format] = [.csv, .xlsx, .json, .ndjson]

  /// A column as the file has it.
  struct Column {
    let place: DraftColumn.Place
    var seen = ColumnProfile()
  }

  /// So many records are searched for the header.
  private static let searched = 40
  /// So many records are looked at: of more the answer is hardly another.
  static let mostRecords = 100_000
  /// A table has 1,600 columns, three of them the engine's.
  static let mostColumns = 1597

  let entry: SourceEntry
  let kind: Source.Format
  /// The byte between fields; nil where there is none.
  private(set) var delimiter: UInt8?
  /// The columns that have a name, in their order.
  private(set) var columns: [Column] = []
  /// How many records were looked at, and whether these are all.
  private(set) var records = 0
  private(set) var isWhole = true
  /// The name of the text's encoding; nil of a workbook.
  private(set) var encoding: String?
  /// How many records at the end hold text in their first field alone.
  var footnotes: Int { held.count }
  /// Where records begin that have other fields than the header, and would be refused.
  private(set) var misfits: [Int] = []
  /// The sheet of a workbook that is looked at, and the others that hold rows.
  private(set) var sheet: String?
  private(set) var otherSheets: [String] = []
  /// The names that lead from a document to its records.
  private(set) var way: [String] = []
  /// What is left out of the draft, and why.
  private(set) var notes: [String] = []

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

  // MARK: Lists

  /// The sheet of a name, or the first one that has a header.
  private mutating func readWorkbook(_ name: String?) throws {
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

  private mutating func readList(_ format: RecordFormat) throws {
    let header = try header(format)
    try name(header.fields)
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
      take(Self.texts(reader, &scratch), line: reader.place.line, width: header.fields.count)
    }
    encoding = kind == .xlsx ? nil : reader.encoding.name
  }

  /// The first record that names columns: it has as many fields as most, each a text of its own that is no
  /// number.
  private func header(_ format: RecordFormat) throws -> (row: Int, fields: [String]) {
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
      return (row, names)
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

  private mutating func name(_ header: [String]) throws {
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

  /// The last records, as long as they hold text in their first field alone.
  private var held: [(fields: [[UInt8]], line: Int)] = []
  /// The fields of the columns.
  private var places: [Int] = []

  private mutating func take(_ fields: [[UInt8]], line: Int, width: Int) {
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

  private mutating func count(_ fields: [[UInt8]], line: Int, texts: [Int], width: Int) {
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

  // MARK: Trees

  private mutating func readTree() throws {
    if kind == .json, let name = try wrapper() { way = [name] }
    let syntax: TreeFormat.Syntax = kind == .json ? .json : .jsonLines
    let format = RecordFormat.tree(TreeFormat(syntax, plan: TreePlan(fields: []), records: way))
    var reader = try RecordReader(entry, format: format)
    var known: [[String]: Int] = [:]
    var left: Set<[String]> = []
    while try reader.next() {
      guard !reader.isBlank else { continue }
      guard records < Self.mostRecords else {
        isWhole = false
        break
      }
      let leaves = try leaves(of: reader)
      records += 1
      var seen: Set<Int> = []
      for leaf in leaves {
        guard case .things = leaf.value else {
          take(leaf, &known, &seen)
          continue
        }
        if left.insert(leaf.path).inserted {
          notes.append(
            "'\(leaf.path.joined(separator: "."))' repeats and is left out: rows of it go into a child table")
        }
      }
      for column in columns.indices where !seen.contains(column) {
        // What came later was missing before.
        while columns[column].seen.records < records { columns[column].seen.take([]) }
      }
    }
    for column in columns.indices
    where left.contains(where: { columns[column].place == Self.place($0, isList: false) }) {
      notes.append("'\(columns[column].place)' is a value in some records and repeats in others")
    }
    encoding = TextEncoding.utf8.name
    guard !columns.isEmpty || records == 0 else { throw DraftError.noHeader(file: entry.description) }
  }

  private mutating func take(_ leaf: JSONLeaves.Leaf, _ known: inout [[String]: Int], _ seen: inout Set<Int>)
  {
    guard leaf.path.allSatisfy(Self.isPathName) else {
      let name = leaf.path.joined(separator: ".")
      let note = "'\(name)' has a name that no path can have, and is left out"
      if !notes.contains(note) { notes.append(note) }
      return
    }
    let index = known[leaf.path] ?? columns.count
    if index == columns.count {
      known[leaf.path] = index
      columns.append(Column(place: Self.place(leaf.path, isList: leaf.isItem)))
      for _ in 0..<max(0, records - 1) { columns[index].seen.take([]) }
    } else if leaf.isItem, columns[index].place == Self.place(leaf.path, isList: false) {
      var column = Column(place: Self.place(leaf.path, isList: true))
      column.seen = columns[index].seen
      columns[index] = column
    }
    guard seen.insert(index).inserted else { return }
    if case .text(let text) = leaf.value {
      columns[index].seen.take(text)
    } else {
      columns[index].seen.take([])
    }
  }

  private static func place(_ path: [String], isList: Bool) -> DraftColumn.Place {
    .path(path.joined(separator: "."), isList: isList)
  }

  /// Whether a property can be in a path, see ``TreePath``.
  private static func isPathName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains { ".[]".contains($0) }
      && !name.unicodeScalars.contains { $0.value < 0x20 }
  }

  private func leaves(of reader: borrowing RecordReader) throws -> [JSONLeaves.Leaf] {
    func failure(_ malformation: Malformation) -> DraftError {
      .malformed(file: entry.description, line: reader.place.line, reason: malformation.description)
    }
    if let malformation = reader.malformation { throw failure(malformation) }
    let raw = reader.raw
    do throws(Malformation) { return try JSONLeaves.read(raw) } catch { throw failure(error) }
  }

  /// The property of a document of one object that holds the records, where it has one that does.
  private func wrapper() throws -> String? {
    let format = RecordFormat.tree(TreeFormat(.json, plan: TreePlan(fields: [])))
    var reader = try RecordReader(entry, format: format)
    guard try reader.next(), reader.malformation == nil else { return nil }
    guard let leaves = try? JSONLeaves.read(reader.raw), try !reader.next() else { return nil }
    let things = Set(leaves.filter { $0.value == .things && $0.path.count == 1 }.map { $0.path[0] })
    guard things.count == 1, let name = things.first, Self.isPathName(name) else { return nil }
    return name
  }
}
