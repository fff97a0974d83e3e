import PostgreSQL
import TestSupport
import Testing

/// Weeks are counted in calendar dates, 280 days back from the day of delivery.
@Suite("The week of a pregnancy")
struct PregnancyTests {
  /// Days of delivery, each with other days and what is to be shown of it then: week, day, trimester; nil
  /// where there is no pregnancy to count.
  ///
  /// The last menstrual period of 2026-10-08 is 2026-01-01; of 2024-12-05 it is 2024-02-29.
  static let cases: [(edd: String, on: String, expected: String?)] = [
    ("2026-10-08", "2025-12-31", nil),
    ("2026-10-08", "2026-01-01", "0|0|1"),
    ("2026-10-08", "2026-01-07", "0|6|1"),
    ("2026-10-08", "2026-01-08", "1|0|1"),
    ("2026-10-08", "2026-04-08", "13|6|1"),
    ("2026-10-08", "2026-04-09", "14|0|2"),
    ("2026-10-08", "2026-07-15", "27|6|2"),
    ("2026-10-08", "2026-07-16", "28|0|3"),
    ("2026-10-08", "2026-10-07", "39|6|3"),
    ("2026-10-08", "2026-10-08", "40|0|3"),
    ("2026-10-08", "2026-10-22", "42|0|3"),
    ("2026-10-08", "2026-11-05", "44|0|3"),
    ("2026-10-08", "2026-11-06", nil),
    // Leap days: in the middle, and as the first day.
    ("2024-11-06", "2024-02-28", "4|0|1"),
    ("2024-11-06", "2024-02-29", "4|1|1"),
    ("2024-11-06", "2024-03-01", "4|2|1"),
    ("2024-12-05", "2024-02-29", "0|0|1"),
    ("2023-11-07", "2023-03-01", "4|1|1"),
    // The nights on which clocks are changed, and the ends of years.
    ("2026-10-08", "2026-03-07", "9|2|1"),
    ("2026-10-08", "2026-03-08", "9|3|1"),
    ("2026-10-08", "2026-03-09", "9|4|1"),
    ("2026-12-31", "2026-10-31", "31|2|3"),
    ("2026-12-31", "2026-11-01", "31|3|3"),
    ("2026-12-31", "2026-11-02", "31|4|3"),
    ("2027-03-01", "2026-12-31", "31|3|3"),
    ("2027-03-01", "2027-01-01", "31|4|3"),
  ]

  @Test(
    "is right at every boundary, whatever the session's time zone, also as the stored view shows it, which shows none after the birth"
  )
  func boundaries() throws {
    let doula = try SystemDatabase()
    try doula.execute(
      """
      INSERT INTO doula.doula_profile (id) VALUES (@ana);
      INSERT INTO doula.client (id, doula_id, name, edd, status)
        SELECT gen_random_uuid(), @ana, 'c', edd::date, status
        FROM (VALUES \(Set(Self.cases.map(\.edd)).map { "('\($0)')" }.joined(separator: ", "))) e(edd),
          unnest('{preparing,postpartum}'::text[]) status;
      """)
    for item in Self.cases {
      let expected = item.expected ?? "-|-|-"
      for zone in ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"] {
        try doula.execute("SET timezone = '\(zone)'")
        try doula.expect(
          """
          SELECT d / 7, d % 7, doula.trimester(d / 7), doula.pregnancy_week('\(item.edd)', '\(item.on)')
          FROM doula.gestation_days('\(item.edd)', '\(item.on)') d
          """, "\(expected)|\(expected.prefix { $0 != "|" })")
      }
      try doula.refresh("mart.client_pregnancy", "--on", item.on)
      try doula.expect(
        """
        SELECT c.status, v.week, v.day, v.trimester, v.days_to_edd = v.edd - date '\(item.on)'
        FROM mart.client_pregnancy v JOIN doula.client c ON c.id = v.client_id WHERE v.edd = '\(item.edd)'
        ORDER BY 1 DESC
        """, "preparing|\(expected)|t", "postpartum|-|-|-|t")
    }
  }
}
