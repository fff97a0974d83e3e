import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The figures of RVU Tracker against one loop over all rows.
@Suite("Work relative value units by day, week, month and year")
struct RVUPeriodTests {
  private static let seed = Seed.announced("an export of a million procedures")

  private func refresh(_ program: Program) throws {
    let outcome = try program.run("refresh")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("are those of a loop over an export of a million procedures, which was loaded")
  func million() throws {
    let (database, program) = try Loaded.migrated()
    let connection = try database.connect()
    let export = RVUExport(seed: Self.seed, procedures: 1_000_000, users: 25)
    let folder = try Scratch()
    try export.write(to: folder.path)
    let load = try program.run("run", "rvutrack", folder.path, "--no-refresh")
    try #require(load.status == 0, "\(load.errors)")
    let outcome = try program.run("refresh", "--full", "mart.rvu_by_period")
    try #require(outcome.status == 0, "\(outcome.errors)")
    let expected = RVUFigures(of: export, withCodes: false)
    #expect(expected.periods.count > 60_000)
    let found = try RVUFigures(on: connection, withCodes: false)
    #expect(found.differences(from: expected) == [], "seed \(Self.seed)")
    try database.drop()
  }

  @Test("are those of a loop after every refresh of random changes, as are the figures by code and by visit")
  func changes() throws {
    let (database, program) = try Loaded.migrated()
    let connection = try database.connect()
    print("Figures of RVU Tracker: seed \(Self.seed)")
    var export = RVUExport(seed: Self.seed, procedures: 8_000, users: 7)
    for round in 0..<8 {
      if round > 0 { export.change(round % 2 == 0 ? 400 : 5) }
      try export.write(on: connection)
      try refresh(program)
      let expected = RVUFigures(of: export, withCodes: true)
      let found = try RVUFigures(on: connection, withCodes: true)
      #expect(found.differences(from: expected) == [], "seed \(Self.seed), round \(round)")
      #expect(expected.codes.count > 1_000 && expected.visits.count > 1_000)
      try compareSummaries(of: export, expected, on: connection)
    }
    // Nothing is left to do for one that computes everything.
    let again = try program.run("refresh", "--full", "--format", "json").object()
    let views = try #require(again["views"] as? [[String: Any]])
    #expect(views.count > 10 && views.allSatisfy { $0["rows_changed"] as? Int == 0 })
    try database.drop()
  }

  /// `mart.rvu_summary` over some spans of days, each of whose days is in the figures.
  private func compareSummaries(of export: RVUExport, _ figures: RVUFigures, on connection: Connection) throws
  {
    let first = CalendarDate.number(2019, 12, 1)
    for (from, days) in [
      (first, 3_000), (CalendarDate.number(2020, 12, 28), 7), (CalendarDate.number(2024, 2, 29), 1),
    ] {
      for user in 0..<3 {
        let spanned = figures.periods.filter {
          $0.key.user == user && $0.key.kind == 0 && (from..<from + days).contains($0.key.first)
        }.values
        let hundredths = spanned.reduce(0) { $0 + $1.hundredths }
        let encounters = spanned.reduce(0) { $0 + $1.encounters }
        let found = try connection.execute(
          """
          SELECT trim_scale(total_rvu * 100), encounters, no_shows, trim_scale(avg_rvu_per_encounter * 10000)
          FROM mart.rvu_summary(('00000001-0000-4000-8000-' || lpad('\(user)', 12, '0'))::uuid,
            date '1970-01-01' + \(from), date '1970-01-01' + \(from + days - 1))
          """)
        try #require(found.count == 1)
        #expect(try found[0].value(0, Int.self) == hundredths)
        #expect(try found[0].value(1, Int.self) == encounters)
        #expect(try found[0].value(2, Int.self) == spanned.reduce(0) { $0 + $1.noShows })
        let average = encounters == 0 ? nil : (2 * hundredths * 100 + encounters) / (2 * encounters)
        #expect(try found[0].optional(3, Int.self) == average)
      }
    }
  }

  @Test("are in the weeks, months and years that calendars have")
  func calendar() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    for (year, month, day) in [
      (2019, 12, 31), (2020, 2, 29), (2021, 1, 3), (2024, 12, 30), (2026, 1, 1), (2027, 1, 4),
    ] {
      let number = CalendarDate.number(year, month, day)
      let starts = CalendarDate.periods(number)
      // The server's own words for them.
      let found = try connection.execute(
        """
        SELECT d, date_trunc('week', d)::date, date_trunc('month', d)::date, date_trunc('year', d)::date
        FROM (SELECT make_date(\(year), \(month), \(day)) AS d) a
        """)[0]
      for (kind, start) in starts.enumerated() {
        #expect(try connection.execute("SELECT date '1970-01-01' + \(start)").first?[0] == found[kind])
      }
    }
  }

  @Test("are refused of a quantity of none, or less, by the table itself", arguments: [0, -1])
  func quantity(_ quantity: Int) throws {
    let (database, _) = try Loaded.migrated()
    let connection = try database.connect()
    try connection.execute(
      """
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.visit (id, user_id, visit_date) VALUES ('\(People.id(11))', '\(People.ana)', '2026-01-05');
      """)
    let insert = { (quantity: Int) in
      """
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu, quantity)
      VALUES (gen_random_uuid(), '\(People.id(11))', '99213', 1.30, \(quantity))
      """
    }
    #expect(Self.state { try connection.execute(insert(quantity)) } == "23514")
    try connection.execute(insert(1))
    #expect(
      Self.state { try connection.execute("UPDATE rvutrack.procedure SET quantity = \(quantity)") } == "23514"
    )
  }

  /// The SQLSTATE of what fails; nil where nothing does.
  private static func state(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? PostgreSQLError)?.sqlState
    }
  }

  @Test("have no average where nobody came, and nothing of a visit that was missed")
  func noShow() throws {
    let (database, program) = try Loaded.migrated()
    try database.connect().execute(
      """
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.visit (id, user_id, visit_date, is_no_show) VALUES
        ('\(People.id(11))', '\(People.ana)', '2025-12-31', true);
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu) VALUES
        ('\(People.id(21))', '\(People.id(11))', '99213', 1.30);
      """)
    try refresh(program)
    let rows = try database.connect().execute(
      """
      SELECT period, start_date, total_rvu, encounters, no_shows, avg_rvu_per_encounter FROM mart.rvu_by_period
      ORDER BY start_date DESC
      """
    ).rows.map { row in (0..<6).map { row[$0] ?? "-" }.joined(separator: " ") }
    #expect(
      rows == [
        "day 2025-12-31 0 0 1 -", "week 2025-12-29 0 0 1 -", "month 2025-12-01 0 0 1 -",
        "year 2025-01-01 0 0 1 -",
      ])
  }
}
