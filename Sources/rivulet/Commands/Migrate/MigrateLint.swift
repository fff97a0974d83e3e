import Definitions
import MigrationEngine

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
    try session.answer(json: LintAnswer.rules, text: LintRule.manual)
    return ExitCode.done
  }
  let all = try MigrationSession.all(invocation, session)
  if all.count > 1, let version = invocation.arguments.first {
    throw invocation.usage(
      "\(version) is of one of the folders of migrations: name it with --history, of \(MigrationSession.names(all.compactMap(\.label)))"
    )
  }
  let project = all.first?.project
  let views = try project == nil ? [] : session.pipelines().flatMap(\.views)
  let findings = try all.flatMap { one in
    try Lint(
      folder: one.folder, views: views.map { ($0.name, reading($0)) }, forCitus: invocation.has("--citus")
    ).findings(in: invocation.arguments)
  }
  let answer = LintAnswer(findings: findings, folder: project?.folder)
  try answer.write(session)
  return answer.errors == 0 ? ExitCode.done : ExitCode.outOfStep
}

/// All texts in which a view names tables and columns, as one: its SELECT, and what it remembers of changed
/// rows.
private func reading(_ view: ViewDefinition) -> String {
  let sources = view.sources.map { source in
    guard case .groups(let capture, let keys) = source.change else { return "" }
    return "; SELECT \(capture.map(\.value).joined(separator: ", ")) FROM \(source.name.value); \(keys.sql)"
  }
  return view.sql(keys: "rivulet_keys") + sources.joined()
}
