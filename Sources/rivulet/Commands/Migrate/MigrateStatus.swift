import Definitions
import MigrationEngine
import PipelineCore
import PostgreSQL
import Reporting
import Values

let migrateStatusCommand = Command(
  name: "status", summary: "Shows what is applied and what is pending",
  options: [
    Option("--check", "exit with 5 unless everything is applied as the files say"),
    Option(
      "--drift", "compare the schema with what the history makes; exit with 5 where it was changed by hand"),
    Option("--here", "with --drift: make what the history makes in a shadow database in the same server"),
  ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate status", "rivulet migrate status --check --format json",
    "rivulet migrate status --drift",
  ],
  run: { try migrateStatus($0, $1) })

private func migrateStatus(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let all = try MigrationSession.all(invocation, session, mayBeEmpty: true)
  if invocation.has("--here") && !invocation.has("--drift") {
    throw invocation.usage("--here is for --drift")
  }
  let connection = try session.connect()
  for complaint in all.flatMap(\.folder.complaints) {
    session.warn("cannot be run: \(Failure(complaint).sentence)")
  }
  // What was changed by hand, a line each.
  var drift: [String]?
  if invocation.has("--drift"), let migrations = all.first {
    drift = try SchemaDrift.lines(
      on: connection, dependents: migrations.dependents,
      place: invocation.has("--here") ? .beside(connection) : .embedded,
      ignoring: migrations.project?.ignoredDrift ?? [], values: migrations.folder.values,
      tell: { session.tell($0) }
    ).map(migrations.folder.values.discreet)
  }
  var isInStep = true
  let closing: MigrationDocument = (drift.map { ["drift": $0] } ?? [:], ConsoleText(text(drift: drift)))
  let answer = try MigrationSession.answer(all, on: connection, closing: closing) { one in
    let status = try one.engine(connection).status()
    isInStep = isInStep && status.isInStep
    return (json(status, one.folder.datasets), text(status) + ConsoleText(one.text(unused: status.unused)))
  }
  try session.answer(json: answer.json, text: answer.text)
  let isOut = invocation.has("--check") && !isInStep || drift?.isEmpty == false
  return isOut ? ExitCode.outOfStep : ExitCode.done
}

private func text(drift: [String]?) -> String {
  guard let drift else { return "" }
  if drift.isEmpty { return "no drift: the schema is what its history makes\n" }
  return "drift: the schema is not what its history makes\n" + drift.map { "  \($0)\n" }.joined()
}

private func json(_ status: MigrationStatus, _ datasets: [String]?) -> JSON {
  [
    "applied": status.applied.map(json), "pending": (status.pending + status.pendingRepeatables).map(json),
    "late": status.late.map(\.version), "awaits_contract": status.awaiting?.version,
    "datasets": datasets.map { JSON.array(of: $0) { .string($0) } } ?? .null,
    "unused": status.unused.map(json),
    "problems": status.complaints.map { Failure($0).json },
  ]
}

private func json(_ row: AppliedMigration) -> JSON {
  [
    "version": row.version, "name": row.name, "kind": row.kind.rawValue, "checksum": row.checksum,
    "applied_at": row.appliedAt, "state": row.state.rawValue, "seconds": JSON.seconds(row.seconds),
    "baseline": row.isBaseline, "batch": row.batch.map(\.json) ?? .null,
  ]
}

private func json(_ file: Migration) -> JSON {
  ["version": file.version, "name": file.name, "kind": file.kind.rawValue]
}

extension MigrationSession {
  /// What there is for datasets that this database does not use.
  fileprivate func text(unused: [Migration]) -> String {
    guard !unused.isEmpty else { return "" }
    let names = Set(unused.flatMap(\.datasets)).subtracting(folder.datasets ?? []).sorted()
    return "not used here: \(names.joined(separator: ", ")), "
      + "with \(unused.count) migration\(unused.count == 1 ? "" : "s"); "
      + "'datasets' in \(Project.fileName) chooses\n"
  }
}

private func text(_ status: MigrationStatus) -> ConsoleText {
  var table = TextTable(["version", "name", .state("state"), "applied at"])
  for row in status.applied {
    let state =
      row.state.rawValue + (row.batch.map { " (\($0.line))" } ?? "")
      + (row.isOnItsWayBack ? ", on its way back" : "")
      + (row.isBaseline ? ", baseline" : "")
    table.add([row.kind == .versioned ? row.version : "R", row.name, state, row.appliedAt])
  }
  let late = Set(status.late.map(\.version))
  for row in status.pending {
    let state = row.version == status.awaiting?.version ? "waits for contract" : "pending"
    table.add([row.version, row.name, state + (late.contains(row.version) ? ", late" : "")])
  }
  for row in status.pendingRepeatables { table.add(["R", row.name, "pending"]) }
  return table.isEmpty ? "there are no migrations\n" : table.text
}
