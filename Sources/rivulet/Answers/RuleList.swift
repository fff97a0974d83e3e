import Definitions
import Values

/// Every rule of a project's datasets, with what follows from it and why: as a page, and as JSON.
struct RuleList {
  let pipelines: [Pipeline]

  /// Columns of a source that the same is asked of.
  private struct Values {
    let source: String
    let type: ValueType
    let asked: String
    let otherwise: String
    let because: String
    var columns: [String]
  }

  var json: JSON {
    JSON.array(of: pipelines) { pipeline in
      [
        "pipeline": pipeline.name,
        "rules": JSON.array(of: pipeline.gateRules) {
          [
            "rule": $0.name, "severity": $0.severity.rawValue, "finds": $0.finds, "because": $0.because,
          ]
        },
        "values": JSON.array(of: values(of: pipeline)) {
          [
            "source": $0.source, "columns": $0.columns, "type": "\($0.type)", "asked": $0.asked,
            "otherwise": $0.otherwise, "because": $0.because,
          ]
        },
      ]
    }
  }

  /// The page, in Markdown.
  var page: String {
    """
    # Rules

    Every rule of every dataset, what follows where it does not hold, and why. Written by
    `rivulet pipelines rules` from the definitions under `Pipelines/`.

    A rule that fails refuses the release: nothing is published, unless `--accept RULE` says so. One that warns
    is reported. One that skips or rejects takes the records out, the rejected ones into the quarantine.

    \(pipelines.map { "- [\($0.name)](#\($0.name))\n" }.joined())
    """ + pipelines.map(page).joined(separator: "\n")
  }

  private func page(of pipeline: Pipeline) -> String {
    let rules = pipeline.gateRules.map {
      "| `\($0.name)` | \($0.severity.rawValue) | \(Self.cell($0.finds)) | \(Self.cell($0.because)) |\n"
    }
    let values = values(of: pipeline).map {
      "| \($0.source) | \($0.columns.joined(separator: ", ")) | `\($0.type)`\(Self.cell($0.asked)) "
        + "| \($0.otherwise) | \(Self.cell($0.because)) |\n"
    }
    return """

      ## \(pipeline.name)

      \(pipeline.title).

      | rule | severity | finds | why |
      |---|---|---|---|
      \(rules.joined())
      | source | columns | must be | otherwise | why |
      |---|---|---|---|---|
      \(values.joined())
      """
  }

  private static func cell(_ text: String) -> String {
    text.split(separator: "\n").joined(separator: " ").replacing("|", with: "\\|")
  }

  /// What is asked of the values of each source's columns, over all versions of its layout.
  private func values(of pipeline: Pipeline) -> [Values] {
    var found: [Values] = []
    for source in pipeline.sources {
      let columns = pipeline.layout(of: source)?.versions.flatMap(\.everyColumn) ?? []
      for column in columns where column.place != nil {
        let (asked, otherwise) = (column.asked.map { ", \($0)" }.joined(), column.otherwise)
        let index = found.firstIndex {
          $0.source == source.name && $0.type == column.type && $0.asked == asked && $0.otherwise == otherwise
            && $0.because == column.harm
        }
        if let index {
          if !found[index].columns.contains(column.name) { found[index].columns.append(column.name) }
        } else {
          found.append(
            Values(
              source: source.name, type: column.type, asked: asked, otherwise: otherwise,
              because: column.harm, columns: [column.name]))
        }
      }
    }
    return found
  }
}
