import PostgreSQL
import TestSupport
import Testing

/// The figures of RVU Tracker against one loop over all rows.
@Suite("Work relative value units by day, week, month and year")
struct RVUPeriodTests {
  @Test(
    "are those of a loop over an export that was loaded, and over each that follows, as are those by code and by visit"
  )
  func exports() throws {
    let seed = Seed.announced("exports of RVU Tracker")
    let tracker = try SystemDatabase()
    var export = RVUExport(seed: seed, procedures: 40_000)
    for round in 0..<6 {
      if round > 0 { export.change(round % 2 == 0 ? 400 : 5) }
      try export.write(to: tracker.scratch.path)
      try tracker.program.run("run", "rvutrack", tracker.scratch.path).succeeded()
      if round == 0 { try tracker.refresh("--full", "mart.rvu_by_period") }
      // An export says nothing of what is gone.
      let gone = export.remove()
      try tracker.execute("DELETE FROM rvutrack.procedure WHERE id = '\(gone)'")
      try tracker.refresh()
      let figures = RVUFigures(of: export)
      let (expected, found) = (figures.lines, Set(try tracker.rows(RVUFigures.query)))
      #expect(expected.count > 50_000)
      #expect(
        expected.symmetricDifference(found).sorted().prefix(8) == [], "seed \(seed), round \(round)")
      try compareSummaries(figures, tracker)
    }
    // Nothing is left to do for one that computes everything.
    let again = try tracker.program.run("refresh", "--full", "--format", "json").object()
    let views = try #require(again["views"] as? [[String: Any]])
    #expect(views.count > 10 && views.allSatisfy { $0["rows_changed"] as? Int == 0 })
    try tracker.database.drop()
  }

  /// `mart.rvu_summary` over some spans of days, each of whose days is in the figures.
  private func compareSummaries(_ figures: RVUFigures, _ tracker: SystemDatabase) throws {
    // All; the days from 2020-12-28 on; a leap day.
    for days in [18_231..<21_231, 18_624..<18_631, 19_782..<19_783] {
      for user in 0..<3 {
        let spanned = figures.periods.filter {
          $0.key[0] == user && $0.key[1] == 0 && days.contains($0.key[2])
        }
        let (first, last) = (days.lowerBound, days.upperBound - 1)
        try tracker.expect(
          """
          SELECT \(RVUFigures.totals) FROM mart.rvu_summary(
            ('00000001-0000-4000-8000-' || lpad('\(user)', 12, '0'))::uuid,
            date '1970-01-01' + \(first), date '1970-01-01' + \(last))
          """, spanned.values.reduce(.init(), +).text)
      }
    }
  }
}
