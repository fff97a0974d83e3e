import Host

/// A run of which every tenth record is refused, and kept in the quarantine, against the same run without
/// such.
///
/// The dataset is the bench's own: one file of three hundred thousand records in a dozen typed columns. Both
/// sides are whole commands, each on a database of its own.
struct RejectsFigure {
  private static let records = 300_000
  /// One record of so many is refused.
  private static let interval = 10
  private static let limit = 1.5
  private static let template = "bench_template"
  private static let database = "bench"
  private static let memoryLimit = 64.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    let project = try BenchProject(in: workbench)
    let clean = try project.writeSource("clean", records: Self.records, refusing: nil)
    let broken = try project.writeSource("broken", records: Self.records, refusing: Self.interval)
    let refused = Self.records / Self.interval
    return try workbench.withDatabase(Self.template) {
      _ = try project.rivulet(["migrate", "up"], on: Self.template, workbench)
      let runs = try workbench.compare(
        ours: { try load(broken, refusing: refused, project, workbench) },
        yardstick: { try load(clean, refusing: 0, project, workbench) })
      return [
        Figure(
          FigureName.rejectsTenPercent.rawValue, ours: runs.ours.map(\.seconds),
          yardstick: runs.yardstick.map(\.seconds),
          limit: Self.limit,
          details: [("records", Self.records), ("refused", refused)]),
        Figure(
          FigureName.rejectsTenPercent.rawValue + "-memory", peaks: runs.ours.map(\.peakMemory),
          limit: Self.memoryLimit),
      ]
    }
  }

  private func load(
    _ source: String, refusing refused: Int, _ project: BenchProject, _ workbench: Workbench
  ) throws -> ProgramRun {
    try workbench.withDatabase(Self.database, from: Self.template) {
      let run = try project.rivulet(
        ["run", "bench", source, "--max-rejects", "100%"], on: Self.database, workbench)
      let found = try workbench.rows(of: ["bench.item", "rivulet.reject"], in: Self.database)
      for (expected, found) in zip([Self.records - refused, refused], found) where expected != found {
        throw BenchError.wrongCount(what: "records", expected: expected, found: found)
      }
      return run
    }
  }
}
