import Definitions
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Store
import ViewEngine

let migrateDownCommand = Command(
  name: "down", summary: "Reverts the last migration, or several",
  discussion: """
    At a terminal it asks first where rows go with what it reverts, and says how many. Where rivulet.yaml names several
    folders, --history says which; --to 0 reverts all of them, the last first.
    """,
  options: MigrationSession.goalOptions(
    to: "revert everything after this version; 0 reverts all",
    steps: "revert N migrations (default 1)")
    + [
      Confirmation.dryRun, Confirmation.yes,
      Option("--single-transaction", "all of one history or none, in one transaction"),
    ]
    + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: ["rivulet migrate down", "rivulet migrate down --dry-run", "rivulet migrate down --to 0"],
  run: { try goBack($0, $1, andForth: false) })

let migrateRedoCommand = Command(
  name: "redo",
  summary: "Reverts the last migration, or several, and applies them again as their files are now",
  discussion: """
    For a migration in the making: edit its file, redo, look. At a terminal it asks first where rows go with what it
    reverts, and says how many.
    """,
  options: MigrationSession.goalOptions(
    to: "revert everything after this version", steps: "revert N migrations (default 1)")
    + [
      Confirmation.dryRun, Confirmation.yes,
      Option("--single-transaction", "all of one history or nothing, in one transaction"),
    ]
    + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: ["rivulet migrate redo", "rivulet migrate redo --steps 2 --single-transaction"],
  run: { try goBack($0, $1, andForth: true) })

private func goBack(_ invocation: Invocation, _ session: Session, andForth: Bool) throws -> Int32 {
  let all = try chosen(invocation, session, andForth: andForth)
  let goal = try MigrationSession.goal(invocation)
  let connection = try session.connect()
  func engine(_ one: MigrationSession) throws -> MigrationEngine {
    var engine = try one.engine(connection)
    engine.isSingleTransaction = invocation.has("--single-transaction")
    return engine
  }
  if Confirmation.isWanted(invocation) {
    var steps: [(Direction, MigrationStep)] = []
    let answer = try MigrationSession.answer(all, on: connection) { one in
      let tried = try engine(one).dryRunBack(goal, andForth: andForth)
      steps += tried
      let pending = try engine(one).status().pending.count
      return MigrationAnswer(steps: tried, pending: pending, isDry: true).document
    }
    if invocation.has("--dry-run") {
      try session.answer(json: answer.json, text: answer.text)
      return ExitCode.done
    }
    if let question = question(steps) { _ = try Confirmation.isGiven(question, invocation, session) }
  }
  if let project = all.first?.project {
    // What a run is loading into must not be taken from under it.
    try Leftovers.keepRunsAway(of: project.pipelineNames, on: connection, waiting: session.lockWait())
  }
  let answer = try MigrationSession.answer(all, on: connection) { one in
    let engine = try engine(one)
    var steps: [(Direction, MigrationStep)] = []
    let report: MigrationEngine.Report = { direction, step in
      steps.append((direction, step))
      one.tell("\(direction.rawValue) \(step.label)")
    }
    try session.showing(engine.progress) {
      try andForth ? engine.redo(goal, report) : engine.down(goal, report)
    }
    return MigrationAnswer(steps: steps, pending: try engine.status().pending.count).document
  }
  _ = try all.first?.views?.synchronise(on: connection)
  try session.answer(json: answer.json, text: answer.text)
  return ExitCode.done
}

/// The folder that is meant; all of them, the last first, where everything is to be reverted.
private func chosen(_ invocation: Invocation, _ session: Session, andForth: Bool) throws -> [MigrationSession]
{
  if !andForth, let version = invocation["--to"], !version.isEmpty, version.allSatisfy({ $0 == "0" }) {
    return try MigrationSession.all(invocation, session, mayBeEmpty: true).reversed()
  }
  return [try MigrationSession(invocation, session, mayBeEmpty: true)]
}

/// What to ask at a terminal; nil where no rows go.
private func question(_ steps: [(Direction, MigrationStep)]) -> String? {
  let losing = steps.filter { !$0.1.losses.isEmpty }
  if losing.isEmpty { return nil }
  let lines = losing.map { direction, step in
    "\(direction.rawValue) \(step.label)\n" + step.losses.map { "  \($0.line)\n" }.joined()
  }
  return lines.joined() + "Go on, and lose these rows for good?"
}
