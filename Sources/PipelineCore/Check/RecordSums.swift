import Definitions

/// The promise that nothing is lost in silence, compared with what was counted.
///
/// The reader counts what it read, the server what it stored; what was rejected and what a rule left out is
/// counted where that happens. No number is made of the others.
extension LoadOutcome {
  /// Why the numbers do not add up; nil where they do: a source's records are more or fewer than what became
  /// of them, or a table has another number of rows than they can have brought.
  package var refusalOfSums: RunError? {
    for report in reports {
      guard report.addsUp else { return .countsDoNotAddUp(report) }
      for (target, rows) in report.targets.sorted(by: { $0.key < $1.key }) {
        // Of a child table a record brings at most a row for each slot, of one without slots any number; and
        // so does one that is a row with another.
        let records = report.loaded + (report.skippedBy[source.foldedRule] ?? 0)
        let fits =
          switch slots[target] {
          case .some(.some(let slots)): (0...records * slots).contains(rows)
          case .some(.none): records > 0 || rows == 0
          case .none: rows == report.loaded
          }
        guard fits else { return .rowsWithoutRecords(report, target: target, rows: rows) }
      }
    }
    return nil
  }
}
