import Definitions
import Describing
import Host
import Pages
import PipelineCore
import PostgreSQL
import Store
import Values

let docsCommand = Command(
  name: "docs",
  summary: "Writes the data dictionary: datasets, files, tables, columns, views and rules as pages",
  discussion: """
    A folder of pages that need no network: one to search all names, and one for each dataset, table and view.
    They say what each column is, which field of which publisher's file it is from, what codes mean, how views
    are computed and why each rule is there, and draw the way from files over tables to views. They are made of
    definitions and of the database's catalog, and have no row of any table. Pages of an earlier run that are
    of nothing any more are removed; files that are no pages of this command are left alone.
    """,
  options: [
    Option("--output", short: "-o", value: "DIR", "the folder (default rivulet-docs)"),
    Option("--force", "write over files of these names that are no pages of this command"),
  ],
  examples: ["rivulet docs", "rivulet docs -o /srv/www/dictionary"], run: { try docs($0, $1) })

private func docs(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let folder = invocation["--output"] ?? "rivulet-docs"
  let project = try session.project()
  let target = try session.target()
  let connection = try session.connect(to: target)
  let dictionary = try DataDictionary.read(project.pipelines(), on: connection)
  let origin = ReportOrigin(
    project: project.name, database: target.label, zone: project.timeZone,
    made: try LocalTimes.now(zone: project.timeZone, on: connection))
  let pages = DictionaryPages(dictionary, project: project.name, origin: origin.facts).files
  let removed = try OutputFolder(folder, start: Page.start(of: DictionaryPages.generator))
    .write(pages.map { ($0.name, $0.page.html) }, replacesOthers: invocation.has("--force"))
  let first = Path.join(folder, pages.first?.name ?? "")
  let gone = removed.isEmpty ? "" : ", \(removed.count) of an earlier run removed"
  try session.answer(
    json: ["folder": folder, "index": first, "pages": pages.map(\.name), "removed": removed],
    text: "\(first): \(pages.count) pages\(gone)\n")
  return ExitCode.done
}
