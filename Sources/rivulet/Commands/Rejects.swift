import Catalog
import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Store
import Values

let rejectsCommand = Command(
  name: "rejects",
  summary: "Lists the records that a run refused, writes them out, loads them corrected",
  examples: [
    "rivulet rejects list 12", "rivulet rejects export 12 -o fixed.csv",
    "rivulet rejects replay 12 fixed.csv",
  ],
  subcommands: [
    Command(
      name: "list", summary: "Lists why records were refused, and where they are",
      discussion: """
        The reasons come first, with exact counts, then the records. Values are shown where the layout has no sensitive
        column.
        """,
      arguments: [Argument("RUN", "the run's number")],
      options: [Option("--limit", value: "N", "how many records (default 20)")],
      examples: ["rivulet rejects list 12 --limit 100 --format json"], run: { try list($0, $1) }),
    Command(
      name: "export", summary: "Writes the refused records in the format of their source",
      discussion: """
        A csv has the source's own header and records, and before them the column rivulet_reason, which may stay: it is
        left out when the file is read. So it is of a workbook. A txt has the lines as they were, and FILE.reasons.csv
        says what is wrong with each. Where several entries have refused records, FILE is a folder that is made, with a
        file for each entry, named as the entry. Nobody but you can read the files.
        """,
      arguments: [Argument("RUN", "the run's number")],
      options: [
        Option(
          "--output", short: "-o", value: "FILE", "the file, or the folder where several entries have records"
        ),
        Option("--source", value: "NAME", "only the records of this source"),
      ],
      examples: ["rivulet rejects export 12 -o fixed.csv"], run: { try export($0, $1) }),
    Command(
      name: "replay", summary: "Adds corrected records to the release whose run refused them",
      discussion: """
        The records of FILE are loaded, checked and published like those of 'run', together with the rows that the
        release has: they become a new revision of it, or nothing changes. RUN must be the run whose revision is
        published now. What is refused again can be exported and replayed again. Where several entries had refused
        records, FILE is the folder that 'export' made.
        """,
      arguments: [
        Argument("RUN", "the run's number"),
        Argument("FILE", "the corrected records, as 'export' writes them"),
      ],
      options: [
        LoadOptions.dryRun, LoadOptions.noPublish, ReaderRefresh.option,
        Option("--force", "load even if the same records were added already"),
        LoadOptions.accept, LoadOptions.maxRejects, LoadOptions.retries,
      ],
      examples: ["rivulet rejects replay 12 fixed.csv"], run: { try replay($0, $1) }),
  ])

/// The run that the command line names, as the ledger has it.
private func run(_ invocation: Invocation, on connection: Connection) throws -> RunRow {
  guard let number = Int(invocation.arguments[0]) else {
    throw invocation.usage("RUN is a run's number, not '\(invocation.arguments[0])'")
  }
  try Catalog.prepare(connection)
  guard let row = try RunHistory(connection: connection).find(number) else {
    throw invocation.usage("there is no run \(number); see 'rivulet runs list'")
  }
  return row
}

private func list(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let limit = try invocation.integer("--limit", atLeast: 1) ?? 20
  let connection = try session.connect()
  let report = try run(invocation, on: connection).report
  let history = RejectHistory(connection: connection)
  let counts = try history.counts(ofRun: report.run)
  let reasons = try history.reasons(ofRun: report.run)
  let rows = try history.list(ofRun: report.run, limit: limit)
  try session.answer(
    json: .object([
      ("run", .integer(report.run)), ("records_rejected", .integer(counts.refused)),
      ("records_kept", .integer(counts.kept)),
      (
        "reasons",
        .array(
          reasons.map {
            .object([
              ("source", .string($0.source)), ("entry", JSON($0.entry)), ("rule", .string($0.rule)),
              ("column", JSON($0.column)), ("records", .integer($0.records)),
            ])
          })
      ), ("rejects", .array(rows.map(json))),
    ]), text: text(report, counts, reasons, rows))
  return ExitCode.done
}

