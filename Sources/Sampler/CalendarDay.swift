import Values

/// Days counted from the first of January 1970, as the Gregorian calendar has them.
enum CalendarDay {
  /// The days to a date such as `2025-11-09`; nil where the text is none.
  static func days(iso text: String) -> Int64? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
    let days = days(year: year, month: month, day: day)
    return date(days) == (year, month, day) ? days : nil
  }

  /// The date so many days after one such as `2025-11-09`, as `20251110`; nil where the text is none.
  static func compact(_ iso: String, later days: Int64) -> String? {
    self.days(iso: iso).map { day in
      var bytes: [UInt8] = []
      append(day + days, .compact, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The days to a date.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    // Years begin in March, so that the leap day is their last.
    let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let beforeYear: Int64 = years * 365 + years / 4 - years / 100 + years / 400
    let beforeMonth: Int64 = (months * 153 + 2) / 5
    return beforeYear + beforeMonth + day - 719_469
  }

  /// The date of a day.
  static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let leapDays: Int64 = ofEra / 1460 - ofEra / 36_524 + ofEra / 146_096
    let yearOfEra: Int64 = (ofEra - leapDays) / 365
    let ofYear: Int64 = ofEra - 365 * yearOfEra - yearOfEra / 4 + yearOfEra / 100
    let shiftedMonth: Int64 = (5 * ofYear + 2) / 153
    let month: Int64 = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day: Int64 = ofYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Writes a date in a form.
  @inline(never)
  static func append(_ days: Int64, _ order: ValueType.DateOrder, to bytes: inout [UInt8]) {
    let (year, month, day) = date(days)
    switch order {
    case .iso: append([year / 100, year % 100, month, day], [2, 3], UInt8(ascii: "-"), to: &bytes)
    case .monthDayYear: append([month, day, year / 100, year % 100], [1, 2], UInt8(ascii: "/"), to: &bytes)
    case .compact: append([year / 100, year % 100, month, day], [], 0, to: &bytes)
    }
  }

  /// Writes numbers of two digits, some of them behind a mark.
  private static func append(
    _ numbers: [Int64], _ marked: [Int], _ mark: UInt8, to bytes: inout [UInt8]
  ) {
    for (place, number) in numbers.enumerated() {
      if marked.contains(place) { bytes.append(mark) }
      bytes.append(UInt8(truncatingIfNeeded: 0x30 + number / 10))
      bytes.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }
  }
}
