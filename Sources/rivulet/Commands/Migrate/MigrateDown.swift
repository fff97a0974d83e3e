import Definitions
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Store
import ViewEngine

let migrateDownCommand = Command(
  name: "down", summary: "Reverts the last migration, or several",
  options: MigrationSession.goalOptions(
    to: "revert everything after this version; 0 reverts all",
    steps: "revert N migrations (default 1)")
    + [Option("--single-transaction", "all of them or none, in one transaction")]
    + MigrationSession.folderOptions,
  examples: ["rivulet migrate down", "rivulet migrate down --to 0"],
  run: { try goBack($0, $1) { engine, goal, report in try engine.down(goal, report) } })

let migrateRedoCommand = Command(
  name: "redo",
  summary: "Reverts the last migration, or several, and applies them again as their files are now",
  discussion: "For a migration in the making: edit its file, redo, look.",
  options: MigrationSession.goalOptions(
    to: "revert everything after this version", steps: "revert N migrations (default 1)")
    + [Option("--single-transaction", "all of it or nothing, in one transaction")]
    + MigrationSession.folderOptions,
  examples: ["rivulet migrate redo", "rivulet migrate redo --steps 2 --single-transaction"],
  run: { try goBack($0, $1) { engine, goal, report in try engine.redo(goal, report) } })

private func goBack(
  _ invocation: Invocation, _ session: Session,
  _ body: (MigrationEngine, MigrationGoal, @escaping MigrationEngine.Report) throws -> Void
) throws -> Int32 {
  let migrations = try MigrationSession(invocation, session, mayBeEmpty: true)
  let connection = try session.connect()
  var engine = try migrations.engine(connection)
  engine.isSingleTransaction = invocation.has("--single-transaction")
  if let project = migrations.project {
    // What a run is loading into must not be taken from under it.
    try Leftovers.keepRunsAway(of: project.pipelineNames, on: connection, waiting: session.lockWait())
  }
  var steps: [(Direction, MigrationStep)] = []
  let goal = try MigrationSession.goal(invocation)
  try session.showing(engine.progress) {
    try body(engine, goal) { direction, step in
      steps.append((direction, step))
      session.tell("\(direction.rawValue) \(step.label)")
    }
  }
  _ = try migrations.views?.synchronise(on: connection)
  try MigrationAnswer(steps: steps, pending: try engine.status().pending.count).write(session)
  return ExitCode.done
}
