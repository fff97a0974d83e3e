/// A rule that runs of a pipeline are judged by: one of the program's own, or a check.
public struct GateRule: Sendable, Hashable {
  /// What a rule looks at.
  public enum Subject: Sendable, Hashable {
    /// No two rows of a source share a key.
    case uniqueKey
    /// Records of which a newer version is there are skipped.
    case olderVersions
    /// Records that bring the rows of another are skipped.
    case copies
    /// Records that have the own row of another are one row with it.
    case folded
    /// Records that have the key of another, and other rows, are rejected.
    case secondRecords
    /// Records that refer to a row which is nowhere are rejected.
    case orphans
    /// A source has rows enough, and not too many.
    case rows
    /// The number of rows is much as it was in the release before.
    case rowChange
    /// The rows of the revision that is replaced are still there.
    case lostKeys
    /// A column is much as it was in the release before.
    case drift
    /// A code list knows the values of the columns that name it.
    case knownCodes
    /// Values are of their type where one that is not is loaded as it is.
    case oddValues
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
  /// What it finds, in words.
  public let finds: String
  /// What harm would follow from publishing what it finds, or why none does.
  public let because: String
  /// The tables whose rows it looks at, `schema.table`.
  public let tables: [String]

  /// A rule of the program's own.
  init(name: String, subject: Subject, severity: Check.Severity, tables: [String]) {
    (self.name, self.subject, self.severity, self.tables) = (name, subject, severity, tables)
    (finds, because) = subject.texts
  }

  /// A check.
  init(_ check: Check) {
    (name, subject, severity) = (check.rule, .check, check.severity)
    (finds, because, tables) = (check.summary, check.because, check.targets)
  }

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

extension GateRule.Subject {
  /// What a rule of the program's own finds, and why that does harm or does none.
  fileprivate var texts: (finds: String, because: String) {
    switch self {
    case .uniqueKey:
      ("rows that share a key", "a question by the key would have two answers")
    case .olderVersions:
      ("records of which a newer version is there", "the newest says what holds")
    case .copies:
      ("records that bring the rows of another once more", "nothing is lost: the first one stays")
    case .folded:
      (
        "further records of a key whose own row is the same",
        "they are one row, and what they say more is in the rows of its child tables"
      )
    case .secondRecords:
      ("records with the key of another and other rows", "which of the two holds cannot be known")
    case .orphans:
      ("records that refer to a row which is nowhere", "a reader who follows the reference finds nothing")
    case .rows:
      ("too few or too many rows", "a file that was cut off, or is another one, would replace a whole one")
    case .rowChange:
      (
        "far more or fewer rows than in the release before",
        "a part would be taken for the whole; and what is common is a warning"
      )
    case .lostKeys:
      ("keys that the revision which is replaced has", "readers would lose what they have had")
    case .drift:
      (
        "values whose share, or sums, moved far from the release before",
        "columns that were exchanged, or a wrong unit, would pass for values"
      )
    case .knownCodes:
      ("values that a code list lacks", "publishers add codes: such a value is kept, its meaning is unknown")
    case .oddValues:
      ("values that are not of their type and are loaded as written", "nobody computes with such a value")
    case .blankedValues:
      ("values that are not of their type and were left blank", "the rest of the record is right without it")
    case .crossCheck:
      ("differences between two formats of a table", "one of the two is wrong, and which cannot be known")
    case .check: ("", "")
    }
  }
}

extension Source {
  /// The name of the rule that no two rows share a key.
  public var uniqueKeyRule: String { "unique-key-\(name)" }
  /// The name of the rule that skips older versions of a record.
  public var olderVersionsRule: String { "older-versions-\(name)" }
  /// The name of the rule that skips copies of a record.
  public var copiesRule: String { "copies-\(name)" }
  /// The name of the rule that makes further records of a key one row with the first.
  public var foldedRule: String { "folded-\(name)" }
  /// The name of the rule that rejects further records of a key.
  public var secondRecordsRule: String { "second-records-\(name)" }
  /// The name of the rule that rejects records which refer to a row that is nowhere.
  public var orphansRule: String { "orphans-\(name)" }
  /// The name of the rule that there are rows enough.
  public var rowsRule: String { "rows-\(name)" }
  /// The name of the rule that holds the number of rows against the release before.
  public var rowChangeRule: String { "row-change-\(name)" }
  /// The name of the rule that holds the keys against the revision that is replaced.
  public var lostKeysRule: String { "lost-keys-\(name)" }
  /// The name of the rule that code lists know the values.
  public var knownCodesRule: String { "known-codes-\(name)" }
  /// The name of the rule that reports values loaded though they are not of their type.
  public var oddValuesRule: String { "odd-values-\(name)" }
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
    sources.flatMap(ownRules) + checks.map(GateRule.init)
  }

  private func ownRules(of source: Source) -> [GateRule] {
    let expect = source.expectation
    let columns = layout(of: source)?.versions.flatMap(\.everyColumn) ?? []
    let tables = [source.target] + childTargets(of: source)
    var rules: [GateRule] = []
    func add(_ name: String, _ subject: GateRule.Subject, _ severity: Check.Severity = .fail) {
      rules.append(GateRule(name: name, subject: subject, severity: severity, tables: tables))
    }
    let folds = layout(of: source)?.versions.contains(where: \.isFolded) ?? false
    if folds {
      add(source.foldedRule, .folded, .skip)
      if source.duplicates != .setAside { add(source.secondRecordsRule, .secondRecords, .reject) }
    }
    if source.duplicates == .setAside {
      if source.newest != nil { add(source.olderVersionsRule, .olderVersions, .skip) }
      add(source.copiesRule, .copies, .skip)
      add(source.secondRecordsRule, .secondRecords, .reject)
    }
    add(source.uniqueKeyRule, .uniqueKey)
    if source.orphans == .reject { add(source.orphansRule, .orphans, .reject) }
    if expect.leastRows != nil || expect.mostRows != nil { add(source.rowsRule, .rows) }
    if let change = expect.rowChange {
      add(source.rowChangeRule, .rowChange, change.severity)
    }
    if let lost = expect.lostKeys { add(source.lostKeysRule, .lostKeys, lost.limit.severity) }
    for drift in expect.drifts { add(source.rule(for: drift), .drift, drift.limit.severity) }
    if columns.contains(where: { $0.list != nil }) { add(source.knownCodesRule, .knownCodes, .warn) }
    if columns.contains(where: { $0.oddForm != nil }) { add(source.oddValuesRule, .oddValues, .warn) }
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
