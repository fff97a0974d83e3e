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
    .object([
      ("pipeline", .string(name)), ("title", .string(title)), ("folder", .string(folder)),
      ("publish", .string(publishing.rawValue)), ("rejects", .string(rejects.description)),
      ("sources", .array(sources.map(json))),
      (
        "checks",
        .array(
          checks.map {
            .object([
              ("rule", .string($0.rule)), ("severity", .string($0.severity.rawValue)),
              ("source", JSON($0.source)),
            ])
          })
      ), ("lists", .array(lists.keys.sorted().map { .string($0) })),
      ("views", .array(views.map { .string($0.name) })),
      ("queries", .array(queries.map { .string($0.name) })),
      ("definition_hash", .string(definitionHash)),
    ])
  }

  private func json(_ source: Source) -> JSON {
    .object([
      ("source", .string(source.name)), ("entries", .string(source.entries.text)),
      ("formats", .array(source.formats.map { .string($0.rawValue) })), ("target", .string(source.target)),
      ("key", .array(source.key.map { .string($0) })), ("optional", .bool(source.isOptional)),
      ("layout", .string(source.layout)),
      (
        "versions",
        .array(
          (layout(of: source)?.versions ?? []).map { version in
            .object([
              ("version", .string(version.name)), ("columns", .array(version.columns.map(json))),
              (
                "children",
                .array(
                  version.children.map { child in
                    .object([
                      ("target", .string(child.target)),
                      ("columns", .array((child.slots.first ?? []).map(json))),
                    ])
                  })
              ),
            ])
          })
      ),
    ])
  }

  private func json(_ column: LayoutColumn) -> JSON {
    .object([
      ("name", .string(column.name)), ("source", JSON(column.shownSource)),
      ("type", .string("\(column.type)")),
      ("required", .bool(column.isRequired)), ("sensitive", .bool(column.isSensitive)),
    ])
  }

  fileprivate var text: String {
    var parts = ["\(name): \(title)\n\(folder)\n"]
    var sources = TextTable([
      ("source", .left), ("entries", .left), ("formats", .left), ("target", .left), ("key", .left),
      ("", .left),
    ])
    for source in self.sources {
      sources.add([
        source.name, source.entries.text, source.formats.map(\.rawValue).joined(separator: " "),
        source.target,
        source.key.joined(separator: " "), source.isOptional ? "optional" : nil,
      ])
    }
    parts.append(sources.text)
    for layout in layouts.values.sorted(by: { $0.name < $1.name }) {
      for version in layout.versions { parts.append(text(of: version, in: layout)) }
    }
    if !checks.isEmpty {
      var table = TextTable([("check", .left), ("severity", .left), ("source", .left)])
      for check in checks { table.add([check.rule, check.severity.rawValue, check.source]) }
      parts.append(table.text)
    }
    for (what, names) in [
      ("code lists", lists.keys.sorted()), ("views", views.map(\.name)), ("queries", queries.map(\.name)),
    ] where !names.isEmpty { parts.append("\(what): \(names.joined(separator: ", "))\n") }
    parts.append("publish: \(publishing.rawValue); rejects: \(rejects)\n")
    return parts.joined(separator: "\n")
  }

  private func text(of version: LayoutVersion, in layout: Layout) -> String {
    var table = TextTable([
      ("table", .left), ("column", .left), ("in the file", .left), ("type", .left), ("", .left),
    ])
    for column in version.columns { table.add(row(column, in: nil)) }
    for child in version.children {
      for column in child.slots.first ?? [] { table.add(row(column, in: child.target)) }
    }
    return "layout \(layout.name), version \(version.name)\n\(table.text)"
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
