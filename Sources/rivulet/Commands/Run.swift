import Catalog
import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Values

let runCommand = Command(
  name: "run", summary: "Loads sources through a pipeline: stage, check, publish, refresh",
  discussion: """
    Each source (a file, archive or folder) is a release of its own. Nothing of a source is seen by readers before
    all of it is loaded and checked; the same content again is recognised and left alone. Changes of a period, and what is
    merged into plain tables, are written to rows that are published: what differs, in one transaction. Stored views that read what was
    published are refreshed at the end, once for all sources.
    """,
  arguments: [
    Argument("PIPELINE", "the pipeline, a folder under Pipelines/"),
    Argument("SOURCE", "a file, archive or folder", .oneOrMore),
  ],
  options: [
    Option("--release", value: "ID", "the release, where neither name nor content tells it"),
    LoadOptions.dryRun, LoadOptions.noPublish, ReaderRefresh.option,
    Option("--force", "load even if the same content is published already"),
    Option("--cross-check", "read each table in every format that the bundle has it in, and compare"),
    Option("--allow-gap", "merge changes although those of the days before them are missing"),
    Option("--allow-missing", "publish a bundle that lacks some of the pipeline's tables"),
    LoadOptions.accept, LoadOptions.maxRejects, LoadOptions.retries,
  ],
  examples: ["rivulet run cms-rvu RVU25D.zip", "rivulet run cms-rvu RVU25?.zip --format json"],
  run: { try run($0, $1) })

private func run(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  let requests = try invocation.arguments.dropFirst().map { try request($0, of: pipeline, invocation) }
  if requests.count > 1 && invocation.has("--release") {
    throw invocation.usage("--release names one release, but there are \(requests.count) sources")
  }
  // All sources are looked at before the database is: a wrong name among many costs nothing.
  let found = try requests.map { try Discovered($0, pipeline: pipeline) }
  let target = try session.target()
  let connection = try session.connect(to: target)
  try Catalog.prepare(connection)
  var reports: [RunReport] = []
  do {
    try load(found, through: pipeline, on: connection, to: target, invocation, session) { report in
      reports.append(report)
      if reports.count < found.count { session.tell(summary(report)) }
    }
  } catch {
    let failure = Failure(Interruption.shared.isRaised ? Interrupted() : error)
    // What was compared says why it is refused.
    let checks = ((error as? RunFailure)?.report.crossChecks ?? []).filter { $0.faults > 0 }
    guard found.count > 1 || !checks.isEmpty else { throw error }
    if found.count == 1 {
      try session.answer(
        json: .object([("cross_checks", .array(checks.map(json)))] + failure.members),
        text: checks.map(text).joined(separator: "\n"))
      throw ToldFailure(failure: failure)
    }
    for check in checks { session.tell(text(check)) }
    // Those before it stay published, and are told together with what went wrong.
    let views = refreshReaders(of: reports, pipeline, on: connection, invocation, session)
    if let failure = views.failure { session.warn(failure.message) }
    let runs = reports + [(error as? RunFailure)?.report].compactMap(\.self)
    try session.answer(
      json: .object(
        [("runs", .array(runs.map { json($0) })), ("views", views.answer.json)] + failure.members),
      text: runs.map(timed).joined(separator: "\n") + views.text)
    throw ToldFailure(failure: failure)
  }
  let views = refreshReaders(of: reports, pipeline, on: connection, invocation, session)
  if Interruption.shared.isRaised && views.failure == nil {
    session.warn("the signal came when all was done: \(reports.map(summary).joined(separator: "; "))")
  }
  do {
    if reports.count == 1 {
      try tell(reports[0], views, text: timed, session)
    } else {
      try views.tell(
        [("runs", .array(reports.map { json($0) }))], text: reports.map(timed).joined(separator: "\n"),
        session)
    }
  } catch let error where !(error is ToldFailure) {
    // Nobody can read it, and done it is.
    session.warn("what was done stays done: \(reports.map(summary).joined(separator: "; "))")
    throw error
  }
  return ExitCode.done
}

