import Definitions
import Host
import Pages
import PipelineCore
import PipelineEngine
import Store

/// One run as a page, to mail: counts and names, and no value of a record.
struct RunPage {
  let row: RunRow
  let times: LocalTimes
  let origin: ReportOrigin

  var page: Page {
    let report = row.report
    return Page(
      ["Run \(report.run): \(report.pipeline)", report.release].compactMap(\.self).joined(separator: " "),
      facts: outcome + origin.facts,
      sections: [sources, stages, rejects, rules, merges].compactMap(\.self), footer: origin.footer)
  }

  private var outcome: [Page.Fact] {
    let (read, refused) = row.report.sources.records
    var facts: [Page.Fact] = [
      .init("State", row.report.state.cell),
      .init("Started", PageCell(times[row.startedAt])),
      .init(row.finishedAt == nil ? "So far" : "Took", .seconds(row.seconds)),
      .init("Records read", PageCell(read)), .init("Rejected", PageCell(refused)),
    ]
    if let revision = row.report.revision { facts.append(.init("Revision", PageCell(revision))) }
    if let replays = row.replays { facts.append(.init("Corrects", "rejects of run \(replays)")) }
    if let error = row.error { facts.append(.init("Why it ended so", PageCell(error, tone: .bad))) }
    if !row.report.missing.isEmpty {
      facts.append(.init("Lacks", PageCell(row.report.missing.joined(separator: "; "), tone: .warning)))
    }
    return facts
  }

  private var sources: PageSection {
    let known = { (source: SourceReport, number: Int) in source.isCounted ? PageCell(number) : "?" }
    let table = PageTable(
      "Sources of the run",
      [
        "Source", "File", "Layout", .right("Bytes"), .right("Read"), .right("Loaded"), .right("Rejected"),
        .right("Skipped"),
      ],
      row.report.sources.map { source in
        [
          PageCell(source.source), PageCell(source.entry ?? Path.name(source.file)), PageCell(source.layout),
          known(source, source.bytes), known(source, source.read), known(source, source.loaded),
          known(source, source.rejected), known(source, source.skipped),
        ]
      }, ifEmpty: "The run has recorded no source.")
    return PageSection("Sources", [.table(table)])
  }

  private var stages: PageSection {
    let bars = row.report.stages.map {
      BarChart.Bar($0.stage, $0.seconds ?? 0, shown: $0.seconds?.duration ?? "not ended")
    }
    let table = PageTable(
      "Stages in their order", ["Stage", .right("Time"), .right("Records"), .right("Records a second")],
      row.report.stages.map {
        [PageCell($0.stage), .seconds($0.seconds), PageCell($0.records), PageCell($0.recordsPerSecond)]
      }, ifEmpty: "The run has recorded no stage.")
    return PageSection(
      "Stages",
      [
        .figure(
          Figure(
            "How long each stage took", "In the order in which they began.", chart: BarChart(bars),
            table: table))
      ])
  }

  private var rejects: PageSection {
    let table = PageTable(
      "Records that were rejected, by reason", ["Source", "Column", "Rule", .right("Records"), "First line"],
      row.report.rejects.map { reason in
        [
          PageCell(reason.source), PageCell(reason.column), PageCell(reason.rule), PageCell(reason.records),
          PageCell(
            reason.examples.first.map { "\(reason.entry ?? Path.name(reason.file)), line \($0.line)" }),
        ]
      }, ifEmpty: "No record was rejected.")
    return PageSection("Rejects", [.table(table)])
  }

  private var rules: PageSection {
    let table = PageTable(
      "Rules over whole tables", ["Rule", "Severity", "Result", .right("Found")],
      row.report.gates.map { gate in
        let result =
          gate.passed
          ? PageCell(
            gate.found > 0 ? "passed, with findings" : "passed", tone: gate.found > 0 ? .neutral : .good)
          : PageCell(
            gate.isAccepted ? "accepted" : gate.severity == .warn ? "warning" : "failed",
            tone: gate.isAccepted || gate.severity == .warn ? .warning : .bad)
        return [PageCell(gate.rule), PageCell(gate.severity.rawValue), result, PageCell(gate.found)]
      }, ifEmpty: "No rule was asked.")
    return PageSection("Rules", [.table(table)])
  }

  private var merges: PageSection? {
    guard !row.report.merges.isEmpty else { return nil }
    let table = PageTable(
      "What was merged",
      ["Table", "Changes of", .right("Inserted"), .right("Updated"), .right("Deleted"), .right("Unchanged")],
      row.report.merges.map { merge in
        [
          PageCell(merge.target), PageCell(merge.period.map { "\($0.from) to \($0.to)" }),
          PageCell(merge.inserted), PageCell(merge.updated), PageCell(merge.deleted),
          PageCell(merge.unchanged),
        ]
      })
    return PageSection("Merged", [.table(table)])
  }
}
