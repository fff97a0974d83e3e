import Definitions
import Host
import PipelineCore
import Values

let nightlyCommand = Command(
  name: "nightly", summary: "Loads what is new in the watched folders, refreshes views, tidies up, checks",
  discussion: """
    In this order and under one lock: new releases are fetched from publishers; the new files of the folders that rivulet.yaml names are loaded, each as 'run' would
    load it; every view that is behind is refreshed; what is kept no longer is removed; releases, views and schema are
    looked at. What fails in one step does not keep the others from their work. The exit code is that of the most
    serious problem: 1 failed, 2 a definition is wrong, 3 refused, 6 missing, 4 held by others, 5 out of date. Where there
    is one, those hear of it whom rivulet.yaml names: a program ('notify'), mailboxes ('mail'), a web server ('post');
    where there is none, 'heartbeat' is called.
    """,
  options: [LoadOptions.retries, CommandMetrics.option, Lineage.option],
  examples: ["rivulet nightly", "rivulet nightly --format json --lock-wait 600"],
  run: { try nightly($0, $1) })

extension LineageRun {
  /// A night, which was due now.
  fileprivate init(nightIn lineage: Lineage) {
    self.init(
      nightlyCommand.name, in: lineage.namespace, job: ["jobType": LineageFacet.jobType("NIGHTLY")],
      nominalTime: Machine.preciseTime, to: lineage.sink)
  }
}

extension NightlySummary {
  /// How the night ended, for events of lineage.
  fileprivate var lineageEnd: LineageRun.End {
    if isCutShort { return .abort }
    return problems.first.map { .fail($0.message) } ?? .complete
  }
}

private func nightly(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  // What is wrong with the command line is said before anything is done.
  _ = (try invocation.integer("--retries"), try session.lockWait())
  let job = try NightlyJob(invocation, session)
  let lineage = try session.lineage()
  let night = lineage.map { LineageRun(nightIn: $0) }
  lineage?.parent = night
  night?.start()
  let summary: NightlySummary
  do {
    summary = try job.run()
  } catch {
    night?.end(Lineage.end(error))
    throw error
  }
  night?.end(summary.lineageEnd)
  session.record.night = summary
  session.work(on: nil)
  NightlyEnd(summary: summary, project: job.project, session: session).announce()
  do {
    try session.answer(json: summary.json, text: summary.text)
  } catch let error where summary.exitCode != ExitCode.done {
    // What went wrong has been said when it did.
    session.warn(Failure(error).message)
  }
  return summary.exitCode
}
