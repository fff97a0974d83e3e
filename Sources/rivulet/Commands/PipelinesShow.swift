import Definitions
import PipelineCore
import Reporting
import Values

let pipelinesShowCommand = Command(
  name: "show", summary: "Shows one pipeline: its sources, layouts, checks, views and queries",
  arguments: [Argument("PIPELINE", "the pipeline")],
  examples: ["rivulet pipelines show nppes", "rivulet pipelines show nppes --format json"],
  run: { try showPipeline($0, $1) })

private func showPipeline(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  try session.answer(json: pipeline.json, text: pipeline.text)
  return ExitCode.done
}

extension Pipeline {
  fileprivate var json: JSON {
    [
      "pipeline": name, "title": title, "folder": folder, "publish": publishing.rawValue,
      "rejects": rejects.description, "sources": sources.map(json),
      "checks": JSON.array(of: checks) {
        ["rule": $0.rule, "severity": $0.severity.rawValue, "source": $0.source]
      },
      "lists": lists.keys.sorted(), "views": views.map(\.name),
      "queries": queries.map(\.name), "report": report.map(\.name), "definition_hash": definitionHash,
    ]
  }

  private func json(_ source: Source) -> JSON {
    [
      "source": source.name, "entries": source.entries.text,
      "formats": source.formats.map(\.rawValue), "target": source.target,
      "key": source.key, "optional": source.isOptional, "layout": source.layout,
      "versions": JSON.array(of: (layout(of: source)?.versions ?? [])) { version in
        [
          "version": version.name, "columns": version.columns.map(json),
          "children": JSON.array(of: version.children) { child in
            [
              "target": child.target, "columns": (child.slots.first ?? []).map(json),
            ]
          },
        ]
      },
    ]
  }

  private func json(_ column: LayoutColumn) -> JSON {
    [
      "name": column.name, "source": column.shownSource, "type": "\(column.type)",
      "required": column.isRequired, "sensitive": column.isSensitive,
    ]
  }

  fileprivate var text: ConsoleText {
    var parts: [ConsoleText] = ["\(name): \(title)\n\(folder)\n"]
    let table = TextTable(
      ["source", "entries", "formats", "target", "key", ""],
      sources.map {
        [
          $0.name, $0.entries.text, $0.formats.map(\.rawValue).joined(separator: " "), $0.target,
          $0.key.joined(separator: " "), $0.isOptional ? "optional" : nil,
        ]
      })
    parts.append(table.text)
    for layout in layouts.values.sorted(by: { $0.name < $1.name }) {
      for version in layout.versions { parts.append(text(of: version, in: layout)) }
    }
    if !checks.isEmpty {
      let rows = checks.map { [$0.rule, $0.severity.rawValue, $0.source] }
      parts.append(TextTable(["check", "severity", "source"], rows).text)
    }
    for (what, names) in [
      ("code lists", lists.keys.sorted()), ("views", views.map(\.name)), ("queries", queries.map(\.name)),
      ("report", report.map(\.name)),
    ] where !names.isEmpty { parts.append("\(what): \(names.joined(separator: ", "))\n") }
    parts.append("publish: \(publishing.rawValue); rejects: \(rejects)\n")
    return parts.joined(separator: "\n")
  }

  private func text(of version: LayoutVersion, in layout: Layout) -> ConsoleText {
    let children = version.children.flatMap { child in
      (child.slots.first ?? []).map { row($0, in: child.target) }
    }
    let table = TextTable(
      ["table", "column", "in the file", "type", ""],
      version.columns.map { row($0, in: nil) } + children)
    return "layout \(layout.name), version \(version.name)\n" + table.text
  }

  private func row(_ column: LayoutColumn, in table: String?) -> [String?] {
    let marks = [column.isRequired ? "required" : nil, column.isSensitive ? "sensitive" : nil].compactMap(
      \.self)
    return [table, column.name, column.shownSource, "\(column.type)", marks.joined(separator: ", ")]
  }
}

extension LayoutColumn {
  /// Where its value is, in a word or two; nil where it is no field's.
  fileprivate var shownSource: String? {
    switch origin {
    case .field(let place):
      place.headers.first?.text ?? place.paths.first.map { $0.steps.isEmpty ? "." : $0.plain }
        ?? place.bytes.map { "\($0.lowerBound)-\($0.upperBound)" }
    case .constant(let text): "'\(text)'"
    case .recordNumber: "the record's number"
    case .pathName: "the path's name"
    }
  }
}
