import Values

/// Dates in sheets: numbers of days that a number format makes a date.
enum SheetDate {
  /// What a number format shows.
  enum Format: Equatable {
    case number
    /// A day, perhaps with a time.
    case date
    /// A time of day alone.
    case time
    /// A whole number as a code, with zeros in front.
    case code(SheetCode)

    /// One of the formats that have a number and no code in the file (ECMA-376 part 1, 18.8.30).
    init(builtIn id: Int) {
      switch id {
      case 14...17, 22, 27...31, 34...36, 50...58: self = .date
      // 46 is [h]:mm:ss, hours beyond 24.
      case 18...21, 32, 33, 45, 47: self = .time
      default: self = .number
      }
    }

    /// A format by its code, such as `m/d/yyyy` or `"Q"0`.
    init(code: String) {
      if let code = SheetCode(code: code) {
        self = .code(code)
        return
      }
      var hasDay = false
      var hasMonthOrMinute = false
      var hasTime = false
      var bytes = code.utf8.makeIterator()
      scan: while let byte = bytes.next() {
        switch byte | 0x20 {
        case UInt8(ascii: "d"), UInt8(ascii: "y"): hasDay = true
        case UInt8(ascii: "m"): hasMonthOrMinute = true
        case UInt8(ascii: "h"), UInt8(ascii: "s"): hasTime = true
        default: break
        }
        switch byte {
        case UInt8(ascii: "\""): while let quoted = bytes.next(), quoted != UInt8(ascii: "\"") {}
        case UInt8(ascii: "["):
          // A colour, a language, a condition; or hours beyond 24, which are no time of day.
          var isElapsed = true
          while let inner = bytes.next(), inner != UInt8(ascii: "]") {
            isElapsed = isElapsed && "hms".utf8.contains(inner | 0x20)
          }
          if isElapsed {
            self = .number
            return
          }
        // The next character is shown as it is, left out, or repeated.
        case UInt8(ascii: "\\"), UInt8(ascii: "_"), UInt8(ascii: "*"): _ = bytes.next()
        // What follows is for negative numbers.
        case UInt8(ascii: ";"): break scan
        default: break
        }
      }
      if hasDay || (hasMonthOrMinute && !hasTime) {
        self = .date
      } else {
        self = hasTime ? .time : .number
      }
    }
  }

  /// Appends the ISO form of a serial number: `2025-10-01`, with a time `2025-10-01T13:30:00`, of a time
  /// alone `13:30:00`.
  /// - Returns: false, and nothing is appended, where the number is no date: 29 February 1900, which is in
  ///   the 1900 system and not in the calendar, and what is before the first or after the last day.
  static func append(
    _ serial: Double, _ format: Format, is1904: Bool, to bytes: inout [UInt8]
  ) -> Bool {
    guard serial >= 0, serial < 2_958_466 else { return false }
    // To the second, as it is shown.
    let seconds = Int((serial * 86_400).rounded())
    let (day, second) = (seconds / 86_400, seconds % 86_400)
    if format == .time {
      guard day == 0 else { return false }
    } else {
      guard let days = daysSince1970(day, is1904: is1904) else { return false }
      CalendarDay(daysSince1970: days).write(to: &bytes)
      if second == 0 { return true }
      bytes.append(UInt8(ascii: "T"))
    }
    for (place, number) in [second / 3_600, second / 60 % 60, second % 60].enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ":")) }
      bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
      bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
    return true
  }

  private static func daysSince1970(_ day: Int, is1904: Bool) -> Int? {
    // 1 January 1904 is 24,107 days before 1970, and day 0 of its system.
    if is1904 { return day <= 2_957_003 ? day - 24_107 : nil }
    // Day 60 is a 29 February 1900 that never was; the days before it are therefore one off.
    if day == 0 || day == 60 || day > 2_958_465 { return nil }
    return day - 25_569 + (day < 60 ? 1 : 0)
  }
}

/// A number format of zeros alone, such as `00000`, perhaps with dashes between, such as `00000-0000`: what a
/// cell of it shows is a code that the spreadsheet keeps as a number.
struct SheetCode: Equatable {
  /// Zeros and dashes, as they are shown.
  private let pattern: [UInt8]

  /// A format by its code; nil for one of another kind. What follows a semicolon is for negative numbers.
  init?(code: String) {
    var pattern: [UInt8] = []
    for byte in code.utf8.prefix(while: { $0 != UInt8(ascii: ";") }) {
      switch byte {
      case UInt8(ascii: "0"), UInt8(ascii: "-"): pattern.append(byte)
      // Before a dash that is shown as it is.
      case UInt8(ascii: "\\"): continue
      default: return nil
      }
    }
    // A single zero is any number.
    guard pattern.count(where: { $0 == UInt8(ascii: "0") }) > 1 else { return nil }
    self.pattern = pattern
  }

  /// Appends a whole number of ASCII digits with the zeros and dashes of the format; digits for which
  /// it has no place come before the others.
  func append(_ digits: [UInt8], to bytes: inout [UInt8]) {
    let places = pattern.count { $0 == UInt8(ascii: "0") }
    var rest = digits[...]
    for _ in 0..<max(0, digits.count - places) { bytes.append(rest.removeFirst()) }
    var missing = places - rest.count
    for byte in pattern {
      if byte != UInt8(ascii: "0") {
        bytes.append(byte)
      } else if missing > 0 {
        bytes.append(byte)
        missing -= 1
      } else {
        bytes.append(rest.removeFirst())
      }
    }
  }
}
