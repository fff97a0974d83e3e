import Catalog
import Definitions
import PipelineEngine
import Reporting
import Values

let runsCommand = Command(
  name: "runs", summary: "Shows the ledger of runs",
  examples: ["rivulet runs list", "rivulet runs show 12 --format json"],
  subcommands: [
    Command(
      name: "list", summary: "Lists the newest runs",
      options: [Option("--limit", value: "N", "how many (default 20)")],
      examples: ["rivulet runs list --limit 5"], run: { try listRuns($0, $1) }),
    Command(
      name: "show", summary: "Shows a run with its sources, stages and rules",
      arguments: [Argument("RUN", "the run's number")], examples: ["rivulet runs show 12"],
      run: { try showRun($0, $1) }),
  ])

private func history(_ session: Session) throws -> RunHistory {
  let connection = try session.connect()
  try Catalog.prepare(connection)
  return RunHistory(connection: connection)
}

private func listRuns(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let rows = try history(session).list(limit: try invocation.integer("--limit", atLeast: 1) ?? 20)
  var table = TextTable([
    ("run", .right), ("pipeline", .left), ("release", .left), ("revision", .right), ("state", .left),
    ("started", .left), ("seconds", .right), ("error", .left),
  ])
  for row in rows {
    table.add([
      "\(row.report.run)", row.report.pipeline, row.report.release, row.report.revision.map(String.init),
      row.report.state.rawValue, row.startedAt, row.seconds.map { JSON.seconds($0).text }, row.error,
    ])
  }
  try session.answer(
    json: .object([("runs", .array(rows.map(summary)))]),
    text: table.isEmpty ? "nothing has run yet\n" : table.text)
  return ExitCode.done
}

private func showRun(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  guard let number = Int(invocation.arguments[0]) else {
    throw invocation.usage("RUN is a run's number, not '\(invocation.arguments[0])'")
  }
  guard let row = try history(session).show(number) else {
    throw invocation.usage("there is no run \(number); see 'rivulet runs list'")
  }
  try session.answer(json: document(row), text: text(row))
  return ExitCode.done
}

private func summary(_ row: RunRow) -> JSON {
  .object([
    ("run", .integer(row.report.run)), ("pipeline", .string(row.report.pipeline)),
    ("release", JSON(row.report.release)), ("revision", JSON(row.report.revision)),
    ("state", .string(row.report.state.rawValue)), ("started_at", .string(row.startedAt)),
    ("seconds", row.seconds.map(JSON.seconds) ?? .null), ("error", JSON(row.error)),
    ("program_version", .string(row.programVersion)),
  ])
}

/// The document of `run`, and what only the ledger knows.
private func document(_ row: RunRow) -> JSON {
  guard case .object(let members) = json(row.report) else { return .null }
  return .object(
    members + [
      ("started_at", .string(row.startedAt)), ("error", JSON(row.error)),
      ("program_version", .string(row.programVersion)),
    ])
}

private func text(_ row: RunRow) -> String {
  var stages = TextTable([("stage", .left), ("seconds", .right), ("records", .right)])
  for stage in row.report.stages {
    stages.add([stage.stage, JSON.seconds(stage.seconds).text, stage.records?.grouped])
  }
  var gates = TextTable([("rule", .left), ("severity", .left), ("passed", .left), ("found", .right)])
  for gate in row.report.gates {
    let passed = gate.passed ? "yes" : gate.isAccepted ? "accepted" : "no"
    gates.add([gate.rule, gate.severity.rawValue, passed, gate.found.grouped])
  }
  return text(row.report) + "started \(row.startedAt)\n"
    + (row.error.map { "error: \($0)\n" } ?? "")
    + (stages.isEmpty ? "" : "\n" + stages.text) + (gates.isEmpty ? "" : "\n" + gates.text)
}
