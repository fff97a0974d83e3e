public import PipelineCore
import Progress

extension PipelineEngine {
  /// Adds corrected records to the release whose run refused them: a run of its own, whose tables begin as
  /// copies of those of that release, judged and published like any other.
  ///
  /// `run`: the run that refused the records.
  /// `request`: its source is the file with the records, or a folder with a file for each entry.
  /// `began`: is called with what was found, before the run begins.
  /// - Throws: ``ReplayError``, and what ``run(_:lockWait:_:)`` throws.
  public func replay(
    _ run: Int, release: String, _ request: RunRequest, lockWait: Double,
    began: (Discovered) -> Void = { _ in }
  ) throws -> RunReport {
    try alone(waiting: lockWait) {
      let found = try connections.retry.attempt {
        try Discovered(
          replaying: run, release: release, request, pipeline: pipeline, on: try connections.main)
      }
      progress.expect(1)
      began(found)
      return try begin(found, lockWait).finish()
    }
  }
}
