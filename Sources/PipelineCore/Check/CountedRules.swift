package import Definitions

/// The rules that are judged by what was counted while the rows were loaded: nothing has to be asked.
package struct CountedRules {
  private let pipeline: Pipeline
  private let destination: Destination
  private let outcomes: [LoadOutcome]
  private let isSynthetic: Bool

  /// The rules over the outcomes of all sources.
  ///
  /// `isSynthetic`: whether the files say that they are samples.
  package init(
    _ pipeline: Pipeline, _ destination: Destination, _ outcomes: [LoadOutcome], isSynthetic: Bool
  ) {
    (self.pipeline, self.destination, self.outcomes) = (pipeline, destination, outcomes)
    self.isSynthetic = isSynthetic
  }

  /// How many rows a source must have, at least and at most.
  package var rowCounts: [GateReport] {
    outcomes.compactMap { outcome in
      let expect = destination.period == nil ? outcome.source.expectation : Expectation()
      let rows = outcome.loaded + outcome.copied
      let least = expect.leastRows(isSynthetic: isSynthetic)
      guard least != nil || expect.mostRows != nil else { return nil }
      let isFew = !isSynthetic && rows < expect.fewRows ?? 0
      let bounds = [
        least.map { "\($0) rows at least" }, expect.mostRows.map { "\($0) rows at most" },
      ]
      return GateReport(
        rule: outcome.source.rowsRule, severity: .fail,
        passed: rows >= least ?? 0 && rows <= expect.mostRows ?? .max, found: rows, isOdd: isFew,
        about: "There must be " + bounds.compactMap(\.self).joined(separator: " and ")
          + (isSynthetic && expect.leastSampleRows != nil ? " of a sample" : "")
          + (isFew ? "; a whole file has \(expect.fewRows ?? 0) at least" : ""))
    }
  }

  /// Values that code lists lack, and those that were left blank: they are reported, and refuse nothing. The
  /// source's own warnings tell which columns and values.
  package var oddValues: [GateReport] {
    outcomes.flatMap { outcome -> [GateReport] in
      let columns = pipeline.layout(of: outcome.source)?.versions.flatMap(\.everyColumn) ?? []
      var gates: [GateReport] = []
      func add(_ rule: String, _ found: [Int], _ about: String) {
        gates.append(
          GateReport(rule: rule, severity: .warn, passed: true, found: found.reduce(0, +), about: about))
      }
      if columns.contains(where: { $0.list != nil }) {
        add(
          outcome.source.knownCodesRule, outcome.reports.flatMap(\.unknownCodes.values),
          "Records have a value that its code list lacks")
      }
      if columns.contains(where: { $0.oddForm != nil }) {
        add(
          outcome.source.oddValuesRule, outcome.reports.flatMap(\.oddValues.values),
          "Values are not of their type, do no harm, and were loaded as they are")
      }
      if columns.contains(where: \.blanksInvalid) {
        add(
          outcome.source.blankedValuesRule, outcome.reports.flatMap(\.blankedValues.values),
          "Values were left blank, as they are not of their type")
      }
      return gates
    }
  }

  /// No two rows share a key.
  package var uniqueKeys: [GateReport] {
    outcomes.map { outcome in
      let found = outcome.duplicateKeys.values.reduce(0, +)
      return GateReport(
        rule: outcome.source.uniqueKeyRule, severity: .fail, passed: found == 0, found: found,
        about: "Rows have a key that others have: \(outcome.source.key.joined(separator: ", "))",
        mayBeAccepted: false)
    }
  }
}
