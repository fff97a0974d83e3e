import SQLText

/// The allowances of a section, and which of them did silence something.
struct LintAllowances {
  /// What is wrong with an allowance.
  struct Complaint {
    let place: SQLPlace
    let message: String
    var fix: String?
  }

  private let allowances: [LintAllowance]
  private let known: Set<String>
  private let asked: Set<String>
  private var used: Set<String> = []

  init(_ section: LintSection, known: [any LintRule], asked: [any LintRule]) {
    allowances = LintAllowance.all(in: section)
    self.known = Set(known.map(\.name))
    self.asked = Set(asked.map(\.name))
  }

  /// Whether a rule is silenced at a statement.
  mutating func silence(_ rule: String, at statement: Int) -> Bool {
    var isSilenced = false
    for (number, allowance) in allowances.enumerated()
    where !allowance.reason.isEmpty && allowance.statements.contains(statement)
      && allowance.rules.contains(rule)
    {
      used.insert("\(number) \(rule)")
      isSilenced = true
    }
    return isSilenced
  }

  /// What is wrong with the allowances, once all statements have been read.
  var complaints: [Complaint] {
    allowances.enumerated().flatMap { number, allowance -> [Complaint] in
      if allowance.rules.isEmpty {
        return [.init(place: allowance.place, message: "this comment names no rule")]
      }
      if allowance.reason.isEmpty {
        return [
          .init(
            place: allowance.place, message: "this comment gives no reason, so it silences nothing",
            fix:
              "write why behind the names: -- rivulet:allow \(allowance.rules.joined(separator: ", ")) reason"
          )
        ]
      }
      return allowance.rules.compactMap { rule in
        let message =
          !known.contains(rule)
          ? "there is no rule '\(rule)'"
          : asked.contains(rule) && !used.contains("\(number) \(rule)")
            ? "there is nothing of '\(rule)' to allow here" : nil
        return message.map { Complaint(place: allowance.place, message: $0) }
      }
    }
  }
}
