import Foundation
import TestSupport
import Testing

@Suite("Facts of a group of hospitals")
struct HospitalFactsTests {
  /// What each stored view is to hold, by its name.
  private static let computed = [
    "mart.procedure_monthly": """
    SELECT user_id, date_trunc('month', performed_on::timestamp)::date AS month, count(*) AS procedures,
      sum(units) AS units, sum(work_rvu) AS work_rvu, sum(total_rvu) AS total_rvu
    FROM facts.procedure GROUP BY 1, 2
    """,
    "mart.user_activity": """
    SELECT user_id, v.visits, v.completed, v.last_visit_at, coalesce(p.procedures, 0) AS procedures,
      coalesce(p.work_rvu, 0) AS work_rvu, p.last_performed_on
    FROM (SELECT user_id, count(*) AS visits, count(*) FILTER (WHERE status = 'completed') AS completed,
      max(started_at) AS last_visit_at FROM facts.visit GROUP BY 1) v
    LEFT JOIN (SELECT user_id, count(*) AS procedures, sum(work_rvu) AS work_rvu, max(performed_on) AS last_performed_on
      FROM facts.procedure GROUP BY 1) p USING (user_id)
    """,
  ]

  private func expectViewsInStep(_ database: SystemDatabase, at place: SourceLocation = #_sourceLocation)
    throws
  {
    for (view, sql) in Self.computed {
      let stored = "SELECT * FROM \(view)"
      for difference in ["\(stored) EXCEPT ALL (\(sql))", "(\(sql)) EXCEPT ALL \(stored)"] {
        #expect(try database.rows(difference) == [], "\(view)", sourceLocation: place)
      }
      #expect(try database.rows("SELECT count(*) > 0 FROM \(view)") == ["t"], sourceLocation: place)
    }
  }

  @Test("are merged whole in each format, with codes as they are written elsewhere")
  func formats() throws {
    var export = try SystemExport("hospital-facts", rows: 1000)
    let (visits, procedures) = (export.files["visits"]?.count ?? 0, export.files["procedures"]?.count ?? 0)
    #expect((300...2000).contains(procedures) && (100...900).contains(visits), "\(visits) \(procedures)")
    let users = Set((export.files["visits"] ?? []).compactMap { $0["user_id"] as? String })
    #expect(users.count == 10)
    let database = try SystemDatabase()
    try database.load(export).succeeded()
    try database.expect("SELECT count(*) FROM facts.visit", "\(visits)")
    try database.expect("SELECT count(*) FROM facts.procedure", "\(procedures)")
    let content = try database.content(of: "facts")
    let csv = try Samples.make("hospital-facts", formats: ["csv"], rows: 1000, name: "export.zip")
    try database.program.run("run", "hospital-facts", csv, "--no-refresh").succeeded()
    try database.load(export.camelCased, as: "json").succeeded()
    #expect(try database.content(of: "facts") == content)
    try database.expect(
      "SELECT run, sum(inserted + updated + deleted) FROM rivulet.merge WHERE run > 1 GROUP BY 1 ORDER BY 1",
      "2|0", "3|0")

    let code = try #require(export.files["procedures"]?[0]["hcpcs"] as? String)
    try export.edit("procedures") { $0["hcpcs"] = " \(code.lowercased()) " }
    try database.load(export).succeeded()
    #expect(try database.content(of: "facts") == content)
  }

  @Test("change what another file changes, and the views with them")
  func merges() throws {
    var export = try SystemExport("hospital-facts", rows: 1000)
    let database = try SystemDatabase()
    try database.load(export).succeeded()
    try database.refresh()
    try expectViewsInStep(database)
    let before = try database.rows("SELECT count(*), sum(units) FROM facts.procedure")[0].split(
      separator: "|")
    let (count, units) = (try #require(Int(before[0])), try #require(Int(before[1])))

    // One of another month and with more units, one that is gone, one that is new.
    let first = try #require(export.files["procedures"]?[0]["units"].flatMap { Int("\($0)") })
    let second = try #require(export.files["procedures"]?[1]["units"].flatMap { Int("\($0)") })
    try export.edit("procedures") { ($0["units"], $0["performed_on"]) = (first + 5, "2031-02-03") }
    try export.edit("procedures", 1) { $0["deleted_at"] = "2025-09-01" }
    try export.edit("procedures", 2) { $0["procedure_id"] = People.id(9) }
    try export.edit("procedures", 2) { $0["units"] = 1 }
    try database.load(export.only("procedures", 3)).succeeded()
    try database.expect(
      "SELECT inserted, updated, deleted, unchanged FROM rivulet.merge WHERE run = 2", "1|1|1|0")
    try database.expect(
      "SELECT count(*), sum(units) FROM facts.procedure", "\(count)|\(units + 5 - second + 1)")
    try database.refresh()
    try expectViewsInStep(database)
    try database.expect(
      "SELECT procedures, units FROM mart.procedure_monthly WHERE month = '2031-02-01'", "1|\(first + 5)")
    try database.expect("SELECT sum(procedures) FROM mart.procedure_by_code", "\(count)")
  }

  @Test("refuse what refers to no visit of the user, and what is no procedure")
  func refused() throws {
    let export = try SystemExport("hospital-facts", rows: 1000)
    let database = try SystemDatabase()
    // Of a visit that is nowhere, and of one that is another user's.
    for (column, value) in [("visit_id", People.id(7)), ("user_id", People.ana)] {
      var orphan = export
      try orphan.edit("procedures") { $0[column] = value }
      try database.load(orphan).failed(3, saying: "1 orphans-procedures of procedures")
    }
    for (column, value, rule) in [
      ("units", "-1", "1 range in units"), ("work_rvu", "-0.50", "1 range in work_rvu"),
      ("performed_on", "someday", "in performed_on"), ("hcpcs", "99-13", "in hcpcs"),
    ] {
      var broken = export
      try broken.edit("procedures") { $0[column] = value }
      try database.load(broken).failed(3, saying: rule)
    }
    try database.expect(
      "SELECT (SELECT count(*) FROM facts.visit) + (SELECT count(*) FROM facts.procedure)", "0")
    var orphan = export
    try orphan.edit("procedures") { $0["visit_id"] = People.id(7) }
    try database.load(orphan, "--max-rejects", "1").succeeded()
    try database.expect(
      "SELECT count(*) FROM facts.procedure", "\((export.files["procedures"]?.count ?? 0) - 1)")
  }
}
