import MigrationEngine
import Values

/// What `lint` answers.
struct LintAnswer {
  let findings: [LintFinding]
  /// The project's folder, from which files are named; nil where they are named as they were given.
  let folder: String?

  /// How many of the findings are errors.
  var errors: Int { findings.count { $0.severity == .error } }

  func write(_ session: Session) throws { try session.answer(json: json, text: text) }

  private var json: JSON {
    ["findings": findings.map(json), "errors": errors]
  }

  private func json(_ finding: LintFinding) -> JSON {
    [
      "rule": finding.rule, "severity": finding.severity.rawValue, "file": file(finding),
      "line": finding.line, "column": finding.column, "message": finding.message, "fix": finding.fix,
      "version": finding.version,
    ]
  }

  private var text: String {
    let notices = findings.count - errors
    return findings.map(text).joined()
      + "\(errors) error\(errors == 1 ? "" : "s"), \(notices) notice\(notices == 1 ? "" : "s")\n"
  }

  private func text(_ finding: LintFinding) -> String {
    let rule = finding.rule + (finding.severity == .notice ? " (notice)" : "")
    return "\(file(finding)):\(finding.line):\(finding.column): \(rule): \(finding.message)\n"
      + "  instead: \(finding.fix)\n"
  }

  private func file(_ finding: LintFinding) -> String {
    guard let folder, finding.file.hasPrefix(folder + "/") else { return finding.file }
    return String(finding.file.dropFirst(folder.count + 1))
  }

  /// The rules, each with what the manual says of it.
  static var rules: JSON {
    [
      "rules": JSON.array(of: LintRule.all) {
        [
          "rule": $0.name, "severity": $0.severity.rawValue, "reason": $0.reason, "fix": $0.fix,
          "citus": $0.isForCitus,
        ]
      }
    ]
  }
}
