import Definitions
import Host
import PostgreSQL

/// What a run tells of the change that it makes, and a dry run of the one that it does not make.
extension PipelineRun {
  /// Holds the staged tables against what readers of the release see now.
  func compareWithPublished() throws {
    try begin("compare")
    if destination.isMerge { return try compareWithTables() }
    guard let release = destination.release else { return }
    report.differences = try setting.connections.retry.attempt {
      let connection = try connection
      return try connection.transaction(
        settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
      ) {
        try StagedDiff(tables, of: release, pipeline: setting.pipeline, on: connection)
      }
    }
  }

  /// Counts, where the definition asks for it, what the release changes against the one before it.
  ///
  /// Nothing depends on it: where it cannot be counted, or not in the time that the load has taken, that is told and the
  /// run goes on.
  func countChange() throws {
    guard setting.pipeline.diff.isReported, let release = destination.release,
      let table = setting.pipeline.sources.first.flatMap({ tables[$0.target] })
    else { return }
    try begin("compare")
    let patience = max(Self.leastPatience, Machine.seconds - began)
    do {
      let connection = try connection
      report.change = try connection.transaction(
        settings: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
      ) {
        // Nobody has looked at the staged table yet, so that the planner takes it for small and would look up each row.
        try connection.execute(
          """
          SET LOCAL statement_timeout = \(Int(patience * 1000)); SET LOCAL enable_nestloop = off;
          SET LOCAL work_mem = '64MB'; SET LOCAL jit = off
          """)
        return try ReleaseChange(of: table, as: release, pipeline: setting.pipeline, on: connection)
      }
    } catch {
      try Interruption.shared.check()
      if !report.sources.isEmpty {
        report.sources[0].warnings.append(
          "what is new, gone and changed was not counted: \(Ledger.reason(error))")
      }
    }
  }

  /// So many seconds counting may take in any case.
  private static let leastPatience = 30.0
}
