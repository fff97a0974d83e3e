import Catalog
import Definitions
import PipelineCore
import PostgreSQL
import Reporting
import Values
import ViewEngine

let viewsCommand = Command(
  name: "views", summary: "Shows derived views: how far they lag behind, what they read, what reads them",
  examples: ["rivulet views list", "rivulet views show mart.rvu_by_status"],
  subcommands: [
    Command(
      name: "list",
      summary: "Lists views with rows, age, what waits to be computed and how long that took last",
      discussion: """
        A view is exact, or behind where something waits to be computed, or stale where it is behind for longer
        than its fresh_for allows. Live views are always exact. A last line names the session of 'rivulet refresh
        --watch', where there is one.
        """,
      examples: ["rivulet views list", "rivulet views list --format json"], run: { try list($0, $1) }),
    Command(
      name: "show", summary: "Shows one view with its definition, its sources and its last refreshes",
      arguments: [Argument("VIEW", "the view, such as mart.rvu_by_status")],
      examples: ["rivulet views show mart.rvu_by_status"], run: { try show($0, $1) }),
    viewsCheckCommand,
  ])

private func statuses(_ session: Session) throws -> (views: [ViewStatus], watching: LockHolder?) {
  let engine = ViewEngine(try session.project().views())
  let connection = try session.connect()
  try Catalog.prepare(connection)
  return (try engine.status(on: connection), try ViewWatch.session(on: connection))
}

private func list(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let (views, watching) = try statuses(session)
  let limit = try session.project().queueLimit
  var table = TextTable([
    "view", "strategy", .state("state"), .right("rows"), .right("age"), .right("pending"),
    .right("queue"), .right("last took"),
  ])
  for view in views {
    table.add([
      view.name, view.strategy, view.state, view.rows?.grouped, view.ageText,
      view.strategy == "live" ? nil : view.pending.grouped,
      view.strategy == "live" ? nil : ProgressUnits.bytes(view.queueBytes),
      view.refreshes.first.map { JSON.seconds($0.seconds).text + " s" },
    ])
  }
  let reasons = views.filter { !$0.behind.isEmpty }.map {
    "\($0.name) is \($0.state): \($0.behind.joined(separator: "; "))\n"
  }
  let warnings = views.flatMap { view in
    view.warnings.map { "\(view.name): \($0)\n" } + (view.queueWarning(over: limit).map { [$0 + "\n"] } ?? [])
  }
  let watch = watching.map { "watched: \(ViewWatch.describe($0))\n" } ?? ""
  let parts = [table.text] + [reasons.joined(), warnings.joined(), watch].map { ConsoleText($0) }
  try session.answer(
    json: ["views": views, "watched_by": watching.map(json)],
    text: table.isEmpty
      ? "the project has no views\n" : parts.filter { !$0.isEmpty }.joined(separator: "\n"))
  return ExitCode.done
}

private func show(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let name = invocation.arguments[0]
  let known = try session.project().views().map(\.name)
  guard known.contains(name) else { throw invocation.usage(unknownView(name, among: known)) }
  guard let view = try statuses(session).views.first(where: { $0.name == name }) else {
    return ExitCode.failed
  }
  try session.answer(json: view.fullJSON, text: view.text)
  return ExitCode.done
}

/// The session that keeps views up to date, for scripts.
private func json(_ session: LockHolder) -> JSON {
  [
    "process": session.process, "program": session.program, "user": session.user, "since": session.since,
  ]
}
