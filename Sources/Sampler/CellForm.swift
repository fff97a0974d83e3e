import Glibc
import Values

/// How a sheet's cells hold the values of a table's columns.
struct CellForm {
  /// What a cell holds.
  enum Cell: Equatable {
    /// A number, as it is written.
    case number([UInt8])
    /// Days since the workbook's first day.
    case date(Int)
    /// A text.
    case text([UInt8])
  }

  /// Whether texts are in their cells.
  let isInline: Bool
  /// Whether days are counted from the first of January 1904.
  let is1904: Bool
  private let hasDates: Bool
  private let hasIntegers: Bool
  private let hasLongDoubles: Bool

  init(_ quirks: Set<GeneralQuirk>) {
    isInline = quirks.contains(.inlineStrings)
    is1904 = quirks.contains(.dateSerials1904)
    hasDates = is1904 || quirks.contains(.dateSerials)
    hasIntegers = quirks.contains(.intCodes)
    hasLongDoubles = quirks.contains(.longDoubles)
  }

  /// The cell of a field; of one that is in no row, such as a header's, without a column.
  func cell(_ field: [UInt8], of column: SampleFile.Column?, row: Int) -> Cell {
    guard let column else { return .text(field) }
    if column.isNumber { return .number(hasLongDoubles ? Self.long(field, row: row) : field) }
    if hasIntegers, column.isName || column.isCompactDate, let number = Self.integer(field, column) {
      return .number(number)
    }
    if hasDates, case .date(let order) = column.type, let days = Self.days(field, order) {
      // Days of the 1900 system count the 29th of February 1900, which never was.
      return .date(is1904 ? days + 24_107 : days + 25_569)
    }
    return .text(field)
  }

  /// The number that a spreadsheet takes a name for; nil where it leaves the text.
  private static func integer(_ field: [UInt8], _ column: SampleFile.Column) -> [UInt8]? {
    guard field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = field.withoutLeadingZeros
    // Indicators such as 090 and 09 are texts in the publisher's workbooks: nothing says how long they were.
    return column.type == .code && number.count < field.count ? nil : number
  }

  /// A number with 17 significant digits: that of the nearest binary fraction, or in every second row of the
  /// next larger one, as sums have it.
  private static func long(_ field: [UInt8], row: Int) -> [UInt8] {
    guard field.contains(UInt8(ascii: ".")), let number = Double(String(decoding: field, as: UTF8.self))
    else { return field }
    var text = [CChar](repeating: 0, count: 40)
    let count = withVaList([row.isMultiple(of: 2) ? number : number.nextUp]) {
      vsnprintf(&text, text.count, "%.17g", $0)
    }
    return text.prefix(Int(count)).map { UInt8(bitPattern: $0) }
  }

  /// Days from the first of January 1970 to a date; nil when the text is none.
  private static func days(_ field: [UInt8], _ order: ValueType.DateOrder) -> Int? {
    let text = String(decoding: field, as: UTF8.self)
    let parts: [Int?]
    switch order {
    case .iso: parts = text.split(separator: "-").map { Int($0) }
    case .monthDayYear:
      let numbers = text.split(separator: "/").map { Int($0) }
      parts = numbers.count == 3 ? [numbers[2], numbers[0], numbers[1]] : []
    case .compact:
      guard text.utf8.count == 8, let number = Int(text) else { return nil }
      parts = [number / 10_000, number / 100 % 100, number % 100]
    }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
    return Int(CalendarDay.days(year: Int64(year), month: Int64(month), day: Int64(day)))
  }
}
