/// Two hundred migrations of a table and an index: applied to an empty database, found to be applied, and taken back
/// in one call.
///
/// Each run has a database of its own. Ours commits each migration with its row of the history, as it does for users.
struct MigrationsFigure {
  let name: FigureName
  let yardstick: any MigrationSide
  /// How many times the yardstick's time we may take; nil demands nothing.
  let ratioLimit: Double?

  private static let database = "bench"
  private static let noOpLimit = 0.030
  private static let memoryLimit = 20.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    let ours = RivuletSide(workbench: workbench, folder: try workbench.writeMigrations())
    var figures: [Figure] = []
    let ups = try workbench.compare(
      ours: { try up(ours, workbench) }, yardstick: { try up(yardstick, workbench) })
    figures.append(figure("up", ups))
    try workbench.withDatabase("bench_ours") {
      try workbench.withDatabase("bench_yardstick") {
        _ = try (ours.up("bench_ours"), yardstick.up("bench_yardstick"))
        figures.append(
          figure(
            "down",
            try workbench.compare(
              ours: { try down(ours, from: "bench_ours", workbench) },
              yardstick: { try down(yardstick, from: "bench_yardstick", workbench) })))
        guard name == .migrations else { return }
        figures += try noOps(ours, workbench)
      }
    }
    if name == .migrations {
      figures.append(
        Figure(
          "\(name.rawValue)-memory", peaks: ups.ours.map(\.peakMemory), limit: MigrationsFigure.memoryLimit))
    }
    return figures
  }

  private func figure(_ step: String, _ runs: (ours: [ProgramRun], yardstick: [ProgramRun])) -> Figure {
    Figure(
      "\(name.rawValue)-\(step)", ours: runs.ours.map(\.seconds), yardstick: runs.yardstick.map(\.seconds),
      limit: ratioLimit, details: [("migrations", BenchMigration.count)])
  }

  private func up(_ side: any MigrationSide, _ workbench: Workbench) throws -> ProgramRun {
    try workbench.withDatabase(MigrationsFigure.database) {
      let run = try side.up(MigrationsFigure.database)
      try workbench.checkTables(in: MigrationsFigure.database, expecting: BenchMigration.count)
      return run
    }
  }

  private func down(_ side: any MigrationSide, from migrated: String, _ workbench: Workbench) throws
    -> ProgramRun
  {
    try workbench.withDatabase(MigrationsFigure.database, from: migrated) {
      let run = try side.down(MigrationsFigure.database)
      try workbench.checkTables(in: MigrationsFigure.database, expecting: 0)
      return run
    }
  }

  /// An `up` that has nothing to do: of these migrations, and of the project's own.
  private func noOps(_ ours: RivuletSide, _ workbench: Workbench) throws -> [Figure] {
    let some = try (0...workbench.options.runs).map { _ in try ours.up("bench_ours").seconds }.dropFirst()
    let own = try workbench.withDatabase(MigrationsFigure.database) {
      try (0...workbench.options.runs + 1).map { _ in
        try workbench.rivulet(["migrate", "up"], on: MigrationsFigure.database).seconds
      }.dropFirst(2)
    }
    return [
      Figure("\(name.rawValue)-no-op", seconds: Array(some), limit: MigrationsFigure.noOpLimit),
      Figure("\(name.rawValue)-no-op-project", seconds: Array(own), limit: nil),
    ]
  }
}
