import Host
import Pages
import PipelineCore
import PipelineEngine
import Reporting
import Store

/// What was loaded when, and what was rejected.
extension ReportValues {
  var runsSection: PageSection {
    let older = moments.runs - runs.count
    let note: [PageBlock] =
      older > 0
      ? [
        .text(
          "The newest \(runs.count.grouped) of \(moments.runs.grouped) runs are listed; the "
            + "\(older.grouped) older ones are in the sums by month."
        )
      ]
      : []
    return PageSection(
      "Runs", id: "runs",
      [.figure(timeline)] + note + [.table(runTable), .figure(stageFigure), .section(monthSection)])
  }

  private static let kinds: [(name: String, tone: Tone)] = [
    ("loaded", .good), ("staged, dry run or at work", .warning), ("refused, failed or interrupted", .bad),
    ("nothing new", .neutral),
  ]

  private static func kind(of state: RunState) -> Int {
    switch state {
    case .published, .merged: 0
    case .staged, .dryRun, .running: 1
    case .refused, .failed, .interrupted: 2
    case .unchanged: 3
    }
  }

  private var timeline: Figure {
    let names = moments.moments.map(\.pipeline).reduce(into: [String]()) { names, name in
      if names.last != name { names.append(name) }
    }
    let totals = names.map { name in (name, months.filter { $0.pipeline == name }) }
    let lanes = totals.map { name, months in
      let runs = months.reduce(0) { $0 + $1.runs }
      return LaneChart.Lane(
        name, shown: "\(runs.grouped) run\(runs == 1 ? "" : "s")",
        moments.moments.filter { $0.pipeline == name }.map {
          .init(
            at: (Double($0.step) + 0.5) / Double(Self.moments),
            series: Self.kind(of: RunState(rawValue: $0.state) ?? .failed))
        })
    }
    let table = PageTable(
      "Runs by dataset",
      [
        "Dataset", .right("Runs"), .right("Unsuccessful"), .right("Records read"), .right("Loaded"),
        .right("Rejected"),
      ],
      totals.map { name, months in
        let sum = { (part: (RunOverview.Month) -> Int) in PageCell(months.reduce(0) { $0 + part($1) }) }
        return [
          PageCell(name), sum(\.runs), sum(\.unsuccessful), sum(\.read), sum(\.loaded), sum(\.rejected),
        ]
      }, ifEmpty: "Nothing has run yet.")
    return Figure(
      "What was loaded when",
      "Each dataset's runs in time. Where several are closer than a mark is wide, the mark is that of the "
        + "worst.",
      chart: LaneChart(series: Self.kinds, from: moments.from, to: moments.to, lanes), table: table)
  }

  private var runTable: PageTable {
    PageTable(
      "The newest runs",
      [
        .right("Run"), "Dataset", "Release", "State", "Started", .right("Took"), .right("Read"),
        .right("Rejected"),
        "Why it ended so",
      ],
      runs.map { row in
        let counts = records[row.report.run]
        return [
          PageCell("\(row.report.run)"), PageCell(row.report.pipeline),
          PageCell(row.report.release.map { name in name + (row.report.revision.map { " (\($0))" } ?? "") }),
          row.report.state.cell, PageCell(times[row.startedAt]), .seconds(row.seconds),
          PageCell(counts?.read),
          PageCell(counts?.rejected), PageCell(row.error),
        ]
      }, ifEmpty: "Nothing has run yet.")
  }

  private var stageFigure: Figure {
    let drawn = runs.prefix(Self.drawnRuns).filter { stages[$0.report.run] != nil }
    var names: [String] = []
    for stage in drawn.flatMap({ stages[$0.report.run] ?? [] }) where !names.contains(stage.stage) {
      names.append(stage.stage)
    }
    let title = { (row: RunRow) in
      "Run \(row.report.run) "
        + [row.report.pipeline, row.report.release].compactMap(\.self).joined(separator: " ")
    }
    let bars = drawn.map { row in
      let parts = stages[row.report.run] ?? []
      return StackedBars.Bar(
        title(row), shown: parts.reduce(0) { $0 + $1.seconds }.duration,
        parts: parts.map { part in (names.firstIndex(of: part.stage) ?? 0, part.seconds) })
    }
    let table = PageTable(
      "Stages of the newest runs", ["Run"] + names.map { .right($0) },
      drawn.map { row in
        [PageCell(title(row))]
          + names.map { name in .seconds(stages[row.report.run]?.first { $0.stage == name }?.seconds) }
      }, ifEmpty: "No run has recorded a stage.")
    return Figure(
      "Stages of the newest runs", "How long each stage took, in the order in which they began.",
      chart: StackedBars(series: names, Array(bars)), table: table)
  }

  private var monthSection: PageSection {
    let shown = months.prefix(Self.listed)
    let table = PageTable(
      "Runs by month and dataset",
      [
        "Month", "Dataset", .right("Runs"), .right("Unsuccessful"), .right("Read"), .right("Loaded"),
        .right("Rejected"), .right("Took"),
      ],
      shown.map { month in
        [
          PageCell(month.month), PageCell(month.pipeline), PageCell(month.runs), PageCell(month.unsuccessful),
          PageCell(month.read), PageCell(month.loaded), PageCell(month.rejected), .seconds(month.seconds),
        ]
      }, ifEmpty: "Nothing has run yet.")
    let rest = months.count - shown.count
    return PageSection(
      "Runs by month", id: "months",
      [.details("All runs by month and dataset", [.table(table)])]
        + (rest > 0 ? [.text("\(rest.grouped) older lines are left out.")] : []))
  }

  var rejectsSection: PageSection {
    let names = rejects.reasons.prefix(12)
    let bars = names.map {
      BarChart.Bar(
        [$0.pipeline, $0.source, $0.column, $0.rule].compactMap(\.self).joined(separator: " · "),
        Double($0.records), shown: $0.records.grouped)
    }
    let table = PageTable(
      "Rejected records by reason, over all runs",
      ["Dataset", "Source", "Column", "Rule", .right("Records"), .right("Runs"), .right("Last run")],
      rejects.reasons.map {
        [
          PageCell($0.pipeline), PageCell($0.source), PageCell($0.column), PageCell($0.rule),
          PageCell($0.records),
          PageCell($0.runs), PageCell("\($0.lastRun)"),
        ]
      }, ifEmpty: "No record was rejected.")
    let rest = rejects.count - rejects.reasons.count
    return PageSection(
      "Rejects", id: "rejects",
      [
        .figure(
          Figure(
            "Rejected records by reason",
            "The commonest reasons over all runs that the ledger has, refused ones too.",
            chart: BarChart(bars), table: table))
      ] + (rest > 0 ? [.text("\(rest.grouped) rarer reasons are left out.")] : []))
  }
}
