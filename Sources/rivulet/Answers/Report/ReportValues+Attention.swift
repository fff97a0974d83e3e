import Definitions
import MigrationEngine
import Pages
import PipelineCore
import PipelineEngine
import Reporting
import Store
import ViewEngine

/// What somebody should look at, before all else.
extension ReportValues {
  var attention: PageSection {
    let findings = findings
    let current = releases.filter(\.isCurrent).count
    let facts: [Page.Fact] = [
      .init("Datasets loaded", "\(loaded) of \(pipelines.count)"),
      .init("Current releases", PageCell(current)),
      .init("Runs in the ledger", PageCell(moments.runs)),
      .init("Records rejected", PageCell(months.reduce(0) { $0 + $1.rejected })),
      .init("Views", "\(views.count { $0.behind.isEmpty }) of \(views.count) exact"),
      .init("The database takes", .bytes(sizes.database)),
    ]
    let notes: [PageBlock] =
      findings.isEmpty
      ? [.note("Nothing needs attention.", .good)] : findings.map { .note($0.text, $0.tone) }
    return PageSection("Summary", id: "summary", [.facts(facts)] + notes)
  }

  private var loaded: Int {
    pipelines.count { pipeline in
      releases.contains { $0.pipeline == pipeline.name && $0.state == "published" }
        || merged.contains { $0.pipeline == pipeline.name }
    }
  }

  private var findings: [(text: String, tone: Tone)] {
    var found: [(text: String, tone: Tone)] = []
    for pipeline in pipelines where isOverdue(pipeline.name) {
      let age = ages[pipeline.name].map { "began to be in effect \($0.grouped) days ago" } ?? "is missing"
      let limit = freshness.first { $0.pipeline == pipeline.name }?.days ?? 0
      found.append(("\(pipeline.name): the current release \(age); \(limit.grouped) days are allowed.", .bad))
    }
    for pipeline in pipelines {
      guard let last = newest[pipeline.name], last.report.state.tone == .bad else { continue }
      found.append(
        (
          "\(pipeline.name): the last run, \(last.report.run), ended \(last.report.state.words). See "
            + "'rivulet runs show \(last.report.run)'.",
          .bad
        ))
    }
    for row in releases where row.isCurrent && row.isOver(on: origin.day) {
      found.append(
        (
          "\(row.pipeline): the current release \(row.release) was in effect until \(row.effectiveTo ?? ""): "
            + "load the one that is in effect today.", .warning
        ))
    }
    for row in releases where row.isCurrent && row.isSynthetic {
      found.append(("\(row.pipeline): the current release \(row.release) is a synthetic sample.", .warning))
    }
    for row in releases where row.isCurrent && !row.missing.isEmpty {
      found.append(
        (
          "\(row.pipeline): the current release \(row.release) lacks \(row.missing.joined(separator: ", ")).",
          .warning
        ))
    }
    let behind = views.filter { !$0.behind.isEmpty }
    if !behind.isEmpty {
      let isStale = behind.contains(where: \.isStale)
      found.append(
        (
          "\(behind.count) of \(views.count) views are behind: 'rivulet refresh --stale' computes them.",
          isStale ? .bad : .warning
        ))
    }
    if !migrations.allSatisfy(\.status.isInStep) {
      let pending = migrations.reduce(0) { $0 + $1.status.pending.count + $1.status.pendingRepeatables.count }
      found.append(
        pending > 0
          ? ("\(pending) migrations are pending: 'rivulet migrate up' applies them.", .warning)
          : (
            "The migrations that are applied are not those of the project: see 'rivulet migrate status'.",
            .bad
          ))
    }
    return found
  }
}
