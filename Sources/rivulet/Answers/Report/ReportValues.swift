import Definitions
import MigrationEngine
import Pages
import PipelineCore
import PipelineEngine
import Store
import ViewEngine

/// What the report is made of, read from a database.
struct ReportValues {
  /// So many of the newest runs are listed; older ones are in the sums by month.
  static let listedRuns = 60
  /// Of so many of them the stages are drawn.
  static let drawnRuns = 12
  /// So many steps of time the chart of all runs has.
  static let moments = 96
  /// So many releases, reasons and months are listed.
  static let listed = 240
  /// So many of a dataset's newest releases are held against the one before, where they have no more rows
  /// than that: more would take longer than a reader waits.
  static let (comparedReleases, comparedRows) = (6, 400_000)

  /// Two releases that follow each other, and what differs; nil where nobody has counted it.
  struct Compared {
    let pipeline: String
    let from: String
    let to: String
    var tables: [TableDiff]?
    var recorded: ReleaseChange?
  }

  let origin: ReportOrigin
  let pipelines: [Pipeline]
  let freshness: [FreshnessLimit]
  var times: LocalTimes
  var moments: (moments: [RunOverview.Moment], from: String, to: String, runs: Int)
  var months: [RunOverview.Month]
  var rejects: (reasons: [RunOverview.Rejects], count: Int)
  var runs: [RunRow]
  var records: [Int: (read: Int, loaded: Int, rejected: Int, skipped: Int)]
  var stages: [Int: [(stage: String, seconds: Double)]]
  /// The newest run of each pipeline that has one.
  var newest: [String: RunRow]
  /// How many days ago the current release of a pipeline began to be in effect.
  var ages: [String: Int]
  var releases: [ReleaseRow]
  var compared: [Compared]
  var answers: [String: [(part: ReportPart, answer: ReportAnswer)]]
  var views: [ViewStatus]
  /// Those of each history; none where the project has no migrations.
  var migrations: [(history: String, status: MigrationStatus)]
  var tables: [StoredTables.Table]
  var merged: [StoredTables.Merged]
  var growth: [(month: String, pipeline: String, rows: Int)]
  var sizes: (database: Int, ledger: Int)

  var page: Page {
    let datasets = pipelines.compactMap { pipeline in
      answers[pipeline.name].map { DatasetSection(pipeline: pipeline, answers: $0).section }
    }
    let sections =
      [attention, freshnessSection, runsSection, rejectsSection, releasesSection] + datasets
      + [viewsSection, tablesSection, migrationsSection]
    return Page(
      "\(origin.project): what is loaded", facts: origin.facts, sections: sections, footer: origin.footer)
  }
}
