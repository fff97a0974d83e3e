/// Counts the refused records of one entry by what is wrong with them.
///
/// Its size is bounded by the layout: so many rules, so many columns, three examples of each.
package struct RejectTally {
  private struct Key: Hashable {
    package let rule: String
    package let column: String?
  }

  private var counts: [Key: (records: Int, examples: [RejectReason.Example])] = [:]

  /// Nothing was counted yet.
  package init() {}

  package mutating func count(_ fault: Fault, line: Int, value: String?) {
    let key = Key(rule: fault.rule, column: fault.column)
    var entry = counts[key] ?? (0, [])
    // Nobody else may hold the examples while one is added.
    counts[key] = nil
    entry.records += 1
    if entry.examples.count < RejectReason.keptExamples {
      entry.examples.append(RejectReason.Example(line: line, value: value, explanation: fault.explanation))
    }
    counts[key] = entry
  }

  /// What was counted, as reasons of an entry's report.
  package func reasons(of report: SourceReport) -> [RejectReason] {
    counts.map { key, counted in
      RejectReason(
        sourceFileID: report.sourceFileID, source: report.source, file: report.file, entry: report.entry,
        column: key.column, rule: key.rule, records: counted.records, examples: counted.examples)
    }
  }
}
