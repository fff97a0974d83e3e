import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Store

/// The third step: what is kept no longer.
extension NightlyJob {
  /// Removes revisions first, and runs last: what a kind of thing refers to goes after it.
  func removeOld(_ target: ConnectionTarget) throws {
    let spans = project.nightly.retention
    if let span = spans.revisions {
      for pipeline in readablePipelines {
        attempt(.retention) {
          try retention(target).removeRevisions(of: pipeline, olderThan: span) {
            summary.revisions.append($0)
          }
        }
      }
    }
    if let span = spans.rejects {
      attempt(.retention) {
        try retention(target).removeRejects(olderThan: span) { summary.removedRejects += $0 }
      }
    }
    if let span = spans.runs {
      attempt(.retention) {
        try retention(target).removeRuns(olderThan: span) { summary.removedRuns += $0 }
      }
    }
  }

  private func retention(_ target: ConnectionTarget) throws -> Retention {
    try Interruption.shared.check()
    return Retention(connection: try session.connect(to: target))
  }
}
