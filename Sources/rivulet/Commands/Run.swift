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
    Argument("SOURCE", "a file, archive or folder; an address, or - for standard input", .oneOrMore),
  ],
  options: [
    Option(
      "--release", value: "ID",
      "the release, where neither name nor content tells it; with --force in place of what they tell"),
    Option(
      "--as", value: "SOURCE=FILE", isRepeatable: true,
      "the file, or the entry of SOURCE, that a source of the pipeline is read from, whatever it is called"),
    LoadOptions.dryRun, LoadOptions.noPublish, ReaderRefresh.option,
    Option("--force", "load even if the same content is published already"),
    Option("--cross-check", "read each table in every format that the bundle has it in, and compare"),
    Option("--allow-gap", "merge changes although those of the days before them are missing"),
    Option("--allow-missing", "publish a bundle that lacks some of the pipeline's tables"),
    LoadOptions.accept, LoadOptions.maxRejects, LoadOptions.retries, CommandMetrics.option,
    Lineage.option,
  ],
  examples: [
    "rivulet run cms-rvu RVU25D.zip", "rivulet run cms-rvu RVU25?.zip --format json",
    "rivulet run cms-rvu downloads --as pprrvu=downloads/rvu.csv",
  ],
  explain: { missingPipeline($0, $1) },
  run: { try run($0, $1) })

private func run(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  if let error = missingPipeline(invocation, session) { throw error }
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  session.work(on: pipeline.name)
  let given = try GivenSources(Array(invocation.arguments.dropFirst()), invocation, session)
  defer { withExtendedLifetime(given) {} }
  let requests = try given.all.map { try request($0, of: pipeline, invocation) }
  if requests.count > 1 && invocation.has("--release") {
    throw invocation.usage("--release names one release, but there are \(requests.count) sources")
  }
  let (found, target, connection) = try session.tracing(pipeline) {
    // All sources are looked at before the database is: a wrong name among many costs nothing.
    let (found, warnings) = try Discovered.distinct(Discovered.all(requests, pipeline: pipeline))
    for warning in warnings { session.warn(warning) }
    let target = try session.target()
    let connection = try session.connect(to: target)
    try Catalog.prepare(connection)
    return (found, target, connection)
  }
  var reports: [RunReport] = []
  do {
    try load(found, through: pipeline, on: connection, to: target, invocation, session) { report in
      reports.append(report)
      if reports.count < found.count { session.tell(runSummary(report), about: LogSubject(report)) }
    }
  } catch {
    let failure = Failure(Interruption.shared.isRaised ? Interrupted() : session.explaining(error))
    // What was compared says why it is refused.
    let checks = ((error as? RunFailure)?.report.crossChecks ?? []).filter { $0.faults > 0 }
    guard found.count > 1 || !checks.isEmpty else { throw error }
    if found.count == 1 {
      try session.fail(
        failure, json: ["cross_checks": checks],
        text: ConsoleText(checks.map(text).joined(separator: "\n")))
    }
    for check in checks { session.tell(text(check)) }
    // Those before it stay published, and are reported together with what went wrong.
    let views = refreshReaders(of: reports, pipeline, on: connection, invocation, session)
    if let failure = views.failure { session.warn(failure.message) }
    let runs = reports + [(error as? RunFailure)?.report].compactMap(\.self)
    try session.fail(
      failure, json: ["runs": runs, "views": views.answer.refreshes],
      text: runs.map(timed).joined(separator: "\n") + views.text)
  }
  let views = refreshReaders(of: reports, pipeline, on: connection, invocation, session)
  if Interruption.shared.isRaised && views.failure == nil {
    session.warn("the signal came when all was done: \(reports.map(runSummary).joined(separator: "; "))")
  }
  do {
    if reports.count == 1 {
      try tell(reports[0], views, text: timed, session)
    } else {
      try views.tell(
        ["runs": reports, "views": views.answer.refreshes],
        text: reports.map(timed).joined(separator: "\n"), session)
    }
  } catch let error where !(error is ReportedFailure) {
    // Nobody can read it, and done it is.
    session.warn("what was done stays done: \(reports.map(runSummary).joined(separator: "; "))")
    throw error
  }
  return ExitCode.done
}

