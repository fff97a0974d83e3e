import Host
import PipelineCore
import Reporting
public import Values
public import ViewEngine

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
    let codes = Set(reasons.map(\.failure.code))
    if codes != [ExitCode.busy] && codes != [ExitCode.outOfStep] { failure.code = ExitCode.failed }
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

  /// A table with a line for each view; empty where there is none.
  var text: ConsoleText {
    TextTable(
      [
        "view", .state("outcome"), "computed", .right("inserted"), .right("updated"), .right("deleted"),
        .right("seconds"),
      ],
      refreshes.map {
        [
          $0.view, $0.outcome.rawValue, RefreshAnswer.extent($0), $0.inserted.grouped, $0.updated.grouped,
          $0.deleted.grouped, JSON.seconds($0.seconds).text,
        ]
      }
    ).text(orIfEmpty: "")
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

extension ViewRefresh: JSONConvertible {
  /// What became of a view.
  public var json: JSON {
    [
      "view": view, "strategy": strategy, "outcome": outcome.rawValue, "kind": kind?.rawValue,
      "reason": reason, "groups": groups, "rows_inserted": inserted, "rows_updated": updated,
      "rows_deleted": deleted, "rows_changed": rowsChanged, "seconds": JSON.seconds(seconds),
      "error": error.flatMap { Failure($0).json.members.first?.1 },
    ]
  }
}
