/// A rule that runs of a pipeline are judged by: one of the program's own, or a check.
public struct GateRule: Sendable, Hashable {
  /// What a rule looks at.
  public enum Subject: Sendable, Hashable {
    /// No two rows of a source share a key.
    case uniqueKey
    /// Records that bring the rows of another are skipped.
    case copies
    /// Records that have the key of another, and other rows, are rejected.
    case secondRecords
    /// Records that refer to a row which is nowhere are rejected.
    case orphans
    /// A source has rows enough, and not too many.
    case rows
    /// The number of rows is much as it was in the release before.
    case rowChange
    /// A column is much as it was in the release before.
    case drift
    /// A code list knows the values of the columns that name it.
    case knownCodes
    /// Values are of their type where one that is not is left blank.
    case blankedValues
    /// Two formats of a source hold the same.
    case crossCheck
    /// What the query of a check looks for.
    case check
  }

  /// Its name, as results, the ledger and `--accept` have it.
  public let name: String
  /// What it looks at.
  public let subject: Subject
  /// What becomes of a run that breaks it.
  public let severity: Check.Severity

  /// Why a run cannot be published in spite of it; nil where that may be accepted.
  public var refusesAcceptance: String? {
    switch (subject, severity) {
    case (.uniqueKey, _): "a table without its key cannot be published"
    // What a check would reject can be taken on; what a key or the program's own rules leave out cannot.
    case (.check, .reject): nil
    case (_, .skip), (_, .reject): "what it finds is taken out, so that it always holds"
    default: nil
    }
  }
}

extension Source {
  /// The name of the rule that no two rows share a key.
  public var uniqueKeyRule: String { "unique-key-\(name)" }
  /// The name of the rule that skips copies of a record.
  public var copiesRule: String { "copies-\(name)" }
  /// The name of the rule that rejects further records of a key.
  public var secondRecordsRule: String { "second-records-\(name)" }
  /// The name of the rule that rejects records which refer to a row that is nowhere.
  public var orphansRule: String { "orphans-\(name)" }
  /// The name of the rule that there are rows enough.
  public var rowsRule: String { "rows-\(name)" }
  /// The name of the rule that holds the number of rows against the release before.
  public var rowChangeRule: String { "row-change-\(name)" }
  /// The name of the rule that code lists know the values.
  public var knownCodesRule: String { "known-codes-\(name)" }
  /// The name of the rule that reports values left blank.
  public var blankedValuesRule: String { "blanked-values-\(name)" }

  /// The name of the rule that holds a column against the release before.
  public func rule(for drift: Expectation.Drift) -> String {
    "\(drift.measure.rawValue)-\(drift.column.replacing("_", with: "-"))-\(name)"
  }

  /// The name of the rule that another format holds the same.
  public func crossCheckRule(_ format: Format) -> String { "cross-check-\(name)-\(format.rawValue)" }
}

extension Pipeline {
  /// Every rule that a run may be judged by, the program's own first, the checks in their order.
  public var gateRules: [GateRule] {
    sources.flatMap(ownRules) + checks.map { GateRule(name: $0.rule, subject: .check, severity: $0.severity) }
  }

  private func ownRules(of source: Source) -> [GateRule] {
    let expect = source.expectation
    let columns = layout(of: source)?.versions.flatMap(\.everyColumn) ?? []
    var rules: [GateRule] = []
    func add(_ name: String, _ subject: GateRule.Subject, _ severity: Check.Severity = .fail) {
      rules.append(GateRule(name: name, subject: subject, severity: severity))
    }
    if source.duplicates == .setAside {
      add(source.copiesRule, .copies, .skip)
      add(source.secondRecordsRule, .secondRecords, .reject)
    }
    add(source.uniqueKeyRule, .uniqueKey)
    if source.orphans == .reject { add(source.orphansRule, .orphans, .reject) }
    if expect.leastRows != nil || expect.mostRows != nil { add(source.rowsRule, .rows) }
    if let change = expect.rowChange {
      add(source.rowChangeRule, .rowChange, change.severity)
    }
    for drift in expect.drifts { add(source.rule(for: drift), .drift, drift.limit.severity) }
    if columns.contains(where: { $0.list != nil }) { add(source.knownCodesRule, .knownCodes, .warn) }
    if columns.contains(where: \.blanksInvalid) { add(source.blankedValuesRule, .blankedValues, .warn) }
    for format in source.formats.dropFirst() { add(source.crossCheckRule(format), .crossCheck) }
    return rules
  }

  /// The key columns that part a source's rows into classes, each with the value that means every class.
  ///
  /// They are those of `stands_for_all`, and those that the parts of the source set: there the layout's own
  /// constant is what a file has that is not in parts.
  public func classes(of source: Source) -> [String: String] {
    var classes: [String: String] = [:]
    let constants = layout(of: source)?.versions.flatMap(\.columns) ?? []
    for column in source.key where source.parts.contains(where: { $0.constants[column] != nil }) {
      for case .constant(let text) in constants.filter({ $0.name == column }).map(\.origin) {
        classes[column] = text
      }
    }
    return classes.merging(diff.standsForAll.filter { source.key.contains($0.key) }) { $1 }
  }
}
