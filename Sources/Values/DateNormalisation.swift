/// Dates into ISO 8601, checked against the Gregorian calendar.
enum DateNormalisation {
  static func date(
    _ field: Span<UInt8>, _ range: Range<Int>, _ order: ValueType.DateOrder, _ scratch: inout [UInt8]
  ) -> Normalised {
    // An ISO date cannot be mistaken for any other, so it is taken in every column.
    if let date = iso(field, range) {
      return judge(date) ?? .slice(range)
    }
    let parsed: CalendarDay?
    switch order {
    case .iso: parsed = nil
    case .monthDayYear: parsed = monthDayYear(field, range)
    case .compact: parsed = compact(field, range)
    }
    guard let parsed else { return .invalid(.notDate) }
    if let verdict = judge(parsed) {
      return verdict
    }
    scratch.removeAll(keepingCapacity: true)
    parsed.write(to: &scratch)
    return .scratch
  }

  /// Blank for the zero date, which publishers write for "none"; invalid for a day that never was; nil if
  /// good.
  private static func judge(_ date: CalendarDay) -> Normalised? {
    if date.isZero { return .blank }
    return date.isReal ? nil : .invalid(.impossibleDate)
  }

  private static func iso(_ field: Span<UInt8>, _ range: Range<Int>) -> CalendarDay? {
    let start = range.lowerBound
    guard range.count == 10, field[start &+ 4] == ASCII.minus, field[start &+ 7] == ASCII.minus,
      let year = number(field, start, 4), let month = number(field, start &+ 5, 2),
      let day = number(field, start &+ 8, 2)
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  private static func compact(_ field: Span<UInt8>, _ range: Range<Int>) -> CalendarDay? {
    let start = range.lowerBound
    guard range.count == 8, let year = number(field, start, 4), let month = number(field, start &+ 4, 2),
      let day = number(field, start &+ 6, 2)
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  /// One or two digits, one or two digits, four digits.
  private static func monthDayYear(_ field: Span<UInt8>, _ range: Range<Int>) -> CalendarDay? {
    let start = range.lowerBound
    guard range.count >= 8, range.count <= 10 else { return nil }
    let monthDigits = field[start &+ 1] == ASCII.slash ? 1 : 2
    let dayStart = start &+ monthDigits &+ 1
    let dayDigits = range.upperBound &- 5 &- dayStart
    guard dayDigits == 1 || dayDigits == 2, field[dayStart &- 1] == ASCII.slash,
      field[dayStart &+ dayDigits] == ASCII.slash, let month = number(field, start, monthDigits),
      let day = number(field, dayStart, dayDigits), let year = number(field, range.upperBound &- 4, 4)
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  private static func number(_ field: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
    var number = 0
    for index in start..<(start &+ count) {
      guard ASCII.isDigit(field[index]) else { return nil }
      number = number &* 10 &+ Int(field[index] &- ASCII.zero)
    }
    return number
  }
}
