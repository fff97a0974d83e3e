import Definitions
import PipelineCore
import PostgreSQL
import ViewEngine

/// The second step, and the check that follows it: derived views.
extension NightlyJob {
  /// Those of the pipelines that can be read; of a name that two of them claim, which is found, the first.
  private var views: ViewEngine {
    var names: Set<String> = []
    return ViewEngine(readablePipelines.flatMap(\.views).filter { names.insert($0.name).inserted })
  }

  /// Refreshes every view that is behind.
  func refreshViews(_ target: ConnectionTarget) throws {
    let request = RefreshRequest(.all, lockWait: try session.refreshWait())
    let (views, connection) = (views, try session.connect(to: target))
    _ = try session.showing(views.progress) {
      try views.refresh(request, on: connection) { refresh in
        summary.views.append(refresh)
        session.record.views.append(refresh)
        session.addLineage(of: refresh, on: connection)
        session.tell(RefreshAnswer.line(refresh))
        // One that reads it is left out because of it.
        if refresh.outcome == .failed, let error = refresh.error {
          note(error, in: .views, about: refresh.view)
        }
      }
    }
  }

  /// Records the views that readers see as they were longer ago than their definitions allow.
  func checkViews(_ target: ConnectionTarget) throws {
    for view in try views.status(on: try session.connect(to: target)) where view.isStale {
      let why = view.behind.isEmpty ? "" : ": \(view.behind.joined(separator: ", "))"
      report(.views, ExitCode.outOfStep, "\(view.name) is stale\(why)")
    }
  }
}