/// Refreshes what reads the releases that runs have published, or had published before they were ended in between.
func refreshReaders(
  of reports: [RunReport], _ pipeline: Pipeline, on connection: Connection, _ invocation: Invocation,
  _ session: Session
) -> ReaderRefresh {
  let published = reports.filter { [.published, .merged, .unchanged].contains($0.state) }
  let names = published.map { [$0.pipeline, $0.release].compactMap(\.self).joined(separator: " ") }
  return ReaderRefresh(
    of: published.isEmpty ? nil : pipeline,
    after: names.joined(separator: ", ") + (names.count == 1 ? " is " : " are ")
      + (published.contains { $0.state == .published } ? "published" : "merged"),
    on: connection, invocation, session)
}

/// Answers with one run and the views that were refreshed after it.
func tell(_ report: RunReport, _ views: ReaderRefresh, text: (RunReport) -> String, _ session: Session) throws
{
  guard case .object(let members) = json(report, views) else { return }
  try views.tell(members.filter { $0.0 != "views" }, text: text(report), session)
}

func warn(of report: RunReport, _ session: Session) {
  for source in report.sources {
    for warning in source.warnings { session.warn("\(source.source): \(warning)") }
  }
  for gate in report.gates where gate.isOdd {
    session.warn(gate.telling)
  }
  warn(ofRejects: report, session)
}

private func request(
  _ source: String, of pipeline: Pipeline, _ invocation: Invocation
) throws -> RunRequest {
  var request = try LoadOptions.request(source, of: pipeline, invocation)
  request.release = invocation["--release"]
  request.allowsGap = invocation.has("--allow-gap")
  request.allowsMissing = invocation.has("--allow-missing")
  request.crossChecks = invocation.has("--cross-check")
  return request
}

/// A run as scripts rely on it.
func json(_ report: RunReport, _ views: ReaderRefresh? = nil) -> JSON {
  .object([
    ("run", .integer(report.run)), ("pipeline", .string(report.pipeline)), ("release", JSON(report.release)),
    ("revision", JSON(report.revision)), ("state", .string(report.state.rawValue)),
    (
      "sources",
      .array(
        report.sources.map { source in
          .object([
            ("file", .string(source.file)), ("entry", JSON(source.entry)),
            ("source", .string(source.source)), ("sha256", known(source.sha256)),
            ("bytes", count(source.bytes, of: source)), ("layout", known(source.layout)),
            ("encoding", known(source.encoding)),
            ("records_read", count(source.read, of: source)),
            ("records_loaded", count(source.loaded, of: source)),
            ("records_rejected", count(source.rejected, of: source)),
            ("records_skipped", count(source.skipped, of: source)),
            ("skipped_by", .counts(source.skippedBy)), ("targets", .counts(source.targets)),
            ("warnings", .array(source.warnings.map { .string($0) })),
          ])
        })
    ),
    ("warnings", .array(report.warnings.map { .string($0) })),
    (
      "stages",
      .array(
        report.stages.map {
          .object([
            ("stage", .string($0.stage)), ("seconds", $0.seconds.map(JSON.seconds) ?? .null),
            ("records", JSON($0.records)), ("records_per_second", JSON($0.recordsPerSecond)),
          ])
        }
          + (views?.stage ?? []).map {
            .object([
              ("stage", .string($0.name)), ("seconds", .seconds($0.seconds)), ("records", .null),
              ("records_per_second", .null),
            ])
          })
    ),
    (
      "gates",
      .array(
        report.gates.map {
          .object([
            ("rule", .string($0.rule)), ("severity", .string($0.severity.rawValue)),
            ("passed", .bool($0.passed)), ("found", .integer($0.found)),
            ("about", .string($0.about)), ("accepted", .bool($0.isAccepted)),
          ])
        })
    ),
    ("merges", .array(report.merges.map(json))),
    ("rejects", json(report.rejects)), ("differences", report.differences.map(json) ?? .null),
    ("change", report.change.map(json) ?? .null),
    ("views", views?.answer.json ?? .array([])),
    ("cross_checks", .array(report.crossChecks.map(json))),
    ("seconds", .seconds(report.seconds)), ("retries", .integer(report.retries)),
  ])
}

