import MigrationEngine
import Reporting
import Values

let migrateStatusCommand = Command(
  name: "status", summary: "Shows what is applied and what is pending",
  options: [Option("--check", "exit with 5 unless everything is applied as the files say")]
    + MigrationSession.folderOptions,
  examples: ["rivulet migrate status", "rivulet migrate status --check --format json"],
  run: { try migrateStatus($0, $1) })

private func migrateStatus(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let migrations = try MigrationSession(invocation, session)
  let status = try migrations.engine(try session.connect()).status()
  try session.answer(json: json(status), text: text(status))
  return invocation.has("--check") && !status.isInStep ? ExitCode.outOfStep : ExitCode.done
}

private func json(_ status: MigrationStatus) -> JSON {
  let late = Set(status.late.map(\.version))
  let pending = status.pending.map { json($0, isLate: late.contains($0.version)) }
  return .object([
    ("applied", .array(status.applied.map(json))),
    ("pending", .array(pending + status.pendingRepeatables.map { json($0, isLate: false) })),
  ])
}

private func json(_ row: AppliedMigration) -> JSON {
  .object([
    ("version", .string(row.version)), ("name", .string(row.name)), ("kind", .string(row.kind.rawValue)),
    ("checksum", .string(row.checksum)), ("applied_at", .string(row.appliedAt)),
    ("state", .string(row.state.rawValue)), ("seconds", .seconds(row.seconds)),
    ("baseline", .bool(row.isBaseline)),
  ])
}

private func json(_ file: Migration, isLate: Bool) -> JSON {
  .object([
    ("version", .string(file.version)), ("name", .string(file.name)), ("kind", .string(file.kind.rawValue)),
    ("late", .bool(isLate)),
  ])
}

private func text(_ status: MigrationStatus) -> String {
  var table = TextTable([("version", .left), ("name", .left), ("state", .left), ("applied at", .left)])
  for row in status.applied {
    let state = row.state.rawValue + (row.isBaseline ? ", baseline" : "")
    table.add([row.kind == .versioned ? row.version : "R", row.name, state, row.appliedAt])
  }
  let late = Set(status.late.map(\.version))
  for row in status.pending {
    table.add([row.version, row.name, late.contains(row.version) ? "pending, late" : "pending"])
  }
  for row in status.pendingRepeatables { table.add(["R", row.name, "pending"]) }
  return table.isEmpty ? "there are no migrations\n" : table.text
}
