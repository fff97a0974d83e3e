import Host
import MigrationEngine
import PipelineCore
import PostgreSQL
import Reporting
import Values

let migratePlanCommand = Command(
  name: "plan",
  summary: "Shows the SQL of pending migrations, the locks they take and the tables they rewrite",
  discussion: """
    Runs them on a shadow database that has the schema and the history of this one and no rows, and looks at the locks
    and the files there. Of the database itself nothing is changed, and nothing in it is locked that anybody would wait
    for. Tables are those that are there now; rows are what the statistics say.
    """,
  options: MigrationSession.goalOptions(to: "stop after this version", steps: "plan at most N migrations")
    + [
      Option("--allow-late", "plan migrations although later ones are applied already"),
      Option("--contract", "plan both halves of each migration"),
      Option("--script", "write all of it as a script for psql, and look at no locks"),
      Option("-o", value: "FILE", "with --script: a file in place of standard output"),
      Option("--here", "make the shadow database in the same server, for one that has its extensions"),
    ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate plan", "rivulet migrate plan --steps 1 --format json",
    "rivulet migrate plan --script -o pending.sql",
  ],
  run: { try migratePlan($0, $1) })

private func migratePlan(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let isScript = invocation.has("--script")
  if invocation.has("-o") && !isScript { throw invocation.usage("-o goes with --script") }
  let all = try isScript ? [MigrationSession(invocation, session)] : MigrationSession.all(invocation, session)
  let goal = try MigrationSession.goal(invocation, of: all)
  let connection = try session.connect()
  if isScript {
    let histories = try all[0].inSchemas(on: connection)
    guard histories.count == 1 else {
      throw invocation.usage("a script is for one schema: name it with --schema")
    }
    return try writeScript(invocation, session, histories[0], connection)
  }
  let answer = try MigrationSession.answer(all, on: connection) { one in
    var planner = MigrationPlanner(
      target: connection, folder: one.folder, dependents: one.dependents,
      place: invocation.has("--here") ? .beside(connection) : .embedded)
    planner.allowsLate = invocation.has("--allow-late")
    planner.contractHalves = invocation.has("--contract") ? .all : .wait
    planner.tell = { session.tell($0) }
    planner.earlier =
      try one.label == nil ? [] : one.earlier.flatMap { try $0.inSchemas(on: connection) }.map(\.folder)
    let plan = try planner.plan(goal)
    return (json(plan), ConsoleText(text(plan)))
  }
  try session.answer(json: answer.json, text: answer.text)
  return ExitCode.done
}

private func writeScript(
  _ invocation: Invocation, _ session: Session, _ migrations: MigrationSession, _ connection: Connection
) throws -> Int32 {
  var engine = try migrations.engine(connection)
  engine.allowsLate = invocation.has("--allow-late")
  engine.contractHalves = invocation.has("--contract") ? .all : .wait
  let script = try engine.script(MigrationSession.goal(invocation))
  if migrations.views != nil {
    session.tell("derived views are not in it: 'rivulet migrate up' brings them up to date after it was run")
  }
  guard let path = invocation["-o"] else {
    try session.answer(json: ["sql": script], script: script)
    return ExitCode.done
  }
  // It may hold values of placeholders: a file that is there keeps who may read it.
  if Files.exists(path) { try Files.remove(path) }
  try Files.write(script, to: path, mode: 0o600)
  try session.answer(json: ["file": path], text: path + "\n")
  return ExitCode.done
}

// MARK: JSON

private func json(_ plan: [PlannedMigration]) -> JSON {
  ["migrations": plan.map(json)]
}

private func json(_ planned: PlannedMigration) -> JSON {
  let migration = planned.migration
  return [
    "version": migration.version, "name": migration.name, "kind": migration.kind.rawValue,
    "transaction": planned.isTransaction, "sql": migration.up.sql, "locks": planned.locks.map(json),
    "rewrites": planned.rewrites,
    "indexes": JSON.array(of: planned.indexes) { ["index": $0.index, "table": $0.table, "rows": $0.rows] },
    "losses": JSON.array(of: planned.losses, \.json), "batches": JSON.array(of: planned.batches, \.json),
    "statements_outside": planned.statementsOutside,
    "placements": JSON.array(of: planned.placements) { ["table": $0.table, "place": $0.text] },
  ]
}

private func json(_ lock: PlannedMigration.Lock) -> JSON {
  ["table": lock.table, "mode": lock.mode.rawValue, "blocks": lock.mode.blocks.rawValue, "rows": lock.rows]
}

// MARK: Text

private func text(_ plan: [PlannedMigration]) -> String {
  plan.isEmpty ? "nothing to do\n" : plan.map(text).joined(separator: "\n")
}

private func text(_ planned: PlannedMigration) -> String {
  var lines = [planned.migration.label + (planned.isTransaction ? "" : ", statement by statement")]
  if planned.locks.isEmpty { lines.append("  locks no table that is there now") }
  lines += text(planned.locks)
  if !planned.rewrites.isEmpty { lines.append("  rewrites " + planned.rewrites.joined(separator: ", ")) }
  lines += planned.losses.map { "  \($0.line)" }
  lines += planned.indexes.map { "  builds \($0.index) without CONCURRENTLY on \($0.table)\(about($0.rows))" }
  lines += planned.batches.map { "  runs \($0.line)" }
  lines += planned.placements.map { "  places \($0.table): \($0.text)" }
  lines += planned.statementsOutside.map { "  outside a transaction: \($0)" }
  let sql = planned.migration.up.sql.split(separator: "\n", omittingEmptySubsequences: false)
  lines.append("")
  lines += trimmed(sql).map { $0.isEmpty ? "" : "    \($0)" }
  return lines.map { $0 + "\n" }.joined()
}

/// A line for each lock; partitions that are locked like their table are named with it.
private func text(_ locks: [PlannedMigration.Lock]) -> [String] {
  let modes = Dictionary(locks.map { ($0.table, $0.mode) }, uniquingKeysWith: { $1 })
  let goesAlong = { (lock: PlannedMigration.Lock) in lock.parent.map { modes[$0] == lock.mode } ?? false }
  func partitions(of table: String) -> Int {
    locks.filter { goesAlong($0) && $0.parent == table }.reduce(0) { $0 + 1 + partitions(of: $1.table) }
  }
  return locks.filter { !goesAlong($0) }.map { lock in
    let count = partitions(of: lock.table)
    let partitions = count == 0 ? "" : " and \(count) partition\(count == 1 ? "" : "s")"
    let rows = lock.isTable ? about(lock.rows) : ""
    return "  \(lock.mode.rawValue) on \(lock.table)\(partitions)\(rows): blocks \(lock.mode.blocks.rawValue)"
  }
}

/// Without the empty lines at both ends.
private func trimmed(_ lines: [Substring]) -> ArraySlice<Substring> {
  let isBlank = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
  return lines.drop(while: isBlank).prefix(
    (lines.lastIndex { !isBlank($0) } ?? -1) + 1 - lines.prefix(while: isBlank).count)
}

private func about(_ rows: Int?) -> String {
  rows.map { " (about \($0.grouped) row\($0 == 1 ? "" : "s"))" } ?? " (rows unknown: never analysed)"
}