/// What merging did to a table.
private func json(_ merge: MergeReport) -> JSON {
  .object([
    ("source", .string(merge.source)), ("target", .string(merge.target)),
    ("period_from", JSON(merge.period?.from)), ("period_to", JSON(merge.period?.to)),
    ("inserted", .integer(merge.inserted)), ("updated", .integer(merge.updated)),
    ("deleted", .integer(merge.deleted)), ("unchanged", .integer(merge.unchanged)),
  ])
}

/// What merging did to tables, or would do, for people.
private func text(_ merges: [MergeReport]) -> String {
  var table = TextTable([
    ("table", .left), ("inserted", .right), ("updated", .right), ("deleted", .right), ("unchanged", .right),
  ])
  for merge in merges {
    table.add(
      [merge.target] + [merge.inserted, merge.updated, merge.deleted, merge.unchanged].map(\.grouped))
  }
  let period = merges.compactMap(\.period).first.map { from, to in
    "changes of \(from == to ? from : "\(from) to \(to)")\n"
  }
  return (period ?? "") + table.text
}

/// A number that is null where a source was not read to its end.
private func count(_ number: Int, of source: SourceReport) -> JSON {
  source.isCounted ? .integer(number) : .null
}

/// A text that is null where it is not known.
private func known(_ text: String) -> JSON { text.isEmpty ? .null : .string(text) }

/// A run in a line.
func summary(_ report: RunReport) -> String {
  let name = [report.pipeline, report.release].compactMap(\.self).joined(separator: " ")
  return
    "run \(report.run): \(name)\(report.revision.map { " revision \($0)" } ?? "") is \(report.state.rawValue)"
}

/// The tables that rows went to: the source's own, and how many of its children's.
private func targets(_ source: SourceReport) -> String {
  // Its own has a row for each record.
  let own = source.targets.keys.filter { source.targets[$0] == source.loaded }.sorted()
  let names = own + source.targets.keys.filter { !own.contains($0) }
  guard let first = names.first else { return "" }
  return names.count > 1 ? "\(first) and \(names.count - 1) more" : first
}

/// A run that has just ended, for people.
private func timed(_ report: RunReport) -> String {
  text(report) + "\(JSON.seconds(report.seconds).text) s\n"
}

/// A run for people.
func text(_ report: RunReport) -> String {
  var table = TextTable([
    ("source", .left), ("entry", .left), ("read", .right), ("loaded", .right), ("rejected", .right),
    ("skipped", .right), ("target", .left),
  ])
  for source in report.sources {
    table.add(
      [
        source.source, source.entry ?? Path.name(source.file),
      ]
        + (source.isCounted
          ? [source.read, source.loaded, source.rejected, source.skipped].map(\.grouped)
          : ["?", "?", "?", "?"]) + [targets(source)])
  }
  var lines = summary(report) + "\n" + (table.isEmpty ? "" : "\n" + table.text)
  let skips = report.sources.reduce(into: [:]) { $0.merge($1.skippedBy, uniquingKeysWith: +) }
  if !skips.isEmpty {
    let rules = skips.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.grouped)" }
    lines += "\nskipped by rule: \(rules.joined(separator: ", "))\n"
  }
  for check in report.crossChecks { lines += "\n" + text(check) }
  if let change = report.change { lines += "\n" + text(change) }
  if !report.merges.isEmpty {
    lines += (report.state == .dryRun ? "\nwould be merged:\n" : "\nmerged:\n") + text(report.merges)
  } else if let differences = report.differences {
    lines += "\n" + text(differences) + "\n"
  } else if report.state == .dryRun {
    lines += "\nnothing is published that it could be compared with\n"
  }
  return lines
}
