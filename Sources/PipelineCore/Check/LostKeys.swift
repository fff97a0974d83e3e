package import Definitions

/// The keys of a revision that are no longer there in the one which is to replace it.
package struct LostKeys: Sendable {
  /// How many are gone.
  package let count: Int
  /// How many of those must never be gone.
  package let forbidden: Int
  /// The first of them, those first that must never be gone; empty where they must not be shown.
  package let examples: [String]

  package init(count: Int, forbidden: Int, examples: [String]) {
    (self.count, self.forbidden, self.examples) = (count, forbidden, examples)
  }

  /// Judges them; finds all that are gone.
  ///
  /// `replaced`: the table of the revision that is replaced.
  package func judge(_ source: Source, _ rule: Expectation.LostKeys, of replaced: PreviousTable) -> GateReport
  {
    let share = replaced.rows == 0 ? 0 : Double(count) * 100 / Double(replaced.rows)
    let isTooMany = rule.limit.isExceeded(by: count, percent: share)
    let isBroken = isTooMany || forbidden > 0
    var about =
      count == 0
      ? "Every key of \(replaced.release) is there"
      : "\(count) of \(replaced.rows) keys of \(replaced.release) are gone"
    if !examples.isEmpty { about += ", such as \(examples.joined(separator: ", "))" }
    about += "; \(rule.limit.description) are allowed"
    if let never = rule.never { about += ", and of those where \(never) none: \(forbidden) are gone" }
    return GateReport(
      rule: source.lostKeysRule, severity: rule.limit.severity,
      passed: !isBroken || rule.limit.severity == .warn, found: count, isOdd: count > 0, about: about)
  }

  /// What is reported where nothing is replaced.
  package static func nothingReplaced(_ source: Source, _ rule: Expectation.LostKeys) -> GateReport {
    GateReport(
      rule: source.lostKeysRule, severity: rule.limit.severity, passed: true, found: 0,
      about: "no revision of the release is published that has the table")
  }
}
