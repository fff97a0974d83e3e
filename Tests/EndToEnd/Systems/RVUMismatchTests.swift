import TestSupport
import Testing

/// Stored work relative value units against the release in effect on the day of the visit.
@Suite("The check of what visits have stored")
struct RVUMismatchTests {
  @Test("compares with the release of the day, the row of the modifier, and says why what differs does")
  func reasons() throws {
    let tracker = try SystemDatabase()
    let zips = try ["2025A", "2025B"].map { try Samples.make(rows: 60, release: $0) }
    try tracker.program.run(["run", "cms-rvu"] + zips + Loaded.unlikeTheLast).succeeded()
    // A code of both releases without parts, whose units are made to differ, and one with parts.
    try tracker.execute(
      "UPDATE cms.rvu SET work_rvu = 1.5 + (release = '2025B')::int * 0.25 WHERE release IN ('2025A', '2025B')"
    )
    let code = try #require(
      try tracker.rows(
        """
        SELECT a.hcpcs FROM cms.rvu a JOIN cms.rvu b USING (hcpcs, modifier)
        WHERE a.release = '2025A' AND b.release = '2025B' AND modifier = ''
          AND NOT EXISTS (SELECT FROM cms.rvu o WHERE o.hcpcs = a.hcpcs AND o.modifier <> '')
        ORDER BY 1 LIMIT 1
        """
      ).first)
    let parts = try #require(
      try tracker.rows(
        """
        SELECT hcpcs FROM cms.rvu WHERE release = '2025B' AND modifier = '26'
          AND hcpcs IN (SELECT hcpcs FROM cms.rvu WHERE release = '2025B' AND modifier = '') LIMIT 1
        """
      ).first)
    try tracker.execute(
      """
      INSERT INTO rvutrack.app_user (id) VALUES (@ana);
      INSERT INTO rvutrack.visit (id, user_id, visit_date, deleted_at) VALUES
        (#1, @ana, '2025-03-31', NULL), (#2, @ana, '2025-04-01', NULL), (#3, @ana, '2024-12-31', NULL),
        (#4, @ana, '2025-03-31', now());
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, modifier, work_rvu, quantity, deleted_at) VALUES
        (#11, #1, '\(code)', '', 1.5, 1, NULL), (#12, #1, '\(code)', '', 1.75, 2, NULL),
        (#13, #2, '\(code)', '', 1.75, 1, NULL), (#14, #2, '\(code)', '', 1.5, 3, NULL),
        -- A modifier that the release has no row of leaves the units as they are.
        (#15, #2, '\(code)', '25', 1.75, 1, NULL), (#16, #2, '99Z99', '', 1, 1, NULL),
        (#17, #3, '\(code)', '', 1.5, 1, NULL), (#18, #4, '\(code)', '', 99, 1, NULL),
        (#19, #1, '\(code)', '', 99, 1, now());
      """)
    try tracker.expect(
      """
      SELECT right(procedure_id::text, 2), release, stored_rvu, published_rvu, reason FROM mart.visit_rvu_mismatch
      ORDER BY 1
      """, "12|2025A|1.75|1.50|the work relative value units differ",
      "14|2025B|1.50|1.75|the work relative value units differ",
      "16|2025B|1.00|-|the release does not have the code",
      "17|-|1.50|-|no release is in effect on that day")

    let report = try tracker.program.run(
      "query", "rvu-mismatch", "--from", "2025-01-01", "--to", "2025-03-31", "--as", "json")
    let rows = try #require(try report.json() as? [[String: Any]], "\(report.errors)")
    #expect(rows.count == 1)
    #expect(
      rows[0]["hcpcs"] as? String == code && rows[0]["procedures"] as? Int == 1
        && rows[0]["quantity"] as? Int == 2)
    let all = try tracker.program.run("query", "rvu-mismatch", "--as", "ndjson")
    #expect(all.output.split(separator: "\n").count == 4)
    // Who had the visit is said by a number of users alone.
    #expect(!all.output.contains(People.ana))
    try tracker.program.run("query", "rvu-mismatch", "--from", "soon").failed(2)

    // A code's parts have units of their own; one without a global service has what the app has of it.
    try tracker.execute(
      """
      UPDATE cms.rvu SET work_rvu = CASE modifier WHEN '' THEN 3 WHEN '26' THEN 2 ELSE 1 END WHERE hcpcs = '\(parts)';
      DELETE FROM rvutrack.procedure;
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, modifier, work_rvu) VALUES
        (#11, #2, '\(parts)', '', 3), (#12, #2, '\(parts)', '26', 2), (#13, #2, '\(parts)', '26', 3);
      """)
    let units = "SELECT right(procedure_id::text, 2), published_rvu FROM mart.visit_rvu_mismatch ORDER BY 1"
    try tracker.expect(units, "13|2.00")
    try tracker.execute("DELETE FROM cms.rvu WHERE hcpcs = '\(parts)' AND modifier = ''")
    try tracker.expect(units, "11|2.00", "13|2.00")
    let listed = try tracker.program.run("query", "rvu-codes", "--as", "ndjson").output.split(separator: "\n")
      .first { $0.contains("\"\(parts)\"") }
    #expect(listed?.hasSuffix("\"workRVU\":2.00}") == true, "\(listed ?? "")")
  }
}
