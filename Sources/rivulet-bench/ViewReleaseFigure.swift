import Host
import PostgreSQL

/// One release of fifty has a new revision: `rivulet refresh`, from the start of the program to its end, against a full
/// refresh, and against what one would write by hand for this release. By hand two views are measured: one of a dozen rows
/// a release, which costs hardly more than a session, and one with a row for each code.
///
/// Two revisions of a release, with other values, are put in sight in turns.
struct ViewReleaseFigure {
  /// The bundles, a release each.
  let sources: [String]
  /// The one that has a second revision, and its name.
  let changed: (source: String, release: String)

  private static let database = "bench"
  private static let materialized = "mart.materialized"
  private static let fullLimit = 0.15
  private static let handLimit = 1.3
  private static let memoryLimit = 64.0
  /// The project's own view.
  private static let byStatus = BenchView(
    name: "mart.rvu_by_status", key: ["release"], unique: ["release", "cf_class", "status_code"],
    source: "cms.rvu", capture: ["release"], keys: "SELECT release FROM changed",
    columns: """
      release, cf_class, status_code, cms.status_meaning(status_code) AS meaning, count(*) AS rows,
      count(DISTINCT hcpcs) AS codes,
      count(*) FILTER (WHERE cms.paid_from_rvus(status_code, nonfac_total, fac_total)) AS paid_from_rvus,
      sum(work_rvu) AS work_rvu, sum(nonfac_total) AS nonfac_total, sum(fac_total) AS fac_total
      """,
    grouping: "release, cf_class, status_code")
  /// One that is added to a copy of the project.
  private static let byCode = BenchView(
    name: "mart.rvu_by_code", key: ["release"], unique: ["release", "cf_class", "hcpcs"],
    source: "cms.rvu", capture: ["release"], keys: "SELECT release FROM changed",
    columns: """
      release, cf_class, hcpcs, count(*) AS rows, max(work_rvu) AS work_rvu, max(nonfac_total) AS nonfac_total,
      max(fac_total) AS fac_total, max(mp_rvu) AS mp_rvu
      """,
    grouping: "release, cf_class, hcpcs")

  func measure(in workbench: Workbench) throws -> [Figure] {
    let project = try workbench.copyOfProject()
    try Self.byCode.write(to: Path.join(project, "Pipelines/cms-rvu"))
    return try workbench.withDatabase(Self.database) {
      try prepare(project, workbench)
      let connection = try workbench.connect(to: Self.database)
      let rows = try workbench.rows(of: ["cms.rvu"], in: Self.database)[0]
      var revision = 2
      func refresh(_ view: BenchView, _ options: [String], groups: Int?) throws -> ProgramRun {
        revision = 3 - revision
        _ = try workbench.rivulet(
          ["releases", "publish", "cms-rvu", changed.release, "--revision", "\(revision)", "--no-refresh"],
          on: Self.database, in: project)
        let run = try workbench.rivulet(["refresh", view.name] + options, on: Self.database, in: project)
        try view.checkRefresh(groups: groups, on: connection)
        return run
      }
      func compareByHand(
        _ view: BenchView, _ values: [String]
      ) throws -> (ours: [ProgramRun], yardsticks: [[ProgramRun]]) {
        let hand = HandWrittenRefresh(
          view: view, values: values, condition: "release = \(Quote.literal(changed.release))")
        try hand.prepare(on: connection)
        return try workbench.compare(
          ours: { try refresh(view, [], groups: 1) },
          yardsticks: {
            let runs = try hand.scripts.map { try workbench.psql($0, on: Self.database) }
            try view.check([view.name] + hand.tables, on: connection)
            return runs
          })
      }
      let byHand = try compareByHand(
        Self.byStatus,
        ["meaning", "rows", "codes", "paid_from_rvus", "work_rvu", "nonfac_total", "fac_total"])
      var materialized: [Double] = []
      let full = try workbench.compare(
        ours: {
          let run = try refresh(Self.byStatus, [], groups: 1)
          materialized.append(
            try workbench.psql("REFRESH MATERIALIZED VIEW \(Self.materialized)", on: Self.database).seconds)
          return run
        },
        yardstick: {
          let run = try refresh(Self.byStatus, ["--full"], groups: nil)
          try Self.byStatus.check([Self.byStatus.name], on: connection)
          return run
        })
      let codesByHand = try compareByHand(
        Self.byCode, ["rows", "work_rvu", "nonfac_total", "fac_total", "mp_rvu"])
      let details = [("rows of cms.rvu", rows), ("releases", sources.count), ("changed", 1)]
      let name = FigureName.viewRelease.rawValue
      func figure(
        _ suffix: String, _ ours: [ProgramRun], _ yardstick: [ProgramRun], _ limit: Double?
      ) -> Figure {
        Figure(
          name + suffix, ours: ours.map(\.seconds), yardstick: yardstick.map(\.seconds), limit: limit,
          details: details)
      }
      // Judged by the faster of the two in each turn, which is stricter than either way alone where runs vary.
      func figures(_ kind: String, _ runs: (ours: [ProgramRun], yardsticks: [[ProgramRun]])) -> [Figure] {
        let faster = zip(runs.yardsticks[0], runs.yardsticks[1]).map { $0.seconds < $1.seconds ? $0 : $1 }
        return [figure(kind + "-by-hand", runs.ours, faster, Self.handLimit)]
          + zip(["-by-delete", "-by-merge"], runs.yardsticks).map { way, yardstick in
            figure(kind + way, runs.ours, yardstick, nil)
          }
      }
      return [figure("", full.ours, full.yardstick, Self.fullLimit)] + figures("", byHand)
        + figures("-codes", codesByHand) + [
          Figure(
            name + "-materialized", ours: full.ours.map(\.seconds),
            yardstick: Array(materialized.dropFirst()), limit: nil, details: details),
          Figure(
            name + "-memory", peaks: (full.ours + byHand.ours + codesByHand.ours).map(\.peakMemory),
            limit: Self.memoryLimit),
          Figure(
            name + "-full-memory", peaks: full.yardstick.map(\.peakMemory), limit: Self.memoryLimit),
        ]
    }
  }

  private func prepare(_ project: String, _ workbench: Workbench) throws {
    func rivulet(_ arguments: [String]) throws {
      _ = try workbench.rivulet(arguments, on: Self.database, in: project)
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
    try connection.execute(
      "CREATE MATERIALIZED VIEW \(Self.materialized) AS \(Self.byStatus.select()); CHECKPOINT")
  }
}
