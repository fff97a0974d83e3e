import PostgreSQL

/// One release of fifty has a new revision: `rivulet refresh`, from the start of the program to its end,
/// against a full refresh, or against what one would write by hand for this release.
///
/// Two revisions of a release, with other values, are published in turns.
struct ViewOfReleases {
  private let workbench: Workbench
  private let sources: [(path: String, name: String)]
  /// The one that has a second revision.
  private var changed: (path: String, name: String) { sources[24] }
  private var condition: String { "release = '\(changed.name)'" }

  /// The project's own view.
  private static let view = BenchView(
    name: "mart.rvu_by_status", key: "release", source: "cms.rvu",
    columns: """
      release, cf_class, status_code, cms.status_meaning(status_code) AS meaning, count(*) AS rows,
      count(DISTINCT hcpcs) AS codes,
      count(*) FILTER (WHERE cms.paid_from_rvus(status_code, nonfac_total, fac_total)) AS paid_from_rvus,
      sum(work_rvu) AS work_rvu, sum(nonfac_total) AS nonfac_total, sum(fac_total) AS fac_total
      """,
    grouping: "release, cf_class, status_code")

  private init(in workbench: Workbench) throws {
    self.workbench = workbench
    sources = try workbench.bundle.fiftyReleases()
  }

  static func full(in workbench: Workbench) throws -> Runs {
    try ViewOfReleases(in: workbench).compare { figure, turn in
      let run = try figure.refresh(turn, isFull: true)
      try view.check([view.name], in: workbench)
      return run
    }
  }

  static func byHand(in workbench: Workbench) throws -> Runs {
    try ViewOfReleases(in: workbench).compare { figure, _ in
      let runs = try figure.scripts.map { try workbench.psql($0) }
      try view.check([view.name] + byHand, in: workbench)
      // The faster of the two in each turn, which is stricter than either way alone where runs vary.
      return runs[0].seconds < runs[1].seconds ? runs[0] : runs[1]
    }
  }

  private func compare(with yardstick: @escaping (Self, Int) throws -> ProgramRun) throws -> Runs {
    try workbench.withDatabase {
      try prepare()
      return try workbench.compare(
        [
          "rows of cms.rvu": try workbench.rows(of: "cms.rvu"), "releases": sources.count, "changed": 1,
        ], ours: { try refresh($0, isFull: false) }, yardstick: { try yardstick(self, $0) })
    }
  }

  private func prepare() throws {
    try workbench.rivulet(["migrate", "up"])
    try workbench.rivulet(["run", "cms-rvu", "--no-refresh"] + sources.map(\.path))
    try workbench.rivulet(["run", "cms-rvu", "--no-refresh", "--force", changed.path])
    let connection = try workbench.connect(to: Workbench.own)
    try connection.execute(
      """
      UPDATE cms.rvu SET work_rvu = work_rvu + 1, nonfac_total = nonfac_total + 1, fac_total = fac_total + 1
        WHERE \(condition) AND work_rvu > 0;
      ANALYZE cms.rvu
      """)
    try workbench.rivulet(["refresh"])
    for table in Self.byHand {
      try connection.execute(
        """
        CREATE TABLE \(table) (LIKE \(Self.view.name) INCLUDING INDEXES);
        INSERT INTO \(table) TABLE \(Self.view.name);
        ANALYZE \(table)
        """)
    }
    try connection.execute("CHECKPOINT")
  }

  /// Publishes the other revision and refreshes the view, which is what is timed.
  private func refresh(_ turn: Int, isFull: Bool) throws -> ProgramRun {
    let current: Int = try workbench.connect(to: Workbench.own).query(
      "SELECT revision FROM rivulet.release WHERE \(condition) AND state = 'published'")[0].value(0)
    try workbench.rivulet(
      ["releases", "publish", "cms-rvu", changed.name, "--revision", "\(3 - current)", "--no-refresh"])
    let run = try workbench.rivulet(["refresh", Self.view.name] + (isFull ? ["--full"] : []))
    try Self.view.checkRefresh(groups: isFull ? nil : 1, in: workbench)
    return run
  }

  /// A table for each way to do it by hand.
  private static let byHand = ["\(view.name)_by_delete", "\(view.name)_by_merge"]

  /// What one would write by hand, in two ways; the second writes only what differs.
  private var scripts: [String] {
    let (select, tables) = (Self.view.select(where: condition), Self.byHand)
    return [
      """
      BEGIN;
      DELETE FROM \(tables[0]) WHERE \(condition);
      INSERT INTO \(tables[0]) \(select);
      COMMIT;

      """,
      """
      BEGIN;
      CREATE TEMP TABLE fresh ON COMMIT DROP AS \(select);
      DELETE FROM \(tables[1]) t WHERE \(condition)
        AND NOT EXISTS (SELECT FROM fresh f WHERE (f.cf_class, f.status_code) = (t.cf_class, t.status_code));
      MERGE INTO \(tables[1]) t USING fresh f
        ON (t.release, t.cf_class, t.status_code) = (f.release, f.cf_class, f.status_code)
        WHEN MATCHED AND t.* IS DISTINCT FROM f.* THEN UPDATE
          SET (meaning, rows, codes, paid_from_rvus, work_rvu, nonfac_total, fac_total) = ROW(f.meaning, f.rows,
            f.codes, f.paid_from_rvus, f.work_rvu, f.nonfac_total, f.fac_total)
        WHEN NOT MATCHED THEN INSERT VALUES (f.release, f.cf_class, f.status_code, f.meaning, f.rows, f.codes,
          f.paid_from_rvus, f.work_rvu, f.nonfac_total, f.fac_total);
      COMMIT;

      """,
    ]
  }
}
