import Values

/// A way in which real files differ from what their layout says, whatever they hold.
public enum GeneralQuirk: String, CaseIterable, Sendable {
  case lf
  case bareCR = "bare-cr"
  case mixedLineEnds = "mixed-line-ends"
  case noFinalNewline = "no-final-newline"
  case ctrlZ = "ctrl-z"
  case bom
  case utf8 = "utf-8"
  case cp1252
  case latin1 = "latin-1"
  case utf16le = "utf-16le"
  case utf16be = "utf-16be"
  case undecodable
  case allQuoted = "all-quoted"
  case embeddedNewline = "embedded-newline"
  case strayQuote = "stray-quote"
  case textAfterQuote = "text-after-quote"
  case extraField = "extra-field"
  case missingField = "missing-field"
  case trailingBlanks = "trailing-blanks"
  case lostZeros = "lost-zeros"
  case intCodes = "int-codes"
  case longDoubles = "long-doubles"
  case dateSerials = "date-serials"
  case dateSerials1904 = "date-serials-1904"
  case inlineStrings = "inline-strings"
  case extraBanner = "extra-banner"
  case footnotes
  case rewordedHeader = "reworded-header"
  case unknownColumn = "unknown-column"
  case missingColumn = "missing-column"
  case asciiOrder = "ascii-order"
  case ebcdicOrder = "ebcdic-order"
  case duplicateKey = "duplicate-key"
  case shortLines = "short-lines"
  case paddedLines = "padded-lines"
  case longLine = "long-line"
  case folderInZip = "folder-in-zip"
  case nestedZip = "nested-zip"
  case truncated
  case badCRC = "bad-crc"

  /// The byte that ends the data of a file, control-Z.
  static let endMark: UInt8 = 0x1A
  /// A byte that is neither UTF-8 nor a character of Windows-1252.
  static let undecodableByte: UInt8 = 0x81

  /// What the quirk does, in a line.
  public var summary: String {
    switch self {
    case .lf: "lines end in LF"
    case .bareCR: "lines end in a bare CR, the last one in CRLF"
    case .mixedLineEnds: "lines end in CRLF, LF and CR in turn"
    case .noFinalNewline: "the last line has no end"
    case .ctrlZ: "a control-Z ends the data: as a record, behind the last line, in a workbook as _x001A_"
    case .bom: "the file begins with the byte order mark of UTF-8"
    case .utf8: "characters of two and three bytes in a text, in UTF-8"
    case .cp1252: "the same characters in Windows-1252: E1, A0 and 92"
    case .latin1: "characters of Latin-1 in a text: E1 and A0"
    case .utf16le: "the characters of utf-8 in UTF-16, little end first, with its mark"
    case .utf16be: "the characters of utf-8 in UTF-16, big end first, with its mark"
    case .undecodable: "a byte in the text of one record that no encoding knows"
    case .allQuoted: "every field is quoted"
    case .embeddedNewline: "a line end inside a quoted field"
    case .strayQuote: "a quote inside an unquoted field of one record"
    case .textAfterQuote: "text behind the closing quote of a field of one record"
    case .extraField: "one record has a field more than the header"
    case .missingField: "one record has a field less than the header"
    case .trailingBlanks: "a blank behind the text of every field"
    case .lostZeros: "numbers that are names, such as 02102, without their leading zeros"
    case .intCodes:
      "codes, modifiers, contractors, dates such as 20250101 and the like as whole numbers: 00100 is 100"
    case .longDoubles: "numbers with the digits of a binary fraction: 0.30000000000000004"
    case .dateSerials: "dates as days since 1900"
    case .dateSerials1904: "dates as days since 1904"
    case .inlineStrings: "texts in the cells themselves, not in the shared strings"
    case .extraBanner: "ten lines above the header"
    case .footnotes: "two footnotes behind the rows"
    case .rewordedHeader: "columns under other names that the layout knows"
    case .unknownColumn: "a column that no layout knows beside all that are needed"
    case .missingColumn: "a column that is needed is not there"
    case .asciiOrder: "rows in the order of their keys"
    case .ebcdicOrder: "rows in the order of their keys in EBCDIC: letters before digits"
    case .duplicateKey: "the last row comes once more"
    case .shortLines: "lines without the blanks at their ends"
    case .paddedLines: "lines filled up with blanks to the layout's greatest length"
    case .longLine: "one line is longer than the layout's records"
    case .folderInZip: "the entries are in a folder"
    case .nestedZip: "the bundle is in another zip"
    case .truncated: "the archive is cut off"
    case .badCRC: "the checksum of the first entry is wrong"
    }
  }

