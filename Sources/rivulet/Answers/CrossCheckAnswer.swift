import PipelineCore
import PipelineEngine
import Reporting
import Values

/// A comparison of two formats as scripts rely on it.
func json(_ check: CrossCheck) -> JSON {
  .object([
    ("source", .string(check.source)),
    ("formats", .array([.string(check.formats.first), .string(check.formats.second)])),
    ("compared", .integer(check.compared)), ("only_in_first", .integer(check.onlyInFirst)),
    ("only_in_second", .integer(check.onlyInSecond)), ("rejected", .integer(check.rejected)),
    ("examples", .array(check.examples.map { .string($0) })),
    (
      "lone_rows",
      .array(
        check.loneRows.map { row in
          .object([
            ("format", .string(row.format)),
            ("key", .object(row.key.map { ($0.column, .string($0.value)) })),
          ])
        })
    ),
    ("columns", .counts(check.columns)), ("not_compared", .array(check.notCompared.map { .string($0) })),
    (
      "differences",
      .array(
        check.differences.map { difference in
          .object([
            ("key", .object(difference.key.map { ($0.column, .string($0.value)) })),
            ("column", .string(difference.column)), ("first", JSON(difference.first)),
            ("second", JSON(difference.second)),
          ])
        })
    ),
    (
      "numbers",
      .array(
        check.numbers.map { numbers in
          .object([
            ("column", .string(numbers.column)), ("count", .integer(numbers.count)),
            ("restored", .integer(numbers.restored)),
            ("values", .array(numbers.values.map { .string($0) })),
          ])
        })
    ),
  ])
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
      "    " + text($0.key)
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
        "    \(key): \(quoted(difference.first)) in \(first), \(quoted(difference.second)) in \(second)")
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
