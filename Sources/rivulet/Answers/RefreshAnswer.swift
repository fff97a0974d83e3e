import Host
import PipelineCore
import Reporting
import Values
import ViewEngine

/// What became of views that were to be refreshed, for scripts and for people.
struct RefreshAnswer {
  var refreshes: [ViewRefresh] = []
  /// From the first view to the end of the last, wall-clock.
  var seconds = 0.0
  /// What ended it before all views had their turn.
  var end: (any Error)?

  /// Those that are not as they should be.
  private var failed: [ViewRefresh] { refreshes.filter(\.hasFailed) }

  /// Nil where all went well. Busy, or out of step, only where that is all that is wrong.
  var failure: Failure? {
    if let end { return Failure(end) }
    let reasons = failed.filter { $0.outcome == .failed }.compactMap { refresh in
      refresh.error.map { (view: refresh.view, failure: Failure($0)) }
    }
    guard let first = reasons.first else { return nil }
    var failure = first.failure
    if [ExitCode.busy, ExitCode.outOfStep].contains(where: { code in
      reasons.allSatisfy { $0.failure.code == code }
    })
      == false
    {
      failure.code = ExitCode.failed
    }
    failure.message =
      failed.count == 1
      ? "\(first.view) could not be refreshed: \(failure.message)"
      : "\(failed.count) of \(refreshes.count) views could not be refreshed; \(first.view): \(failure.message)"
    // The error of what is out of step says itself what to do.
    if failure.hint == nil && failure.code != ExitCode.outOfStep {
      failure.hint =
        "what was stored is still there, and what was captured waits: "
        + "'rivulet refresh \(reasons.map(\.view).joined(separator: " "))' tries again"
    }
    return failure
  }

  /// An array with an object for each view.
  var json: JSON {
    .array(
      refreshes.map { refresh in
        .object([
          ("view", .string(refresh.view)), ("strategy", .string(refresh.strategy)),
          ("outcome", .string(refresh.outcome.rawValue)), ("kind", JSON(refresh.kind?.rawValue)),
          ("reason", JSON(refresh.reason)), ("groups", JSON(refresh.groups)),
          ("rows_inserted", .integer(refresh.inserted)), ("rows_updated", .integer(refresh.updated)),
          ("rows_deleted", .integer(refresh.deleted)), ("rows_changed", .integer(refresh.rowsChanged)),
          ("seconds", .seconds(refresh.seconds)),
          ("error", refresh.error.map { Failure($0).members[0].1 } ?? .null),
        ])
      })
  }

  /// A table with a line for each view; empty where there is none.
  var text: String {
    var table = TextTable([
      ("view", .left), ("outcome", .left), ("computed", .left), ("inserted", .right), ("updated", .right),
      ("deleted", .right), ("seconds", .right),
    ])
    for refresh in refreshes {
      table.add([
        refresh.view, refresh.outcome.rawValue, RefreshAnswer.extent(refresh), refresh.inserted.grouped,
        refresh.updated.grouped, refresh.deleted.grouped, JSON.seconds(refresh.seconds).text,
      ])
    }
    return table.isEmpty ? "" : table.text
  }

  /// A line of the log for a view that is done.
  static func line(_ refresh: ViewRefresh) -> String {
    switch refresh.outcome {
    case .refreshed:
      "\(refresh.view): \(extent(refresh)) in \(JSON.seconds(refresh.seconds).text) s, "
        + "\(refresh.rowsChanged.grouped) row\(refresh.rowsChanged == 1 ? "" : "s") changed"
    case .unchanged: "\(refresh.view): nothing has changed"
    case .failed:
      "\(refresh.view): failed; it is as it was" + (refresh.error.map { ": \(Failure($0).message)" } ?? "")
    case .skipped: "\(refresh.view): left as it was, since a view that it reads could not be refreshed"
    }
  }

  /// How much was computed, in words.
  private static func extent(_ refresh: ViewRefresh) -> String {
    switch refresh.kind {
    case nil: "nothing"
    case .full: "all" + (refresh.reason.map { " (\($0))" } ?? "")
    case .incremental:
      refresh.groups.map { "\($0.grouped) group\($0 == 1 ? "" : "s")" } ?? "what had changed"
    }
  }
}
