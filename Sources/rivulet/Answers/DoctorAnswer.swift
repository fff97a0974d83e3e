import Diagnosis
import Reporting
import Values

/// What was found, for people and programs.
struct DoctorAnswer {
  private let found: [Examined]
  private let options: FixOptions

  /// What was found; commands that fix it are given the options of this one.
  init(_ found: [Examined], naming options: FixOptions) { (self.found, self.options) = (found, options) }

  /// How many errors there are.
  var errors: Int { found.count { $0.finding.state == .error } }
  private var warnings: Int { found.count { $0.finding.state == .warning } }

  /// The document that programs read.
  var json: JSON {
    [
      "checks": JSON.array(of: found) {
        [
          "check": $0.check.name, "group": $0.check.group.rawValue, "state": $0.finding.state.rawValue,
          "found": $0.finding.found, "reason": $0.check.reason, "fix": fix(of: $0),
        ]
      }, "errors": errors, "warnings": warnings,
    ]
  }

  /// A list in groups, then what is wrong, with the reason and the way to fix it.
  ///
  /// `isMarked`: states have a mark before their word.
  func text(isMarked: Bool) -> ConsoleText {
    var table = TextTable(["group", .state("state"), "check", .prose("found")])
    for group in SetupCheck.Group.allCases {
      for (index, row) in rows(of: group).enumerated() {
        let state = isMarked ? "\(Self.mark(row.state)) \(row.state.rawValue)" : row.state.rawValue
        table.add([index == 0 ? group.rawValue : "", state, row.check, row.found])
      }
    }
    return table.text + "\n" + problems + summary
  }

  private typealias Row = (state: Finding.State, check: String, found: String)

  /// What was found in a group; checks that could not look for the same reason are one row.
  private func rows(of group: SetupCheck.Group) -> [Row] {
    let members = found.filter { $0.check.group == group }
    let unseen = Dictionary(grouping: members.filter(isPassedOver)) { $0.finding.found }
    var rows: [Row] = []
    for member in members {
      let finding = member.finding
      guard isPassedOver(member), let others = unseen[finding.found], others.count > 1 else {
        let fix = finding.state == .note ? fix(of: member).map { "; \($0)" } ?? "" : ""
        rows.append((finding.state, member.check.name, finding.found + fix))
        continue
      }
      guard others[0].check.name == member.check.name else { continue }
      let names = others.map(\.check.name).joined(separator: ", ")
      rows.append((.note, "\(others.count) checks", "\(finding.found) (\(names))"))
    }
    return rows
  }

  /// A check that could not look for a reason that another one is about.
  private func isPassedOver(_ member: Examined) -> Bool {
    member.finding.isUnseen && member.finding.state == .note && member.finding.fix == nil
  }

  /// What is wrong, why it matters and how it is fixed.
  private var problems: String {
    found.filter { [.error, .warning].contains($0.finding.state) }.map { problem in
      "\(problem.finding.state.rawValue): \(problem.check.name): \(problem.finding.found)\n"
        + "  why: \(problem.check.reason)\n"
        + (fix(of: problem).map { "  fix: \($0)\n" } ?? "") + "\n"
    }.joined()
  }

  private var summary: String {
    if errors + warnings == 0 { return "nothing is wrong\n" }
    return "\(errors) error\(errors == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")\n"
  }

  private static func mark(_ state: Finding.State) -> String {
    switch state {
    case .ok: "✓"
    case .note: "-"
    case .warning: "!"
    case .error: "✗"
    }
  }

  private func fix(of examined: Examined) -> String? { examined.finding.fix.map(options.complete) }
}
