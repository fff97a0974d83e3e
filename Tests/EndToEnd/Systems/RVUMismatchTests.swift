import PostgreSQL
import TestSupport
import Testing

/// Stored work relative value units against the release in effect on the day of the visit.
@Suite("The check of what visits have stored")
struct RVUMismatchTests {
  @Test("compares with the release of the day, the row of the modifier, and says why what differs does")
  func reasons() throws {
    let (database, program) = try Loaded.migrated()
    let zips = try ["2025A", "2025B"].map { try Samples.make(rows: 60, release: $0) }
    let run = try program.run(["run", "cms-rvu"] + zips + Loaded.unlikeTheLast)
    try #require(run.status == 0, "\(run.errors)")
    let connection = try database.connect()
    // A code of both releases without parts, whose units are made to differ.
    try connection.execute(
      "UPDATE cms.rvu SET work_rvu = 1.5 + (release = '2025B')::int * 0.25 WHERE release IN ('2025A', '2025B')"
    )
    let row = try connection.execute(
      """
      SELECT a.hcpcs, a.work_rvu, b.work_rvu FROM cms.rvu a JOIN cms.rvu b USING (hcpcs, modifier)
      WHERE a.release = '2025A' AND b.release = '2025B' AND modifier = ''
        AND NOT EXISTS (SELECT FROM cms.rvu o WHERE o.hcpcs = a.hcpcs AND o.modifier <> '')
      ORDER BY 1 LIMIT 1
      """)
    let (code, before, after) = try (
      #require(row.first?[0]), #require(row.first?[1]), #require(row.first?[2])
    )
    try connection.execute(
      """
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.visit (id, user_id, visit_date, deleted_at) VALUES
        ('\(People.id(1))', '\(People.ana)', '2025-03-31', NULL), ('\(People.id(2))', '\(People.ana)', '2025-04-01', NULL),
        ('\(People.id(3))', '\(People.ana)', '2024-12-31', NULL), ('\(People.id(4))', '\(People.ana)', '2025-03-31', now());
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, modifier, work_rvu, quantity, deleted_at) VALUES
        ('\(People.id(11))', '\(People.id(1))', '\(code)', '', \(before), 1, NULL),
        ('\(People.id(12))', '\(People.id(1))', '\(code)', '', \(after), 2, NULL),
        ('\(People.id(13))', '\(People.id(2))', '\(code)', '', \(after), 1, NULL),
        ('\(People.id(14))', '\(People.id(2))', '\(code)', '', \(before), 3, NULL),
        -- A modifier that the release has no row of leaves the units as they are.
        ('\(People.id(15))', '\(People.id(2))', '\(code)', '25', \(after), 1, NULL),
        ('\(People.id(16))', '\(People.id(2))', '99Z99', '', 1, 1, NULL),
        ('\(People.id(17))', '\(People.id(3))', '\(code)', '', \(before), 1, NULL),
        ('\(People.id(18))', '\(People.id(4))', '\(code)', '', 99, 1, NULL),
        ('\(People.id(19))', '\(People.id(1))', '\(code)', '', 99, 1, now());
      """)
    #expect(
      try connection.lines(
        """
        SELECT right(procedure_id::text, 2), release, stored_rvu, published_rvu, reason FROM mart.visit_rvu_mismatch
        ORDER BY 1
        """) == [
          "12|2025A|\(after)|\(before)|the work relative value units differ",
          "14|2025B|\(before)|\(after)|the work relative value units differ",
          "16|2025B|1.00|-|the release does not have the code",
          "17|-|\(before)|-|no release is in effect on that day",
        ])

    let report = try program.run(
      "query", "rvu-mismatch", "--from", "2025-01-01", "--to", "2025-03-31", "--as", "json")
    let rows = try #require(try report.json() as? [[String: Any]], "\(report.errors)")
    #expect(rows.count == 1)
    #expect(
      rows[0]["hcpcs"] as? String == code && rows[0]["procedures"] as? Int == 1
        && rows[0]["quantity"] as? Int == 2)
    let all = try program.run("query", "rvu-mismatch", "--as", "ndjson")
    #expect(all.output.split(separator: "\n").count == 4)
    // Who had the visit is said by a number of users alone.
    #expect(!all.output.contains(People.ana))
    let wrong = try program.run("query", "rvu-mismatch", "--from", "soon")
    #expect(wrong.status == 2)
  }

  @Test("takes the parts of a code, and for a code without a global service what the app has of it")
  func modifiers() throws {
    let (database, program) = try Loaded.migrated()
    let run = try program.run(
      ["run", "cms-rvu", try Samples.make(rows: 60, release: "2025A")] + Loaded.unlikeTheLast)
    try #require(run.status == 0, "\(run.errors)")
    let connection = try database.connect()
    let code = try #require(
      try connection.execute(
        "SELECT hcpcs FROM cms.rvu WHERE release = '2025A' AND modifier = '26' AND hcpcs IN (SELECT hcpcs FROM cms.rvu WHERE modifier = '') LIMIT 1"
      ).first?[0])
    try connection.execute(
      """
      UPDATE cms.rvu SET work_rvu = CASE modifier WHEN '' THEN 3 WHEN '26' THEN 2 ELSE 1 END WHERE hcpcs = '\(code)';
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.visit (id, user_id, visit_date) VALUES ('\(People.id(1))', '\(People.ana)', '2025-01-01');
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, modifier, work_rvu) VALUES
        ('\(People.id(11))', '\(People.id(1))', '\(code)', '', 3), ('\(People.id(12))', '\(People.id(1))', '\(code)', '26', 2),
        ('\(People.id(13))', '\(People.id(1))', '\(code)', '26', 3);
      """)
    let found = "SELECT right(procedure_id::text, 2), published_rvu FROM mart.visit_rvu_mismatch ORDER BY 1"
    #expect(try connection.lines(found) == ["13|2.00"])
    try connection.execute("DELETE FROM cms.rvu WHERE hcpcs = '\(code)' AND modifier = ''")
    #expect(try connection.lines(found) == ["11|2.00", "13|2.00"])
    let listed = try program.run("query", "rvu-codes", "--as", "ndjson").output.split(separator: "\n")
      .first { $0.contains("\"\(code)\"") }
    #expect(listed?.hasSuffix("\"workRVU\":2.00}") == true, "\(listed ?? "")")
  }
}
