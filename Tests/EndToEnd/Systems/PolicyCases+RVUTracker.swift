extension PolicyCases {
  /// RVU Tracker: everybody has what is their own.
  static let rvuTracker: [PolicyCase] =
    ownPerson("rvutrack.app_user")
    + ownOnly(
      "rvutrack.visit", 11, owner: ("user_id", "'\(ana)'", "'\(ben)'"), columns: "visit_date",
      values: "'2026-01-06'")
    + ownOnly(
      "rvutrack.procedure", 21, owner: ("visit_id", row(11), row(12)), columns: "hcpcs, work_rvu",
      values: "'99213', 1")
    + ownOnly(
      "rvutrack.favorite", rows: ("user_id = '\(ana)'", "user_id = '\(ben)'"),
      owner: ("user_id", "'\(ana)'", "'\(ben)'"), columns: "hcpcs, position", values: "'99215', 2")
    // What visits were is kept for the sync alone.
    + refused("rvutrack.visit_version", "SELECT", "INSERT", "UPDATE", "DELETE")
    + [
      PolicyCase(carol, "SELECT * FROM rvutrack.visit", .rows(0)),
      PolicyCase(ana, "SELECT * FROM api.visits", .rows(1)),
      PolicyCase(carol, "SELECT * FROM api.visits", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.visit_total", .rows(1)),
      PolicyCase(carol, "SELECT * FROM mart.visit_total", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.rvu_by_period", .rows(4)),
      PolicyCase(ana, "SELECT * FROM mart.rvu_by_period WHERE user_id = '\(ben)'", .rows(0)),
      PolicyCase(carol, "SELECT * FROM mart.rvu_by_period", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.rvu_by_hcpcs", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.rvu_by_hcpcs WHERE user_id = '\(ben)'", .rows(0)),
      // What is derived is nobody's to write.
      PolicyCase(ana, "DELETE FROM mart.rvu_by_period", .forbidden),
      PolicyCase(ana, "UPDATE mart.rvu_by_period SET total_rvu = 1", .forbidden),
      PolicyCase(ana, "SELECT * FROM mart.visit_rvu_mismatch", .forbidden),
      PolicyCase(
        ana, "SELECT * FROM mart.rvu_summary('\(ana)', '2026-01-01', '2026-12-31') WHERE encounters = 1",
        .rows(1)),
      PolicyCase(
        ana, "SELECT * FROM mart.rvu_summary('\(ben)', '2026-01-01', '2026-12-31') WHERE encounters = 0",
        .rows(1)),
    ]
}
