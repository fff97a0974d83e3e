import Testing

@Suite struct DateTests {
  private static let dates: TypeCases = [
    "date(MM/DD/YYYY)": [
      ("01/31/2025", "2025-01-31"), ("1/5/2025", "2025-01-05"), ("12/5/2025", "2025-12-05"),
      ("1/25/2025", "2025-01-25"), ("2025-01-31", "2025-01-31"), ("31/01/2025", "!impossible-date"),
      ("02/30/2020", "!impossible-date"), ("00/00/0000", "blank"), ("01/01/0000", "!impossible-date"),
      ("20250131", "!not-a-date"), ("01-31-2025", "!not-a-date"), ("1/5/25", "!not-a-date"),
      ("01/31/20255", "!not-a-date"), ("001/1/2025", "!not-a-date"), ("//1/12025", "!not-a-date"),
      ("12/52025", "!not-a-date"), ("", "blank"), ("01/31/202A", "!not-a-date"),
    ],
    "date(YYYYMMDD)": [
      ("20250131", "2025-01-31"), (" 20250131 ", "2025-01-31"), ("00000000", "blank"),
      ("20250229", "!impossible-date"), ("2025-02-28", "2025-02-28"), ("2025013", "!not-a-date"),
    ],
    "date": [
      ("2024-02-29", "2024-02-29"), ("2023-02-29", "!impossible-date"), ("0000-00-00", "blank"),
      ("2025-1-31", "!not-a-date"), ("01/31/2025", "!not-a-date"), ("20250131", "!not-a-date"),
      ("2025-01-31T00:00", "!not-a-date"), ("2025-00-10", "!impossible-date"),
      ("2025-01-00", "!impossible-date"), ("+025-01-01", "!not-a-date"),
    ],
  ]

  @Test(arguments: dates)
  func `a date becomes ISO or a named failure`(type: String, values: [(field: String, expected: String)]) {
    check(type, values)
  }

  @Test(arguments: [1899, 1900, 1996, 2000, 2023, 2024, 2100])
  func `only days of the calendar are dates`(year: Int) {
    let isLeap = [1996, 2000, 2024].contains(year)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    for month in 1...13 {
      for day in 1...32 {
        let iso = "\(year)-\(padded(month))-\(padded(day))"
        let expected = month <= 12 && day <= lengths[month - 1] ? iso : "!impossible-date"
        #expect(normalised("date", iso) == expected)
        #expect(normalised("date(MM/DD/YYYY)", "\(month)/\(day)/\(year)") == expected)
        #expect(normalised("date(YYYYMMDD)", "\(year)\(padded(month))\(padded(day))") == expected)
      }
    }
  }
}
