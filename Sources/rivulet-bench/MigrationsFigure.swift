import Host

/// Two hundred migrations of a table and an index: applied to an empty database, found to be applied, and
/// rolled back in one call, against `psql --single-transaction` of one script of all of them: what the server
/// itself takes, and one commit.
///
/// Each run has a database of its own. Ours commits each migration with its row of the history, as it does
/// for users.
struct MigrationsFigure {
  private static let database = "bench"
  private static let ratioLimit = 2.0
  private static let noOpLimit = 0.050
  private static let memoryLimit = 32.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    let folder = try workbench.writeMigrations()
    let up = BenchMigration.all.map(\.up).joined()
    let down = BenchMigration.all.reversed().map(\.down).joined()
    func rivulet(_ words: [String], _ database: String) throws -> ProgramRun {
      try workbench.rivulet(["migrate"] + words + ["--dir", folder], on: database)
    }
    func psql(_ sql: String, _ database: String) throws -> ProgramRun {
      let script = workbench.path("migrations.sql")
      try Files.write(sql, to: script)
      return try workbench.psql(script: script, on: database, ["--single-transaction"])
    }
    let ups = try workbench.compare(
      ours: { try run(in: workbench, leaving: BenchMigration.count) { try rivulet(["up"], $0) } },
      yardstick: { try run(in: workbench, leaving: BenchMigration.count) { try psql(up, $0) } })
    return try workbench.withDatabase("bench_ours") {
      _ = try rivulet(["up"], "bench_ours")
      let downs = try workbench.withDatabase("bench_yardstick") {
        _ = try psql(up, "bench_yardstick")
        return try workbench.compare(
          ours: {
            try run(in: workbench, from: "bench_ours", leaving: 0) { try rivulet(["down", "--to", "0"], $0) }
          },
          yardstick: { try run(in: workbench, from: "bench_yardstick", leaving: 0) { try psql(down, $0) } })
      }
      return [figure("up", ups), figure("down", downs)]
        + (try noOps(workbench) { try rivulet(["up"], "bench_ours").seconds }) + [
          Figure(
            FigureName.migrations.rawValue + "-memory", peaks: ups.ours.map(\.peakMemory),
            limit: Self.memoryLimit)
        ]
    }
  }

  private func figure(_ step: String, _ runs: (ours: [ProgramRun], yardstick: [ProgramRun])) -> Figure {
    Figure(
      "\(FigureName.migrations.rawValue)-\(step)", ours: runs.ours.map(\.seconds),
      yardstick: runs.yardstick.map(\.seconds), limit: Self.ratioLimit,
      details: [("migrations", BenchMigration.count)])
  }

  /// Runs a side on a database of its own; throws unless that has so many of the migrations' tables
  /// afterwards.
  private func run(
    in workbench: Workbench, from template: String? = nil, leaving tables: Int,
    _ body: (String) throws -> ProgramRun
  ) throws -> ProgramRun {
    try workbench.withDatabase(Self.database, from: template) {
      let run = try body(Self.database)
      try workbench.checkTables(in: Self.database, expecting: tables)
      return run
    }
  }

  /// An `up` that has nothing to do: of these migrations, and of the project's own.
  private func noOps(_ workbench: Workbench, _ up: () throws -> Double) throws -> [Figure] {
    let some = try (0...workbench.options.runs).map { _ in try up() }.dropFirst()
    let own = try workbench.withDatabase(Self.database) {
      try (0...workbench.options.runs + 1).map { _ in
        try workbench.rivulet(["migrate", "up"], on: Self.database).seconds
      }.dropFirst(2)
    }
    let name = FigureName.migrations.rawValue + "-no-op"
    return [
      Figure(name, seconds: Array(some), limit: Self.noOpLimit),
      Figure(name + "-project", seconds: Array(own), limit: nil),
    ]
  }
}
