public import PipelineCore
import PipelineEngine
import Reporting
public import Values

extension CrossCheck: JSONConvertible {
  /// A comparison of two formats as scripts rely on it.
  public var json: JSON {
    [
      "source": source, "formats": [formats.first, formats.second], "compared": compared,
      "only_in_first": onlyInFirst, "only_in_second": onlyInSecond, "rejected": rejected,
      "examples": examples,
      "lone_rows": JSON.array(of: loneRows) {
        ["format": $0.format, "line": $0.line, "key": JSON.object(of: $0.key) { ($0.column, $0.value) }]
      },
      "columns": JSON.counts(columns), "not_compared": notCompared,
      "differences": JSON.array(of: differences) {
        [
          "key": JSON.object(of: $0.key) { ($0.column, $0.value) }, "column": $0.column,
          "first": $0.first, "second": $0.second,
          "first_line": $0.lines.first, "second_line": $0.lines.second,
        ]
      },
      "numbers": JSON.array(of: numbers) {
        ["column": $0.column, "count": $0.count, "restored": $0.restored, "values": $0.values]
      },
    ]
  }
}

/// A comparison of two formats for people.
func text(_ check: CrossCheck) -> String {
  let (first, second) = check.formats
  var lines = ["\(check.source): \(first) and \(second) share \(check.compared.grouped) rows"]
  func add(_ count: Int, _ words: String) {
    if count > 0 { lines.append("  \(count.grouped) \(words)") }
  }
  for (count, format) in [(check.onlyInFirst, first), (check.onlyInSecond, second)] {
    add(count, "rows are only in the \(format):")
    lines += check.loneRows.filter { $0.format == format }.prefix(shownDifferences).map {
      "    line \($0.line): \(text($0.key))"
    }
  }
  add(check.rejected, "records of the \(second) were refused:")
  lines += check.examples.map { "    " + $0 }
  if !check.notCompared.isEmpty {
    lines.append("  not in both: \(check.notCompared.joined(separator: ", "))")
  }
  if check.faults == 0 { lines.append("  no difference in keys, numbers and codes") }
  for (column, count) in check.columns.sorted(by: { $0.key < $1.key }) {
    lines.append("  \(column): \(count.grouped) differ")
    for difference in check.differences.filter({ $0.column == column }).prefix(shownDifferences) {
      let key = text(difference.key)
      lines.append(
        "    \(key): \(quoted(difference.first)) in line \(difference.lines.first) of the \(first), "
          + "\(quoted(difference.second)) in line \(difference.lines.second) of the \(second)")
    }
    if count > shownDifferences {
      lines.append("    and \((count - shownDifferences).grouped) more: --format json")
    }
  }
  for numbers in check.numbers {
    let restored = numbers.restored > 0 ? ", \(numbers.restored.grouped) without their leading zeros" : ""
    let shown = numbers.values.prefix(shownCodes)
    let last = numbers.values.count > shownCodes ? numbers.values.suffix(1) : []
    lines.append(
      "  \(numbers.column): \(numbers.count.grouped) cells of the \(second) hold numbers\(restored): "
        + "\(numbers.values.count.grouped) codes, " + (shown.joined(separator: ", "))
        + last.map { " ... \($0) (all with --format json)" }.joined())
  }
  return lines.joined(separator: "\n") + "\n"
}

private let shownDifferences = 40
private let shownCodes = 8

private func text(_ key: [(column: String, value: String)]) -> String {
  key.map { "\($0.column) \($0.value)" }.joined(separator: ", ")
}

private func quoted(_ value: String?) -> String { value.map { "'\($0)'" } ?? "nothing" }
