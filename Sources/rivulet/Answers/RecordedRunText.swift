import Definitions
import Host
import PipelineCore
import PipelineEngine
import Reporting
import Store
import Values

/// A run of the ledger for people, within a hundred columns.
struct RecordedRunText {
  let row: RunRow

  var text: String {
    let parts = [heading, sources, digests, stages, gates]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var heading: String {
    let seconds = JSON.seconds(row.seconds).text
    let time =
      row.report.state == .running
      ? (row.stage.map { "in stage \($0), " } ?? "") + "\(seconds) s so far" : "took \(seconds) s"
    return rivulet.text(row.report) + "\nstarted \(row.startedAt), \(time)\n"
      + "rivulet \(row.programVersion), definition \(row.definitionHash)\n"
      + (row.replays.map { "loads corrected records of run \($0)\n" } ?? "")
      + (row.error.map { "error: \($0)\n" } ?? "")
  }

  private var sources: String {
    var table = TextTable([
      ("source", .left), ("file", .left), ("layout", .left), ("encoding", .left), ("bytes", .right),
    ])
    for source in row.report.sources {
      let bytes = source.isCounted ? source.bytes.grouped : "?"
      table.add([source.source, Path.name(source.file), source.layout, source.encoding, bytes])
    }
    return table.isEmpty ? "" : table.text
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

  private var stages: String {
    var table = TextTable([
      ("stage", .left), ("seconds", .right), ("records", .right), ("records/s", .right),
    ])
    for stage in row.report.stages {
      table.add([
        stage.stage, stage.seconds.map { JSON.seconds($0).text } ?? "-", stage.records?.grouped,
        stage.recordsPerSecond?.grouped,
      ])
    }
    return table.isEmpty ? "" : table.text
  }

  private var gates: String {
    var table = TextTable([("rule", .left), ("severity", .left), ("passed", .left), ("found", .right)])
    for gate in row.report.gates {
      let passed = gate.passed ? "yes" : gate.isAccepted ? "accepted" : "no"
      table.add([gate.rule, gate.severity.rawValue, passed, gate.found.grouped])
    }
    return table.isEmpty ? "" : table.text
  }
}
