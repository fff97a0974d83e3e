import Definitions
import Host
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL

/// The last steps: whether what is there is what should be there.
extension NightlyJob {
  /// Holds the current releases against the limits of `rivulet.yaml`.
  func checkReleases(_ target: ConnectionTarget) throws {
    let releases = Releases(connection: try session.connect(to: target))
    for limit in project.nightly.freshness {
      let current = try releases.currentAge(of: limit.pipeline)
      let dataset = NightlySummary.Freshness(
        dataset: limit.pipeline, release: current?.release, ageInDays: current?.days, limitInDays: limit.days)
      summary.freshness.append(dataset)
      guard !dataset.isMet else { continue }
      report(
        .freshness, ExitCode.outOfStep,
        current.map {
          "\(limit.pipeline): the current release \($0.release) is \($0.days) days old, and \(limit.days) are allowed"
        } ?? "\(limit.pipeline) has no current release")
    }
  }

  /// Holds the schema against the project's migrations.
  func checkSchema(_ target: ConnectionTarget) throws {
    let connection = try session.connect(to: target)
    let statuses = try MigrationFolder.histories(of: project, on: connection).map {
      ($0.history, try MigrationEngine(connection: connection, folder: $0).status())
    }.filter { !$0.1.isInStep }
    if statuses.isEmpty { return }
    let pending = statuses.flatMap { history, status in
      (status.pending + status.pendingRepeatables).map {
        (history.isEmpty ? "" : "\(history): ") + "\($0.version) \($0.name)"
      }
    }
    if !pending.isEmpty {
      report(
        .schema, ExitCode.outOfStep,
        "pending: \(pending.joined(separator: ", ")); 'rivulet migrate up' applies them")
    } else {
      report(
        .schema, ExitCode.outOfStep,
        "the migrations that are applied are not those of the project: see 'rivulet migrate status'")
    }
  }
}
