import Catalog
import Definitions
import Host
import Pages
import PipelineCore
import PostgreSQL
import Store
import Values

let reportCommand = Command(
  name: "report", summary: "Writes what was loaded, rejected and changed as a page to look at or to mail",
  discussion: """
    One HTML file that needs no network and no other file. It has the runs with their stages, rejects by
    reason, each release against the one before it, what the datasets say of themselves, how fresh everything is,
    the size of the tables, and the migrations. It has counts, names and codes of published reference data, and
    no record of a file. A file of that name is replaced. With --run it is about one run; as Markdown that goes
    to standard output unless -o names a file.
    """,
  options: [
    Option(
      "--output", short: "-o", value: "FILE", "the file (default rivulet-report.html); - is standard output"),
    Option("--run", value: "N", "only this run (default file rivulet-run-N.html)"),
    Option(
      "--format", value: "FORMAT", choices: ["html", "markdown", "text", "json"],
      "how the page is written; text and json: how it is said where it was written to"),
  ],
  examples: [
    "rivulet report", "rivulet report -o /srv/www/fees.html", "rivulet report --run 12 --format markdown",
  ],
  run: { try report($0, $1) })

private func report(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let run = try invocation.integer("--run", atLeast: 1)
  let isMarkdown = invocation["--format"] == "markdown"
  let usual: String? =
    run.map { isMarkdown ? nil : "rivulet-run-\($0).html" }
    ?? (isMarkdown ? "rivulet-report.md" : "rivulet-report.html")
  let path = invocation["--output"].map { $0 == "-" ? nil : $0 } ?? usual
  if path == nil, session.isJSON {
    throw invocation.usage("--format json says where the page is, and -o - writes it to standard output")
  }
  let page = try page(ofRun: run, invocation, session)
  let text = isMarkdown ? page.markdown : page.html
  let output = try OutputFile(path, newMode: OutputFile.ownersOnly)
  try output.write(text)
  try output.close()
  if let path {
    try session.answer(
      json: ["file": path, "bytes": text.utf8.count],
      text: "\(path): \(Double(text.utf8.count).bytes)\n")
  }
  return ExitCode.done
}

private func page(ofRun run: Int?, _ invocation: Invocation, _ session: Session) throws -> Page {
  let project = try session.project()
  let target = try session.target()
  let connection = try session.connect(to: target)
  try Catalog.prepare(connection)
  let origin = ReportOrigin(
    project: project.name, database: target.label, zone: project.timeZone,
    made: try LocalTimes.now(zone: project.timeZone, on: connection))
  guard let run else {
    return try ReportReader(session, connection, project).values(origin).page
  }
  let history = RunHistory(connection: connection)
  guard let found = try history.find(run) else {
    throw invocation.usage("--run: there is no run \(run); see 'rivulet runs list'")
  }
  let row = try history.detailed(found)
  let times = try LocalTimes(of: [row.startedAt, row.finishedAt], zone: project.timeZone, on: connection)
  return RunPage(row: row, times: times, origin: origin).page
}
