import MigrationEngine
import PostgreSQL
import Reporting
import Values

let clusterDistributeCommand = Command(
  name: "distribute", summary: "Moves tables with their rows to where their migrations say",
  discussion: """
    Each table in a transaction of its own, after the one that its line '-- rivulet:place' says 'with'; what is there
    already is left alone, so that the same again goes on where it was stopped. The tables of its releases that are
    staged or were rolled back go along, and can be published afterwards. Nobody writes to a table meanwhile, and no
    migration and no load of it runs; who reads waits for the end only. What is in the way is found before anything
    is moved.
    """,
  arguments: [Argument("TABLE", "schema.table; all that have such a line unless one is named", .any)],
  options: moveOptions,
  examples: ["rivulet cluster distribute --dry-run", "rivulet cluster distribute directory.provider"],
  run: { try move(.distribute, $0, $1) })

let clusterUndistributeCommand = Command(
  name: "undistribute", summary: "Moves tables with their rows back to the coordinator",
  discussion: """
    The way back from 'rivulet cluster distribute', in the same steps. The server makes each table again: comments,
    privileges, settings of columns and the views that read it are put back, and where something would not be as it
    was the table stays where it is. Readers wait meanwhile.
    """,
  arguments: [
    Argument("TABLE", "schema.table; all that have a line '-- rivulet:place' unless one is named", .any)
  ],
  options: moveOptions,
  examples: ["rivulet cluster undistribute --dry-run", "rivulet cluster undistribute directory.provider"],
  run: { try move(.undistribute, $0, $1) })

private let moveOptions =
  [Option("--dry-run", "move nothing; exit with 5 where something would go, or is in the way")]
  + MigrationSession.folderOptions

private func move(_ way: ClusterMoves.Way, _ invocation: Invocation, _ session: Session) throws -> Int32 {
  let cluster = try ClusterSession(invocation, session)
  let moves = ClusterMoves(way, by: cluster.engine, cluster.marks)
  let planned = try moves.plan(invocation.arguments)
  if invocation.has("--dry-run") {
    try session.answer(json: MoveAnswer.json(planned), text: MoveAnswer.text(planned))
    return planned.allSatisfy { $0.tables.isEmpty && $0.faults.isEmpty } ? ExitCode.done : ExitCode.outOfStep
  }
  try cluster.keepRunsAway(from: planned.flatMap { [$0.table] + $0.tables })
  var moved: [ClusterMoves.Moved] = []
  do {
    try session.showing(moves.progress) {
      try moves.run(invocation.arguments) { table in
        moved.append(table)
        session.tell(MoveAnswer.line(table))
      }
    }
    try cluster.makeViews()
  } catch {
    // The tables that were moved before it stay where they are.
    if !moved.isEmpty { try? cluster.makeViews() }
    var failure = Failure(session.explaining(error))
    if failure.code == ExitCode.failed, failure.hint == nil {
      failure.hint =
        "the table at work is where it was; 'rivulet cluster status' says whether a server does not answer, and the "
        + "same command goes on"
    }
    try session.fail(failure, json: MoveAnswer.json(moved), text: MoveAnswer.text(moved))
  }
  try session.answer(
    json: MoveAnswer.json(moved),
    text: moved.isEmpty ? "all tables are where they should be\n" : MoveAnswer.text(moved))
  return ExitCode.done
}
