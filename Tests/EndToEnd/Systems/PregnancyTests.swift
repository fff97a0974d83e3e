import PostgreSQL
import TestSupport
import Testing

/// Weeks are counted in calendar dates, 280 days back from the day of delivery.
@Suite("The week of a pregnancy")
struct PregnancyTests {
  /// A day, and what is to be shown of it for one day of delivery.
  struct Case: Sendable, CustomTestStringConvertible {
    let edd: String
    let on: String
    /// week, day, trimester; nil where there is no pregnancy to count.
    let expected: [Int]?

    init(_ edd: String, _ on: String, _ expected: [Int]?) {
      (self.edd, self.on, self.expected) = (edd, on, expected)
    }

    var testDescription: String { "EDD \(edd) on \(on)" }
  }

  /// The last menstrual period of 2026-10-08 is 2026-01-01; of 2024-12-05 it is 2024-02-29.
  static let cases = [
    Case("2026-10-08", "2025-12-31", nil),
    Case("2026-10-08", "2026-01-01", [0, 0, 1]),
    Case("2026-10-08", "2026-01-07", [0, 6, 1]),
    Case("2026-10-08", "2026-01-08", [1, 0, 1]),
    Case("2026-10-08", "2026-04-08", [13, 6, 1]),
    Case("2026-10-08", "2026-04-09", [14, 0, 2]),
    Case("2026-10-08", "2026-07-15", [27, 6, 2]),
    Case("2026-10-08", "2026-07-16", [28, 0, 3]),
    Case("2026-10-08", "2026-10-07", [39, 6, 3]),
    Case("2026-10-08", "2026-10-08", [40, 0, 3]),
    Case("2026-10-08", "2026-10-22", [42, 0, 3]),
    Case("2026-10-08", "2026-11-05", [44, 0, 3]),
    Case("2026-10-08", "2026-11-06", nil),
    // Leap days: in the middle, and as the first day.
    Case("2024-11-06", "2024-02-28", [4, 0, 1]),
    Case("2024-11-06", "2024-02-29", [4, 1, 1]),
    Case("2024-11-06", "2024-03-01", [4, 2, 1]),
    Case("2024-12-05", "2024-02-29", [0, 0, 1]),
    Case("2023-11-07", "2023-03-01", [4, 1, 1]),
    // The nights on which clocks are changed, and the ends of years.
    Case("2026-10-08", "2026-03-07", [9, 2, 1]),
    Case("2026-10-08", "2026-03-08", [9, 3, 1]),
    Case("2026-10-08", "2026-03-09", [9, 4, 1]),
    Case("2026-12-31", "2026-10-31", [31, 2, 3]),
    Case("2026-12-31", "2026-11-01", [31, 3, 3]),
    Case("2026-12-31", "2026-11-02", [31, 4, 3]),
    Case("2027-03-01", "2026-12-31", [31, 3, 3]),
    Case("2027-03-01", "2027-01-01", [31, 4, 3]),
  ]

  private static let database: Result<(TestDatabase, Program), any Error> = Result {
    let (database, program) = try Loaded.migrated()
    let owner = "'\(People.ana)'"
    let days = Set(cases.map(\.edd)).sorted().enumerated()
    try database.connect().execute(
      "INSERT INTO doula.doula_profile (id) VALUES (\(owner));"
        + days.map { index, edd in
          """
          INSERT INTO doula.client (id, doula_id, name, edd) VALUES ('\(People.id(100 + index))', \(owner), 'c', '\(edd)');
          INSERT INTO doula.client (id, doula_id, name, edd, status)
            VALUES ('\(People.id(200 + index))', \(owner), 'p', '\(edd)', 'postpartum');
          """
        }.joined(separator: "\n"))
    return (database, program)
  }

  @Test("is right at every boundary, whatever the session's time zone", arguments: cases)
  func boundary(_ case: Case) throws {
    let connection = try Self.database.get().0.connect()
    for zone in ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"] {
      let row = try connection.execute(
        """
        SET timezone = '\(zone)';
        SELECT d / 7, d % 7, doula.trimester(d / 7), doula.pregnancy_week('\(`case`.edd)', '\(`case`.on)')
        FROM doula.gestation_days('\(`case`.edd)', '\(`case`.on)') d
        """)[0]
      let found = try (0..<4).map { try row.optional($0, Int.self) }
      let expected = `case`.expected.map { $0.map(Optional.init) + [$0[0]] } ?? [nil, nil, nil, nil]
      #expect(found == expected, "\(zone)")
    }
  }

  @Test("is what the stored view shows as of any date, and is none after the birth")
  func view() throws {
    let (database, program) = try Self.database.get()
    for `case` in Self.cases {
      let refresh = try program.run("refresh", "mart.client_pregnancy", "--on", `case`.on)
      try #require(refresh.status == 0, "\(refresh.errors)")
      let rows = try database.connect().query(
        """
        SELECT c.status, v.week, v.day, v.trimester, v.days_to_edd = v.edd - $2::date
        FROM mart.client_pregnancy v JOIN doula.client c ON c.id = v.client_id WHERE v.edd = $1::date ORDER BY 1
        """, [.text(`case`.edd), .text(`case`.on)])
      try #require(rows.count == 2)
      #expect(
        try (1...3).map { try rows[0].optional($0, Int.self) } == `case`.expected?.map(Optional.init) ?? [
          nil, nil, nil,
        ])
      #expect(try (1...3).map { try rows[1].optional($0, Int.self) } == [nil, nil, nil], "postpartum")
      #expect(try rows.rows.allSatisfy { try $0.value(4, Bool.self) })
    }
  }
}
