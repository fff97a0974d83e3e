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
  /// The first lines that speak against it, where the rule tells them.
  public package(set) var places: [Place]
  /// The file of the query, where the rule is a check.
  public let file: String?
  /// Whether a run can be published in spite of it.
  public let mayBeAccepted: Bool
  /// The rule does not hold, and the user accepted it.
  public package(set) var isAccepted = false

  /// Where a row that speaks against a rule came from.
  public struct Place: Sendable, Hashable {
    /// The file, and the entry if there is one; nil where it is not known.
    public let file: String?
    /// The physical line, from 1; of a sheet the row.
    public let line: Int

    package init(file: String?, line: Int) { (self.file, self.line) = (file, line) }
  }

  /// Nothing may be published.
  public var refuses: Bool { !passed && !isAccepted }

  package init(
    rule: String, severity: Check.Severity, passed: Bool, found: Int, isOdd: Bool = false, about: String = "",
    places: [Place] = [], file: String? = nil, mayBeAccepted: Bool = true
  ) {
    self.rule = rule
    self.severity = severity
    self.passed = passed
    self.found = found
    self.isOdd = isOdd
    self.about = about
    self.places = places
    self.file = file
    self.mayBeAccepted = mayBeAccepted
  }

  /// What was found, where first, and what should hold.
  public var telling: String {
    let place = places.isEmpty ? "" : ", first in \(Self.text(of: places))"
    let accepted = isAccepted ? ", accepted" : ""
    return "\(rule): \(found) found\(place)\(accepted)" + (about.isEmpty ? "" : ". \(about)")
  }

  /// `line 12, 15 of a.csv and line 3 of b.csv`.
  package static func text(of places: [Place]) -> String {
    var files: [String?] = []
    for place in places where !files.contains(place.file) { files.append(place.file) }
    return files.map { file in
      let lines = places.filter { $0.file == file }.map { "\($0.line)" }.joined(separator: ", ")
      return "line \(lines)" + (file.map { " of \($0)" } ?? "")
    }.joined(separator: " and ")
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
