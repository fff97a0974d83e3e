import MigrationEngine
import PostgreSQL
import Reporting
import Values

let clusterStatusCommand = Command(
  name: "status",
  summary: "Shows the servers, the tables on them, and those that are not where they should be",
  discussion: """
    Where tables should be is what migrations say with a line '-- rivulet:place'; a table that no line names stays
    on the coordinator. Rows are those of the servers' statistics. Of the tables of releases those count as well that
    are staged or were rolled back. What takes longer to say so than three seconds does not answer.
    """,
  options: [
    Option("--check", "exit with 5 where a table is not placed as declared, or a server does not answer")
  ] + MigrationSession.folderOptions,
  examples: ["rivulet cluster status", "rivulet cluster status --check --format json"],
  run: { try clusterStatus($0, $1) })

private func clusterStatus(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let cluster = try ClusterSession(invocation, session)
  let status: PlacementStatus
  do {
    status = try PlacementStatus.read(from: cluster.connection, cluster.marks)
  } catch let error as ClusterError {
    guard case .noCitus = error else { throw error }
    let declared = cluster.marks.filter { !$0.isLocal }
    try session.fail(
      Failure(error),
      json: ["declared": JSON.array(of: declared) { ["table": $0.table, "place": $0.text] }],
      text: TextTable(["table", "declared"], declared.map { [$0.table, $0.text] }).text(orIfEmpty: ""))
  }
  try session.answer(json: status.json, text: status.text)
  return invocation.has("--check") && !status.isGood ? ExitCode.outOfStep : ExitCode.done
}
