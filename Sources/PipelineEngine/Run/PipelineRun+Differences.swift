import PostgreSQL

/// What a dry run tells of the change that it does not make.
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
}
