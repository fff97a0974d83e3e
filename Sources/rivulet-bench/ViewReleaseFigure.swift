import Host
import PostgreSQL

/// One release of fifty has a new revision: `rivulet refresh`, from the start of the program to its end, against a full
/// refresh, and against what one would write by hand for this release.
///
/// Two revisions of a release, with other values, are put in sight in turns.
struct ViewReleaseFigure {
  /// The bundles, a release each.
  let sources: [String]
  /// The one that has a second revision, and its name.
  let changed: (source: String, release: String)

  private static let database = "bench"
  private static let materialized = "mart.materialized"
  private static let byHand = ["mart.by_delete", "mart.by_merge"]
  private static let fullLimit = 0.15
  private static let handLimit = 1.3
  private static let memoryLimit = 64.0
  /// The project's own view.
  private static let view = BenchView(
    name: "mart.rvu_by_status", key: ["release"], unique: ["release", "cf_class", "status_code"],
    source: "cms.rvu", capture: ["release"], keys: "SELECT release FROM changed",
    columns: """
      release, cf_class, status_code, cms.status_meaning(status_code) AS meaning, count(*) AS rows,
      count(DISTINCT hcpcs) AS codes,
      count(*) FILTER (WHERE cms.paid_from_rvus(status_code, nonfac_total, fac_total)) AS paid_from_rvus,
      sum(work_rvu) AS work_rvu, sum(nonfac_total) AS nonfac_total, sum(fac_total) AS fac_total
      """,
    grouping: "release, cf_class, status_code")

  func measure(in workbench: Workbench) throws -> [Figure] {
    try workbench.withDatabase(Self.database) {
      try prepare(workbench)
      let connection = try workbench.connect(to: Self.database)
      let rows = try workbench.rows(of: ["cms.rvu"], in: Self.database)[0]
      var revision = 2
      func publishOther() throws {
        revision = 3 - revision
        _ = try workbench.rivulet(
          ["releases", "publish", "cms-rvu", changed.release, "--revision", "\(revision)", "--no-refresh"],
          on: Self.database)
      }
      func refresh(_ options: [String], groups: Int?) throws -> ProgramRun {
        try publishOther()
        let run = try workbench.rivulet(
          ["refresh", Self.view.name] + options, on: Self.database)
        try Self.view.checkRefresh(groups: groups, on: connection)
        return run
      }
      let byHand = try workbench.compare(
        ours: { try refresh([], groups: 1) },
        yardstick: {
          let runs = try [deleteAndInsert, merge].map { try workbench.psql($0, on: Self.database) }
          try Self.view.check([Self.view.name] + Self.byHand, on: connection)
          return runs[0].seconds < runs[1].seconds ? runs[0] : runs[1]
        })
      var materialized: [Double] = []
      let full = try workbench.compare(
        ours: {
          let run = try refresh([], groups: 1)
          materialized.append(
            try workbench.psql("REFRESH MATERIALIZED VIEW \(Self.materialized)", on: Self.database).seconds)
          return run
        },
        yardstick: {
          let run = try refresh(["--full"], groups: nil)
          try Self.view.check([Self.view.name], on: connection)
          return run
        })
      let details = [("rows of cms.rvu", rows), ("releases", sources.count), ("changed", 1)]
      let name = FigureName.viewRelease.rawValue
      return [
        Figure(
          name, ours: full.ours.map(\.seconds), yardstick: full.yardstick.map(\.seconds),
          limit: Self.fullLimit, details: details),
        Figure(
          name + "-by-hand", ours: byHand.ours.map(\.seconds), yardstick: byHand.yardstick.map(\.seconds),
          limit: Self.handLimit, details: details),
        Figure(
          name + "-materialized", ours: full.ours.map(\.seconds),
          yardstick: Array(materialized.dropFirst()), limit: nil, details: details),
        Figure(
          name + "-memory", peaks: (full.ours + byHand.ours).map(\.peakMemory), limit: Self.memoryLimit),
        Figure(
          name + "-full-memory", peaks: full.yardstick.map(\.peakMemory), limit: Self.memoryLimit),
      ]
    }
  }

  private func prepare(_ workbench: Workbench) throws {
    func rivulet(_ arguments: [String]) throws { _ = try workbench.rivulet(arguments, on: Self.database) }
    try rivulet(["migrate", "up"])
    try rivulet(["run", "cms-rvu", "--no-refresh"] + sources)
    try rivulet(["run", "cms-rvu", "--no-refresh", "--force", changed.source])
    let connection = try workbench.connect(to: Self.database)
    try connection.execute(
      """
      UPDATE cms.rvu SET work_rvu = work_rvu + 1, nonfac_total = nonfac_total + 1, fac_total = fac_total + 1
        WHERE release = \(Quote.literal(changed.release)) AND work_rvu > 0;
      ANALYZE cms.rvu
      """)
    try rivulet(["refresh"])
    for table in Self.byHand {
      try connection.execute(
        "CREATE TABLE \(table) (LIKE \(Self.view.name) INCLUDING INDEXES); INSERT INTO \(table) TABLE \(Self.view.name)"
      )
    }
    try connection.execute("CREATE MATERIALIZED VIEW \(Self.materialized) AS \(Self.view.select())")
    try connection.execute("CHECKPOINT")
  }

  // MARK: By hand

  private var rowsOfRelease: String {
    Self.view.select(where: "release = \(Quote.literal(changed.release))")
  }

  private var deleteAndInsert: String {
    """
    BEGIN;
    DELETE FROM \(Self.byHand[0]) WHERE release = \(Quote.literal(changed.release));
    INSERT INTO \(Self.byHand[0]) \(rowsOfRelease);
    COMMIT;

    """
  }

  /// Writes only what differs.
  private var merge: String {
    """
    BEGIN;
    CREATE TEMP TABLE fresh ON COMMIT DROP AS \(rowsOfRelease);
    DELETE FROM \(Self.byHand[1]) t WHERE release = \(Quote.literal(changed.release))
      AND NOT EXISTS (SELECT FROM fresh f WHERE (f.cf_class, f.status_code) = (t.cf_class, t.status_code));
    MERGE INTO \(Self.byHand[1]) t USING fresh f
      ON (t.release, t.cf_class, t.status_code) = (f.release, f.cf_class, f.status_code)
      WHEN MATCHED AND t.* IS DISTINCT FROM f.* THEN UPDATE SET (meaning, rows, codes, paid_from_rvus, work_rvu, nonfac_total, fac_total)
        = ROW(f.meaning, f.rows, f.codes, f.paid_from_rvus, f.work_rvu, f.nonfac_total, f.fac_total)
      WHEN NOT MATCHED THEN INSERT VALUES (f.release, f.cf_class, f.status_code, f.meaning, f.rows, f.codes, f.paid_from_rvus,
        f.work_rvu, f.nonfac_total, f.fac_total);
    COMMIT;

    """
  }
}
