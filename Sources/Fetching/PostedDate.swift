/// The day that an address says its file was posted on, as publishers write it into names.
enum PostedDate {
  /// `YYYYMMDD` of the latest date in a text; empty where there is none, which comes before every date.
  ///
  /// A date is `01/10/2025`, `01-10-2025`, `01_10_2025`, `01102025` or `2025-01-10`.
  static func of(_ text: String) -> String {
    var dates: [String] = []
    for run in text.split(whereSeparator: { !isDigit($0) && !"/-_.".contains($0) }) {
      let numbers = run.split(whereSeparator: { !isDigit($0) }).map(String.init)
      for (index, number) in numbers.enumerated() {
        if number.count == 8 {
          let parts = [number.prefix(2), number.dropFirst(2).prefix(2), number.suffix(4)].map(String.init)
          dates += [day(parts[2], parts[0], parts[1])].compactMap(\.self)
        }
        guard index + 2 < numbers.count else { continue }
        let (first, second, third) = (number, numbers[index + 1], numbers[index + 2])
        dates += [day(third, first, second) ?? day(first, second, third)].compactMap(\.self)
      }
    }
    return dates.max() ?? ""
  }

  private static func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }

  private static func day(_ year: String, _ month: String, _ day: String) -> String? {
    guard year.count == 4, (1...2).contains(month.count), (1...2).contains(day.count),
      let y = Int(year), (1990...2999).contains(y), let m = Int(month), (1...12).contains(m),
      let d = Int(day), (1...31).contains(d)
    else { return nil }
    return year + (m < 10 ? "0\(m)" : "\(m)") + (d < 10 ? "0\(d)" : "\(d)")
  }
}
