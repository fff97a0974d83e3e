import MigrationEngine
import PipelineCore
import Reporting
import Values

let migrateRepairCommand = Command(
  name: "repair",
  summary: "Shows how an applied migration differs from its file, and brings the two together",
  discussion: """
    Without an option it only shows, and exits with 5 where they differ. The schema is never touched: --accept takes the
    file for what was applied, or forgets the migration where the file is gone; --restore writes the file as it was
    applied. One that is applied in part counts as applied after --accept; 'migrate up' would go on with it instead.
    """,
  arguments: [Argument("VERSION", "the migration, such as 0007; a repeatable one as R_name")],
  options: [
    Option("--accept", "the file is right: write its text into the history"),
    Option("--restore", "the history is right: write the file"),
  ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: ["rivulet migrate repair 0007", "rivulet migrate repair 0007 --accept"],
  run: { try migrateRepair($0, $1) })

private func migrateRepair(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  if invocation.has("--accept") && invocation.has("--restore") {
    throw invocation.usage("--accept and --restore exclude each other")
  }
  if invocation.has("--restore") && invocation["--dir"] == nil { _ = try session.ownProject() }
  let migrations = try MigrationSession(invocation, session, mayBeEmpty: true)
  let version = invocation.arguments[0]
  let connection = try session.connect()
  if invocation.has("--restore"), try migrations.inSchemas(on: connection).count != 1 {
    throw invocation.usage("--restore writes the file as one schema has it: name that with --schema")
  }
  var isInStep = true
  let answer = try migrations.document(on: connection) { one in
    let engine = try one.engine(connection)
    let finding = try engine.finding(version)
    var done: String?
    if invocation.has("--accept") { done = try engine.repair(version, .acceptFile) }
    if invocation.has("--restore") { done = try engine.repair(version, .restoreFile) }
    let agrees = finding.row.state == .applied || finding.row.state == .late
    isInStep = isInStep && (agrees || done != nil)
    return (json(finding, done), ConsoleText(text(finding, done)))
  }
  try session.answer(json: answer.json, text: answer.text)
  return isInStep ? ExitCode.done : ExitCode.outOfStep
}

private func json(_ finding: RepairFinding, _ done: String?) -> JSON {
  [
    "version": finding.row.version, "name": finding.row.name, "kind": finding.row.kind.rawValue,
    "state": finding.row.state.rawValue, "difference": finding.difference, "repaired": done != nil,
  ]
}

private func text(_ finding: RepairFinding, _ done: String?) -> String {
  let row = finding.row
  switch row.state {
  case .applied, .late: return "\(row.label) is as it was applied\n"
  case .changed, .missing, .partial:
    let head =
      switch row.state {
      case .missing: "\(row.label) was applied and has no file any more; this is what was applied:\n"
      case .partial where row.isOnItsWayBack:
        "\(row.label) is reverted in part; 'migrate down' goes on where it stopped\n"
      case .partial where finding.file == nil:
        "\(row.label) is applied in part and has no file any more: put it back, and 'migrate up' goes on\n"
      case .partial: "\(row.label) is applied in part; 'migrate up' goes on where it stopped\n"
      default: "\(row.label) was edited since it was applied (- as applied, + as the file is now):\n"
      }
    let same = "  no line: the text is the same, and only its checksum in the history is another\n"
    let difference = finding.difference
    let shown = row.state == .partial ? "" : difference.isEmpty ? same : difference
    return head + shown + (done.map { $0 + "\n" } ?? "")
  }
}
