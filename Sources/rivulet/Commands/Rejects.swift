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
        Option("--force", "write over files of these names"),
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
        LoadOptions.accept, LoadOptions.maxRejects, LoadOptions.retries, CommandMetrics.option,
        Lineage.option,
      ],
      examples: ["rivulet rejects replay 12 fixed.csv"], run: { try replay($0, $1) }),
  ])

private func list(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let limit = try invocation.integer("--limit", atLeast: 1) ?? 20
  let connection = try session.connectToLedger()
  let report = try session.run(invocation, on: connection).report
  let history = RejectHistory(connection: connection)
  let counts = try history.counts(ofRun: report.run)
  let reasons = try history.reasons(ofRun: report.run)
  let rows = try history.list(ofRun: report.run, limit: limit)
  try session.answer(
    json: [
      "run": report.run, "records_rejected": counts.refused, "records_kept": counts.kept,
      "reasons": JSON.array(of: reasons) {
        [
          "source": $0.source, "entry": $0.entry, "rule": $0.rule, "column": $0.column,
          "records": $0.records,
        ]
      },
      "rejects": JSON.array(of: rows) {
        [
          "source": $0.source, "file": $0.file, "entry": $0.entry, "line": $0.line,
          "byte_offset": $0.byteOffset, "column": $0.column, "rule": $0.rule, "value": $0.value,
        ]
      },
    ], text: text(report, counts, reasons, rows))
  return ExitCode.done
}

private func text(
  _ report: RunReport, _ counts: (refused: Int, kept: Int), _ reasons: [RejectReason], _ rows: [RejectRow]
) -> ConsoleText {
  guard !reasons.isEmpty else { return "run \(report.run) has refused no record\n" }
  let summary = TextTable(
    [.right("records"), "source", "entry", "column", "rule"],
    reasons.map { [$0.records.grouped, $0.source, $0.entry ?? Path.name($0.file), $0.column, $0.rule] })
  let records = TextTable(
    ["source", "entry", .right("line"), .right("byte offset"), "column", "rule", "value"],
    rows.map {
      [
        $0.source, $0.entry ?? Path.name($0.file), "\($0.line)", "\($0.byteOffset)", $0.column, $0.rule,
        $0.value.map { "'\($0)'" },
      ]
    })
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
  let connection = try session.connectToLedger()
  let report = try session.run(invocation, on: connection).report
  let files = try RejectExport(connection: connection).write(
    run: report.run, to: path, source: invocation["--source"], replacesFiles: invocation.has("--force"))
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
    json: [
      "run": report.run,
      "files": JSON.array(of: files) {
        [
          "file": $0.file, "source": $0.source, "entry": $0.entry, "records": $0.records,
          "missing": $0.missing,
        ]
      },
    ],
    text: files.map { "\($0.file): \($0.records.grouped) records of \($0.entry)\n" }.joined())
  return ExitCode.done
}

private func replay(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let path = invocation.arguments[1]
  guard Files.exists(path) else { throw FileError.missing(path) }
  let target = try session.target()
  let connection = try session.connect(to: target)
  try Catalog.prepare(connection)
  let earlier = try session.run(invocation, on: connection).report
  guard let release = earlier.release else { throw ReplayError.nothingRefused(run: earlier.run) }
  let pipeline = try session.project().pipeline(named: earlier.pipeline)
  session.work(on: pipeline.name)
  let request = try LoadOptions.request(path, of: pipeline, invocation)
  let engine = try LoadOptions.engine(pipeline, on: connection, to: target, invocation, session)
  let lineage = try session.lineage()
  var load: LineageLoad?
  let report: RunReport
  do {
    report = try session.showing(engine.progress) {
      try engine.replay(
        earlier.run, release: release, request, lockWait: try session.lockWait(),
        began: { found in
          guard let lineage else { return }
          load = LineageLoad(
            found, through: pipeline, named: pipeline.name + ".replay", on: connection, at: target, lineage)
          load?.start()
        })
    }
  } catch {
    session.record.add(error)
    load?.end((error as? RunFailure)?.report, error)
    throw error
  }
  load?.end(report)
  session.record.add(report)
  warn(of: report, session)
  let views = refreshReaders(of: [report], pipeline, on: connection, invocation, session)
  try tell(report, views, text: text, session)
  return ExitCode.done
}
