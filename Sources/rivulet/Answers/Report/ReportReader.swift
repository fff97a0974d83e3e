import Definitions
import Host
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Store
import ViewEngine

/// Reads what the report is made of.
struct ReportReader {
  private let session: Session
  private let connection: Connection
  private let project: Project

  init(_ session: Session, _ connection: Connection, _ project: Project) {
    (self.session, self.connection, self.project) = (session, connection, project)
  }

  /// All of it.
  func values(_ origin: ReportOrigin) throws -> ReportValues {
    let pipelines = try session.pipelines()
    let history = RunHistory(connection: connection)
    let overview = RunOverview(connection: connection, zone: project.timeZone)
    let runs = try history.list(limit: ReportValues.listedRuns)
    let numbers = runs.map(\.report.run)
    let newest = try pipelines.compactMap { try history.list(pipeline: $0.name, limit: 1).first }
    let releases = try Releases(connection: connection).list()
    let views = try ViewEngine(pipelines.flatMap(\.views)).status(on: connection)
    let migrations = try migrations()
    let stored = StoredTables(connection: connection)
    let merged = try stored.merged()
    let moments =
      runs.map(\.startedAt) + newest.map(\.startedAt) + views.map(\.refreshedAt) + merged.map(\.last)
      + releases.map(\.publishedAt) + migrations.flatMap(\.status.applied).map(\.appliedAt)
    return ReportValues(
      origin: origin, pipelines: pipelines, freshness: project.nightly.freshness,
      times: try LocalTimes(of: moments, zone: project.timeZone, on: connection),
      moments: try overview.moments(steps: ReportValues.moments),
      months: try overview.months(limit: 4 * ReportValues.listed),
      rejects: try overview.rejects(limit: ReportValues.listed), runs: runs,
      records: try overview.records(ofRuns: numbers),
      stages: try overview.stages(ofRuns: Array(numbers.prefix(ReportValues.drawnRuns))),
      newest: Dictionary(newest.map { ($0.report.pipeline, $0) }) { first, _ in first },
      ages: try ages(pipelines), releases: releases, compared: try compared(pipelines, releases),
      answers: try answers(pipelines), views: views, migrations: migrations,
      tables: try stored.releases(), merged: merged,
      growth: try stored.growth(zone: project.timeZone), sizes: try stored.sizes())
  }

  private func migrations() throws -> [(history: String, status: MigrationStatus)] {
    try MigrationFolder.histories(of: project, on: connection).map {
      ($0.history, try MigrationEngine(connection: connection, folder: $0).status())
    }
  }

  private func ages(_ pipelines: [Pipeline]) throws -> [String: Int] {
    var ages: [String: Int] = [:]
    for pipeline in pipelines where pipeline.publishing == .release {
      ages[pipeline.name] = try Releases(connection: connection).currentAge(of: pipeline.name)?.days
    }
    return ages
  }

  private func answers(_ pipelines: [Pipeline]) throws
    -> [String: [(part: ReportPart, answer: ReportAnswer)]]
  {
    var answers: [String: [(part: ReportPart, answer: ReportAnswer)]] = [:]
    let query = ReportQuery(connection: connection)
    for pipeline in pipelines where !pipeline.report.isEmpty {
      answers[pipeline.name] = try pipeline.report.map { ($0, try query.answer(to: $0)) }
    }
    return answers
  }

  /// The newest published releases of each pipeline against those before them.
  private func compared(_ pipelines: [Pipeline], _ releases: [ReleaseRow]) throws
    -> [ReportValues.Compared]
  {
    var compared: [ReportValues.Compared] = []
    for pipeline in pipelines where pipeline.publishing == .release {
      let published = releases.filter { $0.pipeline == pipeline.name && $0.state == "published" }
      for (to, from) in zip(published, published.dropFirst()).prefix(ReportValues.comparedReleases) {
        var pair = ReportValues.Compared(pipeline: pipeline.name, from: from.release, to: to.release)
        if from.rows + to.rows <= ReportValues.comparedRows {
          do {
            try ReleaseDiff.compare(pipeline, from: from.release, to: to.release, on: connection) {
              pair.tables = $0.tables
            }
          } catch is ReleaseOperationError {
            // Rolled back or dropped since the releases were listed.
            continue
          }
        } else if let change = try RunHistory(connection: connection).change(ofRun: to.run),
          change.from == from.release
        {
          pair.recorded = change
        }
        compared.append(pair)
      }
    }
    return compared
  }
}
