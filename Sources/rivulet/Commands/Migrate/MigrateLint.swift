import Definitions
import Host
import MigrationEngine
import Reporting
import Values

let migrateLintCommand = Command(
  name: "lint", summary: "Finds what would hurt a live database, from the files alone",
  discussion: """
    Needs no database. An error ends it with 5, a notice does not. `-- rivulet:allow RULE reason` on a line of the
    statement, or in a comment right above it, silences a rule there.
    """,
  arguments: [Argument("VERSION", "look at these migrations; at all unless one is named", .any)],
  options: [
    Option("--citus", "ask also what Citus would refuse"),
    Option("--rules", "list the rules with their reasons, and look at nothing"),
  ] + MigrationSession.folderOptions,
  examples: ["rivulet migrate lint", "rivulet migrate lint 0007 --citus", "rivulet migrate lint --rules"],
  run: { try migrateLint($0, $1) })

private func migrateLint(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  if invocation.has("--rules") {
    try session.answer(json: rules, text: LintManual.markdown)
    return ExitCode.done
  }
  let migrations = try MigrationSession(invocation, session)
  let views = migrations.project == nil ? [] : try session.pipelines().flatMap(\.views)
  let lint = Lint(
    folder: migrations.folder, views: views.map { ($0.name, $0.sql) }, forCitus: invocation.has("--citus"))
  let findings = try lint.findings(in: invocation.arguments)
  let errors = findings.count { $0.severity == .error }
  try session.answer(json: json(findings, errors), text: text(findings, errors))
  return errors == 0 ? ExitCode.done : ExitCode.outOfStep
}

private var rules: JSON {
  .object([
    (
      "rules",
      .array(
        LintManual.entries.map {
          .object([
            ("rule", .string($0.name)), ("severity", .string($0.severity.rawValue)),
            ("reason", .string($0.reason)),
            ("mend", .string($0.mend)), ("citus", .bool($0.isForCitus)),
          ])
        })
    )
  ])
}

private func json(_ findings: [LintFinding], _ errors: Int) -> JSON {
  .object([("findings", .array(findings.map(json))), ("errors", .integer(errors))])
}

private func json(_ finding: LintFinding) -> JSON {
  .object([
    ("rule", .string(finding.rule)), ("severity", .string(finding.severity.rawValue)),
    ("file", .string(finding.file)), ("line", .integer(finding.line)), ("column", .integer(finding.column)),
    ("message", .string(finding.message)), ("mend", .string(finding.mend)),
    ("version", .string(finding.version)),
  ])
}

private func text(_ findings: [LintFinding], _ errors: Int) -> String {
  let lines = findings.map { finding in
    "\(finding.file):\(finding.line):\(finding.column): \(finding.severity.rawValue) \(finding.rule): \(finding.message)\n"
      + "  instead: \(finding.mend)\n"
  }
  let notices = findings.count - errors
  return lines.joined()
    + "\(errors) error\(errors == 1 ? "" : "s"), \(notices) notice\(notices == 1 ? "" : "s")\n"
}
