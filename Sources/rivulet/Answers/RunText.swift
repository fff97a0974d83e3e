import Host
import PipelineCore
import Reporting
import Values

/// What merging did to tables, or would do, for people.
private func text(_ merges: [MergeReport]) -> ConsoleText {
  let table = TextTable(
    ["table", .right("inserted"), .right("updated"), .right("deleted"), .right("unchanged")],
    merges.map { [$0.target] + [$0.inserted, $0.updated, $0.deleted, $0.unchanged].map(\.grouped) })
  let period = merges.compactMap(\.period).first.map { from, to in
    "changes of \(from == to ? from : "\(from) to \(to)")\n"
  }
  return (period ?? "") + table.text
}

/// A run in a line.
func runSummary(_ report: RunReport) -> String {
  let name = [report.pipeline, report.release].compactMap(\.self).joined(separator: " ")
  return
    "run \(report.run): \(name)\(report.revision.map { " revision \($0)" } ?? "") is \(report.state.rawValue)"
}

/// The tables that rows went to: the source's own, and how many of its children's.
private func targets(_ source: SourceReport) -> String {
  // Its own has a row for each record.
  let own = source.targets.keys.filter { source.targets[$0] == source.loaded }.sorted()
  let names = own + source.targets.keys.filter { !own.contains($0) }
  guard let first = names.first else { return "" }
  return names.count > 1 ? "\(first) and \(names.count - 1) more" : first
}

/// A run that has just ended, for people.
func timed(_ report: RunReport) -> ConsoleText {
  text(report) + "\(JSON.seconds(report.seconds).text) s\n"
}

/// A run for people.
func text(_ report: RunReport) -> ConsoleText {
  var table = TextTable([
    "source", "entry", .right("read"), .right("loaded"), .right("rejected"), .right("skipped"), "target",
  ])
  for source in report.sources {
    table.add(
      [
        source.source, source.entry ?? Path.name(source.file),
      ]
        + (source.isCounted
          ? [source.read, source.loaded, source.rejected, source.skipped].map(\.grouped)
          : ["?", "?", "?", "?"]) + [targets(source)])
  }
  var lines = ConsoleText(runSummary(report) + "\n")
  if !table.isEmpty { lines += "\n" + table.text }
  if !report.missing.isEmpty {
    lines += "\nmissing, so that the release is partial: \(report.missing.joined(separator: ", "))\n"
  }
  let skips = report.sources.reduce(into: [:]) { $0.merge($1.skippedBy, uniquingKeysWith: +) }
  if !skips.isEmpty {
    let rules = skips.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.grouped)" }
    lines += "\nskipped by rule: \(rules.joined(separator: ", "))\n"
  }
  let zeros = report.sources.reduce(into: [:]) { $0.merge($1.restoredZeros, uniquingKeysWith: +) }
  if !zeros.isEmpty {
    let columns = zeros.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.grouped)" }
    lines += "\nleading zeros restored: \(columns.joined(separator: ", "))\n"
  }
  for check in report.crossChecks { lines += "\n" + text(check) }
  if let change = report.change { lines += "\n" + text(change) }
  if !report.merges.isEmpty {
    lines += (report.state == .dryRun ? "\nwould be merged:\n" : "\nmerged:\n") + text(report.merges)
  } else if let differences = report.differences {
    lines += "\n" + text(differences) + "\n"
  } else if report.state == .dryRun {
    lines += "\nnothing is published that it could be compared with\n"
  }
  return lines
}
