import Catalog
import Definitions
import PipelineCore
import PipelineEngine
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

private func history(_ session: Session) throws -> RunHistory {
  let connection = try session.connect()
  try Catalog.prepare(connection)
  return RunHistory(connection: connection)
}

private func listRuns(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let rows = try history(session).list(
    pipeline: invocation["--pipeline"], state: invocation["--state"].flatMap(RunState.init),
    limit: try invocation.integer("--limit", atLeast: 1) ?? 20)
  var table = TextTable([
    ("run", .right), ("pipeline", .left), ("release", .left), ("revision", .right), ("state", .left),
    ("started", .left), ("seconds", .right), ("", .left),
  ])
  for row in rows {
    table.add([
      "\(row.report.run)", row.report.pipeline, row.report.release, row.report.revision.map(String.init),
      row.report.state.rawValue, row.startedAt, JSON.seconds(row.seconds).text, remark(row),
    ])
  }
  let isAsked = invocation.has("--pipeline") || invocation.has("--state")
  try session.answer(
    json: .object([("runs", .array(rows.map { .object(outline($0)) }))]),
    text: table.isEmpty ? isAsked ? "there is no such run\n" : "nothing has run yet\n" : table.text)
  return ExitCode.done
}

/// What a line of the list has room for beside the rest of it, in a window of a hundred columns; 'runs show'
/// has all.
private let remarkWidth = 24

/// Why a run did not end well, or how far one has come.
private func remark(_ row: RunRow) -> String? {
  if row.report.state == .running { return row.stage.map { "in stage \($0)" } }
  guard let error = row.error?.split(whereSeparator: \.isNewline).first else { return nil }
  return error.count > remarkWidth ? error.prefix(remarkWidth - 3) + "..." : String(error)
}

private func showRun(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  guard let number = Int(invocation.arguments[0]) else {
    throw invocation.usage("RUN is a run's number, not '\(invocation.arguments[0])'")
  }
  guard let row = try history(session).show(number) else {
    throw invocation.usage("there is no run \(number); see 'rivulet runs list'")
  }
  try session.answer(json: document(row), text: RecordedRunText(row: row).text)
  return ExitCode.done
}

/// What the list has of a run.
private func outline(_ row: RunRow) -> [(String, JSON)] {
  [
    ("run", .integer(row.report.run)), ("pipeline", .string(row.report.pipeline)),
    ("release", JSON(row.report.release)), ("revision", JSON(row.report.revision)),
    ("state", .string(row.report.state.rawValue)), ("seconds", .seconds(row.seconds)),
  ] + provenance(row)
}

/// What only the ledger knows.
private func provenance(_ row: RunRow) -> [(String, JSON)] {
  [
    ("stage", JSON(row.stage)), ("started_at", .string(row.startedAt)), ("finished_at", JSON(row.finishedAt)),
    ("error", JSON(row.error)), ("replays", JSON(row.replays)),
    ("definition_hash", .string(row.definitionHash)), ("program_version", .string(row.programVersion)),
  ]
}

/// The document of `run`, and what only the ledger knows. What is reported when a run ends and not kept is
/// left out.
private func document(_ row: RunRow) -> JSON {
  guard case .object(let members) = json(row.report) else { return .null }
  let passing: Set = ["differences", "cross_checks", "views"]
  return .object(members.filter { !passing.contains($0.0) } + provenance(row))
}
