public import Definitions

/// What a rule over all rows found.
public struct GateReport: Sendable {
  /// The rule's name.
  public let rule: String
  /// What follows from finding something.
  public let severity: Check.Severity
  /// Whether the rule holds; a `skip` rule always passes.
  public let passed: Bool
  /// How many rows speak against it, or were skipped by it.
  public let found: Int
  /// The rule holds or is only for warning, and yet there is something to tell.
  public let isOdd: Bool
  /// What must hold, or what was found, in words; may be empty.
  public let about: String
  /// The first lines of the source that speak against it, where the rule tells them.
  public let lines: [Int]
  /// The file of the query, where the rule is a check.
  public let file: String?
  /// The rule does not hold, and the user accepted it.
  public package(set) var isAccepted = false

  /// Nothing may be published.
  public var refuses: Bool { !passed && !isAccepted }

  package init(
    rule: String, severity: Check.Severity, passed: Bool, found: Int, isOdd: Bool = false, about: String = "",
    lines: [Int] = [], file: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.passed = passed
    self.found = found
    self.isOdd = isOdd
    self.about = about
    self.lines = lines
    self.file = file
  }

  /// What was found, where first, and what should hold.
  public var telling: String {
    let place = lines.isEmpty ? "" : ", first in line \(lines.map(String.init).joined(separator: ", "))"
    let accepted = isAccepted ? ", accepted" : ""
    return "\(rule): \(found) found\(place)\(accepted)" + (about.isEmpty ? "" : ". \(about)")
  }
}

extension GateReport {
  /// The same, taken on where it refuses and is one of some rules.
  package func accepted(_ rules: Set<String>) -> GateReport {
    guard !passed, rules.contains(rule) else { return self }
    var report = self
    report.isAccepted = true
    return report
  }
}
