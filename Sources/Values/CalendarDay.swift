/// A year, month and day as written, perhaps of no calendar.
package struct CalendarDay: Equatable {
  /// The year, from 1 where it is real.
  package let year: Int
  /// The month, from 1.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

  /// A day by its numbers.
  package init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

  /// The day that a text is, `YYYY-MM-DD`; nil where it is none of the calendar.
  package init?(iso text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == ASCII.minus }), let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
    if !isReal { return nil }
  }

  /// The day of a number, which is 0 for 1 January 1970 (Howard Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms").
  package init(daysSince1970 days: Int) {
    // Years begin in March, so that the leap day is their last.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The number of a day of the calendar.
  package var daysSince1970: Int {
    let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 719_469
  }

  /// Whether it is written as zeros, as publishers write "none".
  var isZero: Bool { year == 0 && month == 0 && day == 0 }

  /// Whether the Gregorian calendar has it.
  var isReal: Bool {
    guard year >= 1, month >= 1, month <= 12, day >= 1 else { return false }
    switch month {
    case 4, 6, 9, 11: return day <= 30
    case 2:
      let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
      return day <= (isLeapYear ? 29 : 28)
    default: return day <= 31
    }
  }

  /// Appends it as `YYYY-MM-DD`.
  package func write(to output: inout [UInt8]) {
    func append(_ number: Int) {
      output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: number % 10))
    }
    append(year / 1000)
    append(year / 100)
    append(year / 10)
    append(year)
    output.append(ASCII.minus)
    append(month / 10)
    append(month)
    output.append(ASCII.minus)
    append(day / 10)
    append(day)
  }
}
