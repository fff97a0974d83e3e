import Definitions
import MigrationEngine
import PipelineCore
import Reporting
import Values

let migrateRenumberCommand = Command(
  name: "renumber",
  summary: "Gives migrations whose numbers clash, or come too early, the numbers after the last",
  discussion: """
    For branches that meet. Of files that have one number, the one that a history of the database has keeps it, else the
    first by name; where no numbers clash, pending migrations move that come before applied ones. All files of a
    migration are renamed, and those that move stay in order. What any history of the database has never moves.
    """,
  arguments: [Argument("FILE", "renumber these migrations, and no other", .any)],
  options: [
    Option("--dry-run", "say what would be renamed, and rename nothing"),
    Option("--offline", "ask no database: what is applied anywhere is yours to know"),
  ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate renumber --dry-run", "rivulet migrate renumber Migrations/0007_fee_key.sql",
    "rivulet migrate renumber --offline --dir db/migration",
  ],
  run: { try migrateRenumber($0, $1) })

private func migrateRenumber(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  if invocation["--dir"] == nil { _ = try session.ownProject() }
  let source = try MigrationSession.only(MigrationSession.sources(invocation, session).sources, invocation)
  let isDry = invocation.has("--dry-run")
  let renumbering =
    try invocation.has("--offline")
    ? Renumbering(of: source.folders, chosen: invocation.arguments)
    : renumbering(of: source, invocation, session)
  if !isDry { try renumbering.perform() }
  try session.answer(json: json(renumbering, isDry), text: text(renumbering, isDry))
  return ExitCode.done
}

/// What a folder needs, by what the database has.
private func renumbering(of source: MigrationSource, _ invocation: Invocation, _ session: Session) throws
  -> Renumbering
{
  let connection = try session.connect()
  var histories: Set = [source.history]
  if let schemas = source.schemas {
    let names = try MigrationFolder.schemas(schemas, on: connection, mayBeMissing: true)
    histories = Set(names.map { MigrationFolder.history(source.history, inSchema: $0) })
  }
  var late: [String] = []
  do {
    for one in try MigrationSession(invocation, session).inSchemas(on: connection) {
      late += try one.engine(connection).status().late.map(\.version)
    }
  } catch MigrationError.sameVersion {
    // Those come first.
  }
  return try Renumbering(
    of: source.folders, applied: try AppliedName.all(on: connection), histories: histories, late: late,
    chosen: invocation.arguments)
}

private func json(_ renumbering: Renumbering, _ isDry: Bool) -> JSON {
  [
    "renumbered": JSON.array(of: renumbering.steps) { step in
      [
        "version": step.version, "new_version": step.newVersion, "name": step.name, "reason": step.reason,
        "files": JSON.array(of: step.files) { ["from": $0.from, "to": $0.to] },
      ]
    },
    "dry_run": isDry,
  ]
}

private func text(_ renumbering: Renumbering, _ isDry: Bool) -> String {
  let steps = renumbering.steps
  if steps.isEmpty { return "nothing to do: no number clashes, and no migration is late\n" }
  let lines = steps.map { step in
    "\(step.version) \(step.name) \(isDry ? "would be" : "is now") \(step.newVersion): \(step.reason)\n"
      + step.files.map { "  \($0.to)\n" }.joined()
  }
  return lines.joined()
}
