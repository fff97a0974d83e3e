import Definitions
import MigrationEngine
import PipelineCore
import PostgreSQL
import Reporting
import Values
import ViewEngine

let migrateUpCommand = Command(
  name: "up", summary: "Applies pending migrations, each in one transaction with its history",
  discussion: """
    A migration that waits for a table's lock is rolled back after a short while, pauses and tries again, so that
    nobody queues behind it for long; --lock-wait says for how long in all (30 seconds unless it is given).
    Of a migration of two halves, the first is applied; the second waits for 'rivulet migrate contract', and what
    comes behind it too, which ends with 5.
    A statement behind a line '-- rivulet:batch schema.table key 5000' runs over ranges of that key, each committed by
    itself; stopped at any moment, it goes on after the last one.
    Where rivulet.yaml names several folders, all of them in their order. What fails in one folder or schema ends it;
    those before it are done.
    """,
  options: MigrationSession.goalOptions(to: "stop after this version", steps: "apply at most N migrations")
    + [
      Option("--dry-run", "run everything that a transaction can hold, then roll it back"),
      Option("--single-transaction", "all of one history or none, in one transaction"),
      Option("--allow-late", "apply migrations although later ones are applied already"),
      Option("--contract", "run both halves of each migration: in a database that no program uses yet"),
      CommandMetrics.option,
    ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate up", "rivulet migrate up --to 0003", "rivulet migrate up --dry-run",
    "rivulet migrate up --dir db/tenant --schema tenant_a,tenant_b",
  ],
  run: { try migrateUp($0, $1) })

let migrateContractCommand = Command(
  name: "contract",
  summary: "Runs the second half of a migration, which takes away what the first one replaces",
  discussion: """
    'rivulet migrate up' stops before a section contract, and 'rivulet migrate status' shows it. Run it when no
    program uses any more what it takes away. Only the one that comes next is run, of several folders or schemas that
    of each, and 'rivulet migrate up' goes on.
    """,
  options: [Option("--dry-run", "run everything that a transaction can hold, then roll it back")]
    + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: ["rivulet migrate contract", "rivulet migrate contract --dry-run"],
  run: { try migrateUp($0, $1, .next) })

private func migrateUp(
  _ invocation: Invocation, _ session: Session, _ halves: ContractHalves? = nil
) throws -> Int32 {
  let halves = halves ?? (invocation.has("--contract") ? .all : .wait)
  let all = try MigrationSession.all(invocation, session)
  let goal = try halves == .next ? .natural : MigrationSession.goal(invocation, of: all)
  let connection = try session.connect()
  let isDry = invocation.has("--dry-run")
  (session.record.appliedMigrations, session.record.pendingMigrations) = (0, nil)
  var steps = 0
  var delay: (history: String?, error: MigrationError)?
  let answer = try MigrationSession.answer(all, on: connection, toApply: !isDry) { one in
    if isDry { return try rehearse(one, halves, goal, invocation, connection).document }
    // What comes behind may need what waits; the other schemas of the folder go on.
    if let delay, delay.history != one.label { throw delay.error }
    let answer = try migrate(one, halves, goal, invocation, session, connection, after: steps)
    steps += answer.steps.count
    if let error = answer.delay {
      delay = (one.label, error)
      session.warn(Failure(error).sentence)
    }
    return answer.document
  }
  if !isDry, let first = all.first {
    // What other folders make, which were not asked for, may be missing.
    let isWhole = (first.project?.migrations.count ?? 0) <= all.count
    try first.afterwards(
      on: connection, isComplete: isWhole && session.record.pendingMigrations ?? 0 == 0)
  }
  try session.answer(json: answer.json, text: answer.text)
  if steps > 0 { session.warnOfRoles(connection) }
  return delay == nil ? ExitCode.done : ExitCode.outOfStep
}

/// Tries what is pending in one history, after what is pending in the folders before it.
private func rehearse(
  _ migrations: MigrationSession, _ halves: ContractHalves, _ goal: MigrationGoal, _ invocation: Invocation,
  _ connection: Connection
) throws -> MigrationAnswer {
  func engine(_ one: MigrationSession) throws -> MigrationEngine {
    var engine = try one.engine(connection)
    engine.contractHalves = halves
    engine.allowsLate = invocation.has("--allow-late")
    return engine
  }
  let earlier =
    try migrations.label == nil ? [] : migrations.earlier.flatMap { try $0.inSchemas(on: connection) }
  let steps = try engine(migrations).dryRun(goal, after: earlier.map(engine))
  return MigrationAnswer(
    steps: steps.map { (.up, $0) }, pending: steps.count, awaiting: try engine(migrations).status().awaiting,
    isDry: true)
}

/// Applies what is pending in one history; `before` migrations were applied in others.
private func migrate(
  _ migrations: MigrationSession, _ halves: ContractHalves, _ goal: MigrationGoal, _ invocation: Invocation,
  _ session: Session, _ connection: Connection, after before: Int
) throws -> MigrationAnswer {
  var engine = try migrations.engine(connection)
  engine.contractHalves = halves
  engine.allowsLate = invocation.has("--allow-late")
  engine.isSingleTransaction = invocation.has("--single-transaction")
  var steps: [(Direction, MigrationStep)] = []
  var delay: MigrationError?
  let pending: [Migration]
  do {
    pending = try session.showing(engine.progress) {
      try engine.up(goal) { direction, step in
        steps.append((direction, step))
        session.record.appliedMigrations = before + steps.count
        migrations.tell("up \(step.label)")
      }
    }
  } catch let error as MigrationError {
    guard case .awaitsContract = error else { throw error }
    delay = error
    pending = try engine.status().pending
  }
  session.record.pendingMigrations = (session.record.pendingMigrations ?? 0) + pending.count
  let half = pending.first.flatMap { $0.isContract ? $0 : nil }
  return MigrationAnswer(steps: steps, pending: pending.count, awaiting: half, delay: delay)
}

extension MigrationSession {
  /// Brings what follows the schema up to date: the project's settings in the database, and its derived
  /// views.
  ///
  /// A view that cannot be made is an error only where the schema is complete.
  func afterwards(on connection: Connection, isComplete: Bool) throws {
    guard let problem = try recordProject(on: connection).first, isComplete else { return }
    throw problem
  }

  /// Brings the project's settings into the database and makes its derived views; gives why views cannot be
  /// made.
  func recordProject(on connection: Connection) throws -> [ViewProblem] {
    guard let project, let views else { return [] }
    try connection.query(
      """
      INSERT INTO rivulet.setting (name, value) VALUES ('time_zone', $1)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
        WHERE setting.value IS DISTINCT FROM excluded.value
      """, [.text(project.timeZone)])
    try connection.query(
      project.capturesOnShards
        ? "INSERT INTO rivulet.setting (name, value) VALUES ($1, 'shards') ON CONFLICT (name) DO NOTHING"
        : "DELETE FROM rivulet.setting WHERE name = $1", [.text(ViewEngine.captureSetting)])
    return try session.showing(views.progress) { try views.synchronise(on: connection) }
  }
}