  /// The formats that have the quirk.
  public var formats: [SampleFormat] {
    switch self {
    case .lf, .bareCR, .mixedLineEnds, .noFinalNewline, .bom, .cp1252, .latin1, .utf16le, .utf16be,
      .undecodable:
      [.csv, .txt]
    case .allQuoted, .strayQuote, .textAfterQuote, .extraField, .missingField, .trailingBlanks, .lostZeros:
      [.csv]
    case .embeddedNewline, .rewordedHeader, .unknownColumn, .missingColumn: [.csv, .xlsx]
    case .intCodes, .longDoubles, .dateSerials, .dateSerials1904, .inlineStrings: [.xlsx]
    case .shortLines, .paddedLines, .longLine: [.txt]
    case .utf8, .ctrlZ, .extraBanner, .footnotes, .asciiOrder, .ebcdicOrder, .duplicateKey, .folderInZip,
      .nestedZip, .truncated, .badCRC:
      SampleFormat.tables
    }
  }

  /// Which files have the quirk, unless a source is named with it.
  enum Spread {
    /// Every file that can.
    case everyFile
    /// The first of the files that can.
    case firstFile
    /// The archive, not its files.
    case archive
  }

  var spread: Spread {
    switch self {
    case .utf8, .cp1252, .latin1, .utf16le, .utf16be, .undecodable, .embeddedNewline, .strayQuote,
      .textAfterQuote, .extraField, .missingField, .unknownColumn, .missingColumn, .duplicateKey, .longLine,
      .extraBanner:
      .firstFile
    case .folderInZip, .nestedZip, .truncated, .badCRC: .archive
    default: .everyFile
    }
  }

  /// Of quirks with the same word here only one can be had.
  var group: String? {
    switch self {
    case .lf, .bareCR, .mixedLineEnds: "line ends"
    case .utf8, .cp1252, .latin1, .utf16le, .utf16be: "encodings"
    case .dateSerials, .dateSerials1904: "dates"
    case .asciiOrder, .ebcdicOrder: "orders"
    case .shortLines, .paddedLines: "lengths"
    default: nil
    }
  }

  /// Whether a file has what the quirk is about.
  func concerns(_ file: SampleFile, in format: SampleFormat) -> Bool {
    guard formats.contains(format) else { return false }
    switch self {
    case .utf8, .cp1252, .latin1, .utf16le, .utf16be, .undecodable, .embeddedNewline, .strayQuote,
      .textAfterQuote:
      return file.textColumn != nil
    case .lostZeros: return file.columns.contains(where: \.isDigits)
    case .intCodes: return file.columns.contains { $0.isName || $0.isCompactDate }
    case .longDoubles: return file.columns.contains(where: \.isNumber)
    case .dateSerials, .dateSerials1904: return file.columns.contains(where: \.isDate)
    case .footnotes: return file.takesFootnotes
    case .rewordedHeader: return file.columns.contains { !$0.otherHeaders.isEmpty }
    case .missingColumn: return file.columns.contains(where: \.isRequired)
    case .asciiOrder, .ebcdicOrder: return !file.key.isEmpty && file.block == nil
    case .paddedLines: return file.text.length < file.text.greatestLength
    case .extraBanner: return format != .txt || file.text.bannerMark != nil
    default: return true
    }
  }
}

extension Set<GeneralQuirk> {
  /// These quirks, and of some others those that none of these excludes.
  func joined(by others: Self) -> Self {
    union(others.filter { other in other.group == nil || !contains { $0.group == other.group } })
  }
}

extension SampleFile {
  /// The number of the first column whose texts are free.
  var textColumn: Int? { columns.firstIndex { ($0.type == .text || $0.type == .line) && !$0.isNumber } }
}

extension SampleFile.Column {
  /// Whether the column's values are names that may be made of digits alone.
  var isName: Bool {
    switch type {
    case .digits, .hcpcs, .modifier, .code: !isNumber
    default: false
    }
  }

  /// Whether the values are of digits only, zeros at the beginning included.
  var isDigits: Bool {
    if case .digits = type { !isNumber } else { false }
  }

  /// Whether the values are calendar dates of digits alone.
  var isCompactDate: Bool { type == .date(.compact) && !isNumber }

  /// Whether the values are calendar dates.
  var isDate: Bool {
    if case .date = type { !isNumber } else { false }
  }
}
