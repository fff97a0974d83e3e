import MigrationEngine
import PipelineCore
import Reporting
import Values

let migrateBaselineCommand = Command(
  name: "baseline",
  summary: "Takes over a database that another tool, or somebody by hand, has migrated",
  discussion: """
    Writes into the history which migrations of the folder are applied, and runs none of them. Say up to which version,
    or let the tool's own history say: its folder may be as that tool has it, or converted to our names with the same
    numbers. Where the two do not agree, nothing is written.
    """,
  arguments: [Argument("VERSION", "the last migration that the database has been through", .optional)],
  options: [
    Option(
      "--from", value: "TOOL", choices: MigrationTool.allCases.map(\.rawValue),
      "read this tool's history instead"),
    Option("--table", value: "NAME", "where that history is, unless in the usual table"),
    Option("--dry-run", "say what would be taken over, and write nothing"),
  ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate baseline 0012", "rivulet migrate baseline --from flyway --dir db/migration --dry-run",
  ],
  run: { try migrateBaseline($0, $1) })

private func migrateBaseline(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let source: BaselineSource
  let tool = invocation["--from"].flatMap(MigrationTool.init(rawValue:))
  switch (invocation.arguments.first, tool) {
  case (let version?, nil):
    if invocation.has("--table") { throw invocation.usage("--table goes with --from") }
    source = .version(version)
  case (nil, let tool?): source = .tool(tool, table: invocation["--table"])
  default: throw invocation.usage("name either a VERSION or --from TOOL")
  }
  let migrations = try MigrationSession(invocation, session)
  let isDry = invocation.has("--dry-run")
  let connection = try session.connect()
  let answer = try migrations.document(on: connection) { one in
    let baseline = try one.engine(connection).baseline(source, isDry: isDry)
    return (json(baseline, tool, isDry), ConsoleText(text(baseline, isDry)))
  }
  try session.answer(json: answer.json, text: answer.text)
  return ExitCode.done
}

private func json(_ baseline: Baseline, _ tool: MigrationTool?, _ isDry: Bool) -> JSON {
  [
    "baseline": JSON.array(of: baseline.taken) { ["version": $0.version, "name": $0.name] },
    "pending": baseline.pending.count, "from": tool?.rawValue, "dry_run": isDry,
  ]
}

private func text(_ baseline: Baseline, _ isDry: Bool) -> String {
  let count = baseline.taken.count
  let lines = baseline.taken.map { "  \($0.label)\n" }.joined()
  let head =
    baseline.wasThere
    ? "nothing to do: these count as applied already"
    : "\(count) migration\(count == 1 ? "" : "s") \(isDry ? "would count" : "count") as applied"
  let next = baseline.pending.first.map { ", \($0.label) first" } ?? ""
  return head + ":\n" + lines + "\(baseline.pending.count) pending" + next + "\n"
}
