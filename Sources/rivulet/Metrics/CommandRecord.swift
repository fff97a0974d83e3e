import Host
import PipelineCore
import ViewEngine

/// What a command has done so far, for the metrics of it.
final class CommandRecord {
  /// When the command began, in seconds of the machine's clock.
  let started = Machine.seconds
  /// Runs that have ended, as far as they got, in their order.
  private(set) var runs: [RunReport] = []
  /// Views that were to be refreshed, in their order.
  var views: [ViewRefresh] = []
  /// How many migrations were applied; nil where that was not asked for.
  var appliedMigrations: Int?
  /// How many are pending then; nil where that is not known.
  var pendingMigrations: Int?
  /// What a night brought.
  var night: NightlySummary?

  /// Nothing is done.
  init() {}

  /// A view was refreshed; what came before of the same view is forgotten.
  func keep(_ refresh: ViewRefresh) {
    views.removeAll { $0.view == refresh.view }
    views.append(refresh)
  }

  /// A run has ended.
  func add(_ run: RunReport) { runs.append(run) }

  /// Something failed, which was a run, or not.
  func add(_ error: any Error) {
    if let run = (error as? RunFailure)?.report { runs.append(run) }
  }
}
