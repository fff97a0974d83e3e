import Definitions
import Pages
import PipelineCore
import PipelineEngine
import Reporting
import Store

/// Releases, each against the one before it, and how fresh the datasets are.
extension ReportValues {
  var releasesSection: PageSection {
    PageSection(
      "Releases", id: "releases",
      [
        .table(differences),
        .section(PageSection("All releases", id: "all-releases", [.table(releaseTable)] + restOfReleases)),
      ])
  }

  private var differences: PageTable {
    var table = PageTable(
      "Each published release against the one before it",
      [
        "Dataset", "From", "To", "Table", .right("Added"), .right("Removed"), .right("Changed"),
        "Most changed columns",
      ], ifEmpty: "No dataset has two published releases to compare.")
    for pair in compared {
      let head = [PageCell(pair.pipeline), PageCell(pair.from), PageCell(pair.to)]
      for diff in pair.tables ?? [] {
        guard let counts = diff.counts else {
          table.add(head + [PageCell(diff.table), "", "", "", "not in both of them"])
          continue
        }
        let columns = counts.columns.sorted { $0.rows > $1.rows }.prefix(3)
        table.add(
          head + [
            PageCell(diff.table), PageCell(counts.added), PageCell(counts.removed), PageCell(counts.changed),
            PageCell(columns.map { "\($0.name) \($0.rows.grouped)" }.joined(separator: ", ")),
          ])
      }
      if let change = pair.recorded {
        table.add(
          head + [
            PageCell(change.table), PageCell(change.added), PageCell(change.removed),
            PageCell(change.changed), "",
          ])
      } else if pair.tables == nil {
        table.add(head + ["", "", "", "", "too large to count here: 'rivulet releases diff' does"])
      }
    }
    return table
  }

  private var releaseTable: PageTable {
    PageTable(
      "Releases and their revisions, the newest first",
      [
        "Dataset", "Release", .right("Revision"), "State", "In effect", "Published", .right("Rows"),
        .right("Run"),
        "Remarks",
      ],
      releases.prefix(Self.listed).map { row in
        let remarks = [
          row.isPinned ? "pinned" : row.isCurrent ? "current" : nil, row.isSynthetic ? "synthetic" : nil,
          row.missing.isEmpty ? nil : "lacks \(row.missing.joined(separator: ", "))",
          row.mergedTo.map { "changes to \($0)" },
        ]
        return [
          PageCell(row.pipeline), PageCell(row.release), PageCell(row.revision),
          PageCell(
            row.state, tone: row.state == "published" ? .good : row.state == "staged" ? .warning : .neutral),
          PageCell([row.effectiveFrom, row.effectiveTo].compactMap(\.self).joined(separator: " to ")),
          PageCell(times[row.publishedAt]), PageCell(row.rows), PageCell("\(row.run)"),
          PageCell(remarks.compactMap(\.self).joined(separator: ", ")),
        ]
      }, ifEmpty: "No release is loaded.")
  }

  private var restOfReleases: [PageBlock] {
    let rest = releases.count - Self.listed
    return rest > 0 ? [.text("\(rest.grouped) older revisions are left out.")] : []
  }

  var freshnessSection: PageSection {
    let rows = pipelines.map { pipeline -> [PageCell] in
      let current = releases.first { $0.pipeline == pipeline.name && $0.isCurrent }
      let last = newest[pipeline.name]
      let limit = freshness.first { $0.pipeline == pipeline.name }?.days
      let ended = merged.filter { $0.pipeline == pipeline.name }.compactMap(\.last).max()
      return [
        PageCell(pipeline.name), freshnessState(pipeline, current, hasMerged: ended != nil),
        PageCell(current?.release),
        PageCell(times[pipeline.publishing == .merge ? ended : current?.publishedAt]),
        PageCell(ages[pipeline.name]), PageCell(limit), PageCell(last.map { times[$0.startedAt] ?? "" }),
        last?.report.state.cell ?? "",
      ]
    }
    let table = PageTable(
      "How fresh the datasets are",
      [
        "Dataset", "State", "Current release", "Loaded", .right("Days in effect"), .right("Days allowed"),
        "Last run",
        "It ended",
      ], rows, ifEmpty: "The project has no pipelines.")
    return PageSection("Datasets", id: "datasets", [.table(table)])
  }

  private func freshnessState(_ pipeline: Pipeline, _ current: ReleaseRow?, hasMerged: Bool) -> PageCell {
    if isOverdue(pipeline.name) { return PageCell("too old", tone: .bad) }
    if pipeline.publishing == .merge { return hasMerged ? PageCell("loaded", tone: .good) : Self.nothing }
    guard let current else { return Self.nothing }
    if current.isOver(on: origin.day) { return PageCell("no more in effect", tone: .warning) }
    return current.isSynthetic
      ? PageCell("synthetic sample", tone: .warning) : PageCell("loaded", tone: .good)
  }

  private static let nothing = PageCell("nothing loaded", tone: .neutral)

  /// Whether the current release is missing, or older than `rivulet.yaml` allows.
  func isOverdue(_ pipeline: String) -> Bool {
    guard let limit = freshness.first(where: { $0.pipeline == pipeline }) else { return false }
    return ages[pipeline].map { $0 > limit.days } ?? true
  }
}
