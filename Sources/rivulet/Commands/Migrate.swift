import Catalog
import Definitions
import Host
import MigrationEngine
import PipelineEngine
import PostgreSQL
import Reporting
import Values
import ViewEngine

let migrateCommand = Command(
  name: "migrate", summary: "Applies schema migrations and takes them back",
  examples: ["rivulet migrate up", "rivulet migrate down --steps 2", "rivulet migrate status --format json"],
  subcommands: [
    Command(
      name: "up", summary: "Applies pending migrations, each in one transaction with its history",
      options: [
        Option("--to", value: "VERSION", "stop after this version"),
        Option("--steps", value: "N", "apply at most N migrations"),
      ],
      examples: ["rivulet migrate up", "rivulet migrate up --to 0003"],
      run: { try migrateUp($0, $1) }),
    Command(
      name: "down", summary: "Takes the last migration back, or several",
      options: [
        Option("--to", value: "VERSION", "take back everything after this version; 0 takes back all"),
        Option("--steps", value: "N", "take back N migrations (default 1)"),
      ],
      examples: ["rivulet migrate down", "rivulet migrate down --to 0"],
      run: { try migrateDown($0, $1) }),
    Command(
      name: "status", summary: "Shows what is applied and what is pending",
      examples: ["rivulet migrate status", "rivulet migrate status --format json"],
      run: { try migrateStatus($1) }),
  ])

/// What hangs on the tables: derived views, and the tables of releases.
private struct Dependants: SchemaDependants {
  let views: ViewEngine

  func release(on connection: Connection) throws -> Bool { try views.drop(on: connection) }
  func restore(on connection: Connection) throws { _ = try views.make(on: connection) }
  func clearOrphans(on connection: Connection) throws { try Leftovers.clearOrphans(on: connection) }
}

private func migrateUp(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let (engine, connection, views) = try engine(session)
  var steps: [MigrationStep] = []
  try engine.up(try goal(invocation)) { step in
    steps.append(step)
    session.tell("up \(step.version) \(step.name)")
  }
  let project = try session.project()
  try connection.query(
    """
    INSERT INTO rivulet.setting (name, value) VALUES ('time_zone', $1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE setting.value IS DISTINCT FROM excluded.value
    """, [.text(project.timeZone)])
  let problems = try views.synchronise(on: connection)
  let pending = try engine.status().pending
  if let problem = problems.first, pending.isEmpty { throw problem }
  try answer(steps, pending.count, "applied", session)
  return ExitCode.done
}

private func migrateDown(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let (engine, connection, views) = try engine(session)
  // What a run is loading into must not be taken from under it.
  try Leftovers.keepRunsAway(
    of: session.project().pipelineNames, on: connection, waiting: session.lockWait())
  var steps: [MigrationStep] = []
  try engine.down(try goal(invocation)) { step in
    steps.append(step)
    session.tell("down \(step.version) \(step.name)")
  }
  try views.synchronise(on: connection)
  try answer(steps, try engine.status().pending.count, "taken back", session)
  return ExitCode.done
}

private func migrateStatus(_ session: Session) throws -> Int32 {
  let (engine, _, _) = try engine(session)
  let status = try engine.status()
  try session.answer(json: json(status), text: text(status))
  return ExitCode.done
}

private func engine(_ session: Session) throws -> (MigrationEngine, Connection, ViewEngine) {
  let path = Path.join(try session.project().folder, "Migrations")
  guard Files.isDirectory(path) else {
    throw UsageError(message: "the project has no folder 'Migrations'", path: ["rivulet", "migrate"])
  }
  let folder = try MigrationFolder(path)
  let views = ViewEngine(try session.pipelines().flatMap(\.views))
  let connection = try session.connect()
  var engine = MigrationEngine(connection: connection, folder: folder, dependants: Dependants(views: views))
  engine.lockWait = try session.lockWait()
  return (engine, connection, views)
}

private func goal(_ invocation: Invocation) throws -> MigrationGoal {
  let steps = try invocation.integer("--steps", atLeast: 1)
  switch (invocation["--to"], steps) {
  case (.some, .some): throw invocation.usage("--to and --steps exclude each other")
  case (let version?, nil):
    guard version.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw invocation.usage("--to takes a version such as 0003, or 0, not '\(version)'")
    }
    return .version(version)
  case (nil, let steps?): return .steps(steps)
  case (nil, nil): return .natural
  }
}

private func answer(_ steps: [MigrationStep], _ pending: Int, _ word: String, _ session: Session) throws {
  try session.answer(
    json: .object([
      (
        "steps",
        .array(
          steps.map {
            .object([
              ("version", .string($0.version)), ("name", .string($0.name)), ("seconds", .seconds($0.seconds)),
            ])
          })
      ),
      ("pending", .integer(pending)),
    ]),
    text: steps.isEmpty
      ? "nothing to do; \(pending) pending\n"
      : "\(steps.count) migration\(steps.count == 1 ? "" : "s") \(word); \(pending) pending\n")
}

private func json(_ status: MigrationStatus) -> JSON {
  .object([
    (
      "applied",
      .array(
        status.applied.map {
          .object([
            ("version", .string($0.version)), ("name", .string($0.name)), ("kind", .string("versioned")),
            ("checksum", .string($0.checksum)), ("applied_at", .string($0.appliedAt)),
            ("state", .string($0.state.rawValue)), ("seconds", .seconds($0.seconds)),
          ])
        })
    ),
    (
      "pending",
      .array(
        status.pending.map {
          .object([
            ("version", .string($0.version)), ("name", .string($0.name)), ("kind", .string("versioned")),
          ])
        })
    ),
  ])
}

private func text(_ status: MigrationStatus) -> String {
  var table = TextTable([("version", .left), ("name", .left), ("state", .left), ("applied at", .left)])
  for row in status.applied { table.add([row.version, row.name, row.state.rawValue, row.appliedAt]) }
  let late = Set(status.late.map(\.version))
  for row in status.pending {
    table.add([row.version, row.name, late.contains(row.version) ? "pending, late" : "pending"])
  }
  return table.isEmpty ? "there are no migrations\n" : table.text
}