/// Refreshes what reads the releases that runs have published, or had published before they were ended in
/// between.
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
func tell(
  _ report: RunReport, _ views: ReaderRefresh, text: (RunReport) -> ConsoleText, _ session: Session
) throws {
  let document = report.json(views: views.answer.refreshes.json, refresh: views.stages)
  try views.tell(document, text: text(report), session)
}

func warn(of report: RunReport, _ session: Session) {
  for source in report.sources {
    for warning in source.warnings { session.warn("\(source.source): \(warning)", about: LogSubject(report)) }
  }
  for gate in report.gates where gate.isOdd {
    session.warn(gate.telling, about: LogSubject(report))
  }
  warn(ofRejects: report, session)
}

/// What to say where a file is named in the place of the pipeline: which pipelines it fits.
private func missingPipeline(_ invocation: Invocation, _ session: Session) -> UsageError? {
  guard let file = invocation.arguments.first, Files.exists(file), let project = try? session.project(),
    let names = try? project.pipelineNames, !names.contains(file)
  else { return nil }
  let pipelines = names.compactMap { try? project.pipeline(named: $0) }
  let fitting = Discovered.fitting(file, among: pipelines).map(\.name)
  let files = invocation.arguments.joined(separator: " ")
  let advice =
    switch fitting.count {
    case 0: "and none of the project's pipelines fits '\(file)': 'rivulet pipelines list' lists them"
    case 1: "'\(file)' fits '\(fitting[0])': rivulet run \(fitting[0]) \(files)"
    default:
      "'\(file)' fits \(fitting.map { "'\($0)'" }.joined(separator: ", ")): rivulet run PIPELINE \(files)"
    }
  return invocation.usage("PIPELINE is missing\(fitting.isEmpty ? ", " : ": ")\(advice)")
}

private func request(
  _ source: GivenSources.Given, of pipeline: Pipeline, _ invocation: Invocation
) throws -> RunRequest {
  var request = try LoadOptions.request(source.name, of: pipeline, invocation)
  request.location = source.path
  request.release = invocation["--release"]
  request.assigned = try assigned(in: source, of: pipeline, invocation)
  request.allowsGap = invocation.has("--allow-gap")
  request.allowsMissing = invocation.has("--allow-missing")
  request.crossChecks = invocation.has("--cross-check")
  return request
}

/// The files in a source of the command, or beside it, that the user says to carry sources of the pipeline;
/// where the command has several sources, each such file is one of them.
private func assigned(
  in source: GivenSources.Given, of pipeline: Pipeline, _ invocation: Invocation
) throws -> [(source: String, file: String)] {
  let all = try invocation.all("--as").map { text in
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw invocation.usage("--as takes SOURCE=FILE, not '\(text)'") }
    guard pipeline.source(named: parts[0]) != nil else {
      let hint = NearestName.hint(parts[0], among: pipeline.sources.map(\.name), called: "it has")
      throw invocation.usage(
        "\(pipeline.name) has no source '\(parts[0])'" + (hint.map { "; \($0)" } ?? ""))
    }
    // What came from elsewhere is named as it was given, and known by another name.
    return (source: parts[0], file: parts[1] == source.argument ? source.name : parts[1])
  }
  let given = invocation.arguments.dropFirst()
  guard given.count > 1 else { return all }
  if let other = all.first(where: { $0.file != source.name && !given.contains($0.file) }) {
    throw invocation.usage(
      "--as names '\(other.file)', which is none of the \(given.count) sources: put them into one folder")
  }
  return all.filter { $0.file == source.name }
}
