import Host
import PostgreSQL

/// One release of fifty has a new revision: `rivulet refresh`, from the start of the program to its end,
/// against a full refresh, and against what one would write by hand for this release.
///
/// Two revisions of a release, with other values, are published in turns.
struct ViewReleaseFigure {
  /// The bundles, a release each.
  let sources: [String]
  /// The one that has a second revision, and its name.
  let changed: (source: String, release: String)

  private static let database = "bench"
  private static let fullLimit = 0.15
  private static let handLimit = 2.0
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
      func refresh(_ options: [String], groups: Int?) throws -> ProgramRun {
        revision = 3 - revision
        _ = try workbench.rivulet(
          ["releases", "publish", "cms-rvu", changed.release, "--revision", "\(revision)", "--no-refresh"],
          on: Self.database)
        let run = try workbench.rivulet(["refresh", Self.view.name] + options, on: Self.database)
        try Self.view.checkRefresh(groups: groups, on: connection)
        return run
      }
      let hand = HandWrittenRefresh(
        view: Self.view,
        values: ["meaning", "rows", "codes", "paid_from_rvus", "work_rvu", "nonfac_total", "fac_total"],
        condition: "release = \(Quote.literal(changed.release))")
      try hand.prepare(on: connection)
      let byHand = try workbench.compare(
        ours: { try refresh([], groups: 1) },
        yardstick: {
          let runs = try hand.scripts.map { try workbench.psql($0, on: Self.database) }
          try Self.view.check([Self.view.name] + hand.tables, on: connection)
          // The faster of the two in each turn, which is stricter than either way alone where runs vary.
          return runs[0].seconds < runs[1].seconds ? runs[0] : runs[1]
        })
      let full = try workbench.compare(
        ours: { try refresh([], groups: 1) },
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
          name + "-memory", peaks: (full.ours + byHand.ours).map(\.peakMemory), limit: Self.memoryLimit),
        Figure(name + "-full-memory", peaks: full.yardstick.map(\.peakMemory), limit: Self.memoryLimit),
      ]
    }
  }

  private func prepare(_ workbench: Workbench) throws {
    func rivulet(_ arguments: [String]) throws {
      _ = try workbench.rivulet(arguments, on: Self.database)
    }
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
    try connection.execute("CHECKPOINT")
  }
}
