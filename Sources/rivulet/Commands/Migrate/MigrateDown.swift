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
    At a terminal it asks first where rows go with what it reverts, and says how many.
    """,
  options: MigrationSession.goalOptions(
    to: "revert everything after this version; 0 reverts all",
    steps: "revert N migrations (default 1)")
    + [
      Confirmation.dryRun, Confirmation.yes,
      Option("--single-transaction", "all of them or none, in one transaction"),
    ]
    + MigrationSession.folderOptions,
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
      Option("--single-transaction", "all of it or nothing, in one transaction"),
    ]
    + MigrationSession.folderOptions,
  examples: ["rivulet migrate redo", "rivulet migrate redo --steps 2 --single-transaction"],
  run: { try goBack($0, $1, andForth: true) })

private func goBack(_ invocation: Invocation, _ session: Session, andForth: Bool) throws -> Int32 {
  let migrations = try MigrationSession(invocation, session, mayBeEmpty: true)
  let connection = try session.connect()
  var engine = try migrations.engine(connection)
  engine.isSingleTransaction = invocation.has("--single-transaction")
  let goal = try MigrationSession.goal(invocation)
  if Confirmation.isWanted(invocation) {
    let steps = try engine.dryRunBack(goal, andForth: andForth)
    if invocation.has("--dry-run") {
      let pending = try engine.status().pending.count
      try MigrationAnswer(steps: steps, pending: pending, isDry: true).write(session)
      return ExitCode.done
    }
    if let question = question(steps) { _ = try Confirmation.isGiven(question, invocation, session) }
  }
  if let project = migrations.project {
    // What a run is loading into must not be taken from under it.
    try Leftovers.keepRunsAway(of: project.pipelineNames, on: connection, waiting: session.lockWait())
  }
  var steps: [(Direction, MigrationStep)] = []
  let report: MigrationEngine.Report = { direction, step in
    steps.append((direction, step))
    session.tell("\(direction.rawValue) \(step.label)")
  }
  try session.showing(engine.progress) {
    try andForth ? engine.redo(goal, report) : engine.down(goal, report)
  }
  _ = try migrations.views?.synchronise(on: connection)
  try MigrationAnswer(steps: steps, pending: try engine.status().pending.count).write(session)
  return ExitCode.done
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
