import Host
import PostgreSQL

/// The same file of a week is merged into a million records of NPPES and into a hundred thousand: what that
/// takes must follow the file, not the table. Derived views are left for later: what each of them costs is
/// its own, and one that counts all providers by state is computed again by a week that touches every state.
///
/// Each round has the week after the one before it, whose records are other ones of the same NPIs.
enum WeeklyMerge {
  private static let (large, small) = (1_000_000, 100_000)
  /// Half a per cent of the large table.
  private static let changed = 5_000

  static func measure(in workbench: Workbench) throws -> Runs {
    try workbench.withDatabase("bench_large") {
      let file = try load(large, "bench_large", workbench)
      try Files.remove(file.path)
      return try workbench.withDatabase("bench_small") {
        let file = try load(small, "bench_small", workbench)
        var week = ""
        return try workbench.compare(
          ["records": large, "records of the yardstick": small, "changed": changed],
          ours: { turn in
            week = try file.week(turn + 1, records: changed, in: workbench)
            return try merge(week, into: "bench_large", workbench)
          }, yardstick: { _ in try merge(week, into: "bench_small", workbench) })
      }
    }
  }

  private static func load(
    _ records: Int, _ database: String, _ workbench: Workbench
  ) throws -> ProviderFile {
    let file = try ProviderFile(in: workbench, records: records)
    try workbench.rivulet(["migrate", "up"], on: database)
    try workbench.rivulet(["run", "nppes", file.path], on: database)
    let connection = try workbench.connect(to: database)
    for statement in ["VACUUM (ANALYZE)", "CHECKPOINT"] { try connection.execute(statement) }
    return file
  }

  private static func merge(
    _ week: String, into database: String, _ workbench: Workbench
  ) throws -> ProgramRun {
    let run = try workbench.rivulet(["run", "nppes", "--no-refresh", week], on: database)
    // Of some records this row is as it was, and what differs are their names and addresses.
    try workbench.check(
      [
        """
        (SELECT sum(inserted + updated + unchanged) AS merged, sum(unchanged) AS unchanged FROM rivulet.merge
          WHERE target = 'directory.provider' AND run = (SELECT max(run) FROM rivulet.merge)) m
        WHERE merged = \(changed) AND unchanged < \(changed / 50)
        """: 1
      ], in: database)
    return run
  }
}