private func json(_ row: RejectRow) -> JSON {
  .object([
    ("source", .string(row.source)), ("file", .string(row.file)), ("entry", JSON(row.entry)),
    ("line", .integer(row.line)), ("byte_offset", .integer(row.byteOffset)), ("column", JSON(row.column)),
    ("rule", .string(row.rule)), ("value", JSON(row.value)),
  ])
}

private func text(
  _ report: RunReport, _ counts: (refused: Int, kept: Int), _ reasons: [RejectReason], _ rows: [RejectRow]
) -> String {
  guard !reasons.isEmpty else { return "run \(report.run) has refused no record\n" }
  var summary = TextTable([
    ("records", .right), ("source", .left), ("entry", .left), ("column", .left), ("rule", .left),
  ])
  for reason in reasons {
    summary.add([
      reason.records.grouped, reason.source, reason.entry ?? Path.name(reason.file), reason.column,
      reason.rule,
    ])
  }
  var records = TextTable([
    ("source", .left), ("entry", .left), ("line", .right), ("byte offset", .right), ("column", .left),
    ("rule", .left), ("value", .left),
  ])
  for row in rows {
    records.add([
      row.source, row.entry ?? Path.name(row.file), "\(row.line)", "\(row.byteOffset)", row.column, row.rule,
      row.value.map { "'\($0)'" },
    ])
  }
  let kept =
    counts.kept < counts.refused
    ? "\(counts.refused.grouped) records were refused, of which the first \(counts.kept.grouped) are kept\n"
    : ""
  let rest = counts.kept - rows.count
  return summary.text + "\n" + kept + records.text
    + (rest > 0 ? "and \(rest.grouped) more: --limit N, or 'rivulet rejects export'\n" : "")
}

private func export(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  guard let path = invocation["--output"] else { throw invocation.usage("-o FILE is missing") }
  let connection = try session.connect()
  let report = try run(invocation, on: connection).report
  // Of a pipeline that is gone nothing more is known than that lists have commas.
  let sources = (try? session.project().pipeline(named: report.pipeline))?.sources ?? []
  let files = try RejectExport(connection: connection, sources: sources).write(
    run: report.run, to: path, source: invocation["--source"])
  guard !files.isEmpty else {
    let source = invocation["--source"].map { " of \($0)" } ?? ""
    throw invocation.usage("run \(report.run) has refused no record\(source), so there is nothing to export")
  }
  for file in files where file.missing > 0 {
    session.warn(
      "\(file.missing.grouped) of the \((file.records + file.missing).grouped) refused records of \(file.entry) are "
        + "missing in \(file.file): they were too many to be kept")
  }
  try session.answer(
    json: .object([
      ("run", .integer(report.run)),
      (
        "files",
        .array(
          files.map {
            .object([
              ("file", .string($0.file)), ("source", .string($0.source)), ("entry", .string($0.entry)),
              ("records", .integer($0.records)), ("missing", .integer($0.missing)),
            ])
          })
      ),
    ]),
    text: files.map { "\($0.file): \($0.records.grouped) records of \($0.entry)\n" }.joined())
  return ExitCode.done
}

private func replay(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let path = invocation.arguments[1]
  guard Files.exists(path) else { throw FileError.missing(path) }
  let target = try session.target()
  let connection = try session.connect(to: target)
  let earlier = try run(invocation, on: connection).report
  guard let release = earlier.release else { throw ReplayError.nothingRefused(run: earlier.run) }
  let pipeline = try session.project().pipeline(named: earlier.pipeline)
  let request = try LoadOptions.request(path, of: pipeline, invocation)
  let engine = try LoadOptions.engine(pipeline, on: connection, to: target, invocation, session)
  let line = session.showProgress(engine.progress)
  defer { line?.end() }
  let report = try engine.replay(
    earlier.run, release: release, request, lockWait: try session.lockWait())
  line?.end()
  warn(of: report, session)
  let views = refreshReaders(of: [report], pipeline, on: connection, invocation, session)
  try tell(report, views, text: text, session)
  return ExitCode.done
}
