import Host
import PostgreSQL

/// The same file of a week is merged into a million records of NPPES and into a hundred thousand: what that
/// takes must follow the file, not the table. Derived views are left for later: what each of them costs is
/// its own, and one that counts all providers by state is computed again by a week that touches every state.
///
/// Each round has the week after the one before it, whose records are other ones of the same NPIs.
struct WeeklyMergeFigure {
  private static let records = (large: ProviderFile.records, small: ProviderFile.records / 10)
  /// Half a per cent of the large table.
  private static let changed = 5_000
  private static let databases = (large: "bench_large", small: "bench_small")
  private static let limit = 1.25
  private static let memoryLimit = 96.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    let large = try ProviderFile(in: workbench, records: Self.records.large)
    defer { try? Files.remove(large.path) }
    return try workbench.withDatabase(Self.databases.large) {
      try load(large, Self.databases.large, workbench)
      return try workbench.withDatabase(Self.databases.small) {
        let small = try ProviderFile(in: workbench, records: Self.records.small)
        try load(small, Self.databases.small, workbench)
        return try merge(ofBoth: small, workbench)
      }
    }
  }

  private func merge(ofBoth file: ProviderFile, _ workbench: Workbench) throws -> [Figure] {
    var round = 0
    var week = ""
    func merge(into database: String) throws -> ProgramRun {
      let run = try workbench.rivulet(["run", "nppes", "--no-refresh", week], on: database)
      // Of some records this row is as it was, and what differs are their names and addresses.
      let merged = try workbench.connect(to: database).query(
        """
        SELECT coalesce(sum(inserted + updated + unchanged), 0)::bigint, coalesce(sum(unchanged), 0)::bigint FROM rivulet.merge
        WHERE target = 'directory.provider' AND run = (SELECT max(run) FROM rivulet.merge)
        """)[0]
      let (count, unchanged): (Int, Int) = (try merged.value(0), try merged.value(1))
      guard count == Self.changed, unchanged < Self.changed / 50 else {
        throw BenchError.wrongCount(
          what: "changed providers", expected: Self.changed, found: count - unchanged)
      }
      return run
    }
    let runs = try workbench.compare(
      ours: {
        round += 1
        week = try file.week(round, records: Self.changed, in: workbench)
        return try merge(into: Self.databases.large)
      }, yardstick: { try merge(into: Self.databases.small) })
    return [
      Figure(
        FigureName.weeklyMerge.rawValue, ours: runs.ours.map(\.seconds),
        yardstick: runs.yardstick.map(\.seconds),
        limit: Self.limit,
        details: [
          ("records", Self.records.large), ("records of the yardstick", Self.records.small),
          ("changed", Self.changed),
        ]),
      Figure(
        FigureName.weeklyMerge.rawValue + "-memory", peaks: runs.ours.map(\.peakMemory),
        limit: Self.memoryLimit),
    ]
  }

  private func load(_ file: ProviderFile, _ database: String, _ workbench: Workbench) throws {
    _ = try workbench.rivulet(["migrate", "up"], on: database)
    _ = try workbench.rivulet(["run", "nppes", file.path], on: database)
    let connection = try workbench.connect(to: database)
    for statement in ["VACUUM (ANALYZE)", "CHECKPOINT"] { try connection.execute(statement) }
  }
}
