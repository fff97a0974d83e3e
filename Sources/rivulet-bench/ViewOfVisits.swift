import PostgreSQL

/// The visits of RVU Tracker's users, with the codes of fifty releases: all of a view is computed,
/// `rivulet refresh --full`, from the start of the program to its end, against the server's own
/// `CREATE TABLE AS` of the same SELECT and the same key.
///
/// All procedures have other values in each turn, and so have all rows: there is no more to write.
struct ViewOfVisits {
  private let workbench: Workbench
  private let connection: Connection
  private let view: String
  private let key: String

  /// A view that takes long to compute.
  static func periods(in workbench: Workbench) throws -> Runs {
    try measure("mart.rvu_by_period", key: "user_id, period, start_date", in: workbench)
  }

  /// A view of nearly as many rows as there are procedures, which are written longer than computed.
  static func codes(in workbench: Workbench) throws -> Runs {
    try measure("mart.rvu_by_hcpcs", key: "user_id, visit_date, hcpcs", in: workbench)
  }

  private static func measure(_ view: String, key: String, in workbench: Workbench) throws -> Runs {
    try workbench.withDatabase {
      let visits = try ViewOfVisits(of: view, key: key, in: workbench)
      return try workbench.compare(
        [
          "procedures": try workbench.rows(of: "rvutrack.procedure"), "rows": try workbench.rows(of: view),
        ], ours: { _ in try visits.refresh() }, yardstick: { _ in try visits.byHand() })
    }
  }

  /// Each paid row of the releases is a procedure in the quarter of its release, three of them a visit.
  private init(of view: String, key: String, in workbench: Workbench) throws {
    (self.view, self.key, self.workbench) = (view, key, workbench)
    try workbench.rivulet(["migrate", "up"])
    try workbench.rivulet(
      ["run", "cms-rvu", "--no-refresh"] + workbench.bundle.fiftyReleases().map(\.path))
    connection = try workbench.connect(to: Workbench.own)
    try connection.execute(
      """
      CREATE TEMP TABLE item AS
        SELECT md5(release || n)::uuid AS id, md5(release || 'visit' || n / 3)::uuid AS visit_id,
          md5('user' || n / 3 % 100)::uuid AS user_id, effective_from + (n / 300 % 90)::int AS visit_date,
          hcpcs, work_rvu
        FROM (SELECT *, row_number() OVER (PARTITION BY release ORDER BY hcpcs, modifier) - 1 AS n
          FROM cms.rvu WHERE work_rvu > 0) r JOIN rivulet.release USING (release) WHERE pipeline = 'cms-rvu';
      INSERT INTO rvutrack.app_user (id) SELECT DISTINCT user_id FROM item;
      INSERT INTO rvutrack.visit (id, user_id, visit_date) SELECT DISTINCT visit_id, user_id, visit_date FROM item;
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu) SELECT id, visit_id, hcpcs, work_rvu FROM item
      """)
    try workbench.rivulet(["refresh"])
    try connection.execute("VACUUM ANALYZE")
    try connection.execute("CHECKPOINT")
  }

  /// All procedures are corrected, and the view is computed, which is what is timed.
  private func refresh() throws -> ProgramRun {
    try connection.execute("UPDATE rvutrack.procedure SET work_rvu = work_rvu + 1")
    // As the server does by itself, sooner or later.
    try connection.execute("VACUUM ANALYZE rvutrack.procedure, \(view)")
    return try workbench.rivulet(["refresh", view, "--full"])
  }

  /// The rows of the same SELECT, and their key after them; the view must hold the same.
  private func byHand() throws -> ProgramRun {
    let number: Int = try connection.query(
      "SELECT number FROM rivulet.view WHERE name = $1", [.text(view)])[0].value(0)
    let copy = "mart.copy"
    let run = try workbench.psql(
      """
      CREATE TABLE \(copy) AS TABLE rivulet.view_\(number);
      CREATE UNIQUE INDEX ON \(copy) (\(key)) NULLS NOT DISTINCT;

      """)
    try workbench.check([
      """
      ((TABLE \(view) EXCEPT ALL TABLE \(copy)) UNION ALL (TABLE \(copy) EXCEPT ALL TABLE \(view))) d
      """: 0
    ])
    try connection.execute("DROP TABLE \(copy)")
    return run
  }
}
