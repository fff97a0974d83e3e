import Catalog
import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Store
import Values

let runsCommand = Command(
  name: "runs", summary: "Shows the ledger of runs",
  examples: ["rivulet runs list", "rivulet runs show 12 --format json"],
  subcommands: [
    Command(
      name: "list", summary: "Lists the newest runs",
      options: [
        Option("--pipeline", value: "NAME", "only runs of this pipeline"),
        Option(
          "--state", value: "STATE", choices: RunState.allCases.map(\.rawValue), "only runs that ended so"),
        Option("--limit", value: "N", "how many (default 20)"),
      ],
      examples: ["rivulet runs list --limit 5", "rivulet runs list --pipeline cms-rvu --state refused"],
      run: { try listRuns($0, $1) }),
    Command(
      name: "show", summary: "Shows a run with its sources, stages and rules",
      discussion: """
        All that the ledger has of it: where its rows come from and what became of the records, how long each stage
        took, what the rules found, why it failed. A run that is still at work shows how far it has come.
        """,
      arguments: [Argument("RUN", "the run's number")], examples: ["rivulet runs show 12"],
      run: { try showRun($0, $1) }),
  ])

extension Session {
  /// The run that the command line names first, as the ledger has it.
  func run(_ invocation: Invocation, on connection: Connection) throws -> RunRow {
    guard let number = Int(invocation.arguments[0]) else {
      throw invocation.usage("RUN is a run's number, not '\(invocation.arguments[0])'")
    }
    guard let row = try RunHistory(connection: connection).find(number) else {
      throw invocation.usage("there is no run \(number); see 'rivulet runs list'")
    }
    return row
  }
}

private func listRuns(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let rows = try RunHistory(connection: try session.connectToLedger()).list(
    pipeline: invocation["--pipeline"], state: invocation["--state"].flatMap(RunState.init),
    limit: try invocation.integer("--limit", atLeast: 1) ?? 20)
  let table = TextTable(
    [
      .right("run"), "pipeline", "release", .right("revision"), .state("state"), "started", .right("seconds"),
      "file", .prose("error"),
    ], rows.map(cells))
  let isAsked = invocation.has("--pipeline") || invocation.has("--state")
  let nothing = isAsked ? "there is no such run\n" : "nothing has run yet\n"
  try session.answer(
    json: ["runs": JSON.array(of: rows, outline)],
    text: table.text(orIfEmpty: nothing))
  return ExitCode.done
}

private func cells(_ row: RunRow) -> [String?] {
  [
    "\(row.report.run)", row.report.pipeline, row.report.release, row.report.revision.map(String.init),
    row.report.state.rawValue, row.startedAt, JSON.seconds(row.seconds).text,
    row.files.map(Path.name).joined(separator: ", "), remark(row),
  ]
}

/// Why a run did not end well, or how far one has come.
private func remark(_ row: RunRow) -> String? {
  if row.report.state == .running { return row.stage.map { "in stage \($0)" } }
  return row.error?.split(whereSeparator: \.isNewline).joined(separator: " ")
}

private func showRun(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let connection = try session.connectToLedger()
  let row = try RunHistory(connection: connection).detailed(try session.run(invocation, on: connection))
  try session.answer(json: document(row), text: RecordedRunText(row: row).text)
  return ExitCode.done
}

/// What the list has of a run.
private func outline(_ row: RunRow) -> JSON {
  [
    "run": row.report.run, "pipeline": row.report.pipeline, "release": row.report.release,
    "revision": row.report.revision, "state": row.report.state.rawValue,
    "seconds": JSON.seconds(row.seconds), "files": row.files,
  ] + provenance(row)
}

/// What only the ledger knows.
private func provenance(_ row: RunRow) -> JSON {
  [
    "stage": row.stage, "started_at": row.startedAt, "finished_at": row.finishedAt, "error": row.error,
    "replays": row.replays, "definition_hash": row.definitionHash, "program_version": row.programVersion,
  ]
}

/// The document of `run`, and what only the ledger knows. What is reported when a run ends and not kept is
/// left out.
private func document(_ row: RunRow) -> JSON {
  let passing: Set = ["differences", "cross_checks", "views"]
  return .object(row.report.json.members.filter { !passing.contains($0.0) }) + provenance(row)
}
