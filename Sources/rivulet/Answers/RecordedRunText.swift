import Definitions
import Host
import PipelineCore
import PipelineEngine
import Reporting
import Store
import Values

/// A run of the ledger for people.
struct RecordedRunText {
  let row: RunRow

  var text: ConsoleText {
    let parts: [ConsoleText] = [heading, sources, ConsoleText(digests), stages, gates]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var heading: ConsoleText {
    let seconds = JSON.seconds(row.seconds).text
    let time =
      row.report.state == .running
      ? (row.stage.map { "in stage \($0), " } ?? "") + "\(seconds) s so far" : "took \(seconds) s"
    return rivulet.text(row.report) + "\nstarted \(row.startedAt), \(time)\n"
      + "rivulet \(row.programVersion), definition \(row.definitionHash)\n"
      + (row.replays.map { "loads corrected records of run \($0)\n" } ?? "")
      + (row.error.map { "error: \($0)\n" } ?? "")
  }

  private var sources: ConsoleText {
    TextTable(
      ["source", "file", "layout", "encoding", .right("bytes")],
      row.report.sources.map {
        [$0.source, Path.name($0.file), $0.layout, $0.encoding, $0.isCounted ? $0.bytes.grouped : "?"]
      }
    ).text(orIfEmpty: "")
  }

  /// As `sha256sum` writes them.
  private var digests: String {
    var lines: [String] = []
    for source in row.report.sources where !source.sha256.isEmpty {
      let line = "\(source.sha256)  \(source.entry ?? Path.name(source.file))\n"
      // Several sources may read one entry.
      if !lines.contains(line) { lines.append(line) }
    }
    return lines.isEmpty ? "" : "SHA-256\n" + lines.joined()
  }

  private var stages: ConsoleText {
    TextTable(
      ["stage", .right("seconds"), .right("records"), .right("records/s")],
      row.report.stages.map {
        [
          $0.stage, $0.seconds.map { JSON.seconds($0).text } ?? "-", $0.records?.grouped,
          $0.recordsPerSecond?.grouped,
        ]
      }
    ).text(orIfEmpty: "")
  }

  private var gates: ConsoleText {
    TextTable(
      ["rule", "severity", .state("passed"), .right("found")],
      row.report.gates.map {
        [
          $0.rule, $0.severity.rawValue, $0.passed ? "yes" : $0.isAccepted ? "accepted" : "no",
          $0.found.grouped,
        ]
      }
    ).text(orIfEmpty: "")
  }
}
