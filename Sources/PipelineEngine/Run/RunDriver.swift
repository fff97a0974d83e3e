import Definitions
import Host
import PipelineCore
import PostgreSQL
import Progress
import Store

/// One run of a pipeline on one source: begun, it loads; finished, it is checked and published.
///
/// ``RunCourse`` decides what is done next; this does it, and tells the ledger.
final class RunDriver {
  private let context: RunContext
  private var course: RunCourse
  /// The loads; nil where there is nothing to load.
  private let staging: StagingStep?
  /// What the ledger is to know of the files of a run that loads nothing.
  private let newlyKnown: [SourceReport]
  private let began: Double
  private let retriesBefore: Int
  /// The rows loaded, by source, as they were recorded last.
  private var recordedLoads: [Int] = []

  /// Records the run in the ledger and starts to load, unless the same content is published already.
  /// - Throws: ``RunError`` where the ledger says that it must not be loaded, ``RunFailure`` where the run
  ///   has begun.
  init(_ found: Discovered, setting: EngineSetting) throws {
    began = Machine.seconds
    retriesBefore = setting.connections.retry.count
    let start = try RunStart(found, setting: setting)
    context = start.context
    course = start.course
    newlyKnown = start.newlyKnown
    do {
      staging = try start.sourceFileIDs.map {
        try StagingStep(start.context, $0, rejectLimit: start.settings.rejectLimit)
      }
    } catch {
      staging = nil
      defer { endProgress() }
      // Nothing else has happened: what fails here is recorded, and the run is over.
      throw fail(error)
    }
  }

  /// Waits for the rows, judges them and publishes.
  /// - Throws: ``RunFailure``; nothing is left of the run then but its line in the ledger.
  func finish() throws -> RunReport {
    defer { endProgress() }
    proceed(from: course.start(isLoading: staging != nil))
    if let failure = course.failure { throw RunFailure(report: measured, cause: failure) }
    return measured
  }

  /// Drops what was loaded because an earlier source of the same command failed.
  func cancel() {
    defer { endProgress() }
    staging?.cancel()
    _ = fail(RunError.cancelled)
  }

  private func endProgress() { context.setting.progress.end(context.progress) }

  private func fail(_ error: any Error) -> RunFailure {
    let event = Self.event(of: error, explained: context.explained)
    proceed(from: course.next(after: event, at: Machine.seconds))
    return RunFailure(report: measured, cause: course.failure ?? error)
  }

  private var measured: RunReport {
    var report = course.report
    report.seconds = context.found.seconds + Machine.seconds - began
    report.retries = context.retry.count - retriesBefore
    return report
  }

  // MARK: Actions

  private func proceed(from first: RunCourse.Action) {
    var action = first
    while action != .finish {
      let event: RunCourse.Event
      do {
        if let stage = course.clock.reports.last, stage.seconds == nil { context.progress.enter(stage.stage) }
        try recordStage()
        event = try perform(action)
      } catch {
        event = Self.event(of: error, explained: context.explained)
      }
      action = course.next(after: event, at: Machine.seconds)
    }
  }

  /// What fails after the program was asked to end fails because of that, whatever the server says of the
  /// statement that was cancelled.
  private static func event(
    of error: any Error, explained: (any Error) -> any Error
  ) -> RunCourse.Event {
    let isInterrupted = Interruption.shared.isRaised
    func cause(_ error: any Error) -> any Error { isInterrupted ? Interrupted() : explained(error) }
    switch error {
    case let failure as StagingStep.Failure:
      return .loadFailed(failure.reports, cause(failure.cause), isInterrupted: isInterrupted)
    case ReleaseOperationError.blocked: return .blocked
    default: return .failed(cause(error), isInterrupted: isInterrupted)
    }
  }

  private func perform(_ action: RunCourse.Action) throws -> RunCourse.Event {
    let check = CheckStep(context: context)
    switch action {
    case .confirm:
      if !context.plan.request.isDryRun { try publishing.updateCodeLists() }
      try recordEnd(Ledger.Entry(run: context.run, sources: newlyKnown))
      return .confirmed
    case .collect:
      let outcomes = try staging?.collect() ?? []
      context.committed = .changes
      return .loaded(outcomes)
    case .limitRejects: return .rejectsLimited(kept: try check.limitRejects(of: course.outcomes))
    case .setDuplicatesAside:
      let found = try check.setDuplicatesAside(course.outcomes)
      return .duplicatesSetAside(found.outcomes, found.gates, found.rejected)
    case .crossCheck: return .crossChecked(try CrossChecker(context).compare())
    case .check(let amends):
      let found = try check.check(
        course.outcomes, amends: amends, accepted: context.plan.request.acceptedRules)
      return .checked(found.outcomes, found.gates, found.rejected)
    case .quarantine: return .quarantined(try check.quarantine(course.rejected, of: course.outcomes))
    case .compare: return try compare()
    case .countChange:
      let counted = try publishing.countChange(since: began)
      return .changeCounted(counted.change, warning: counted.warning)
    case .publish:
      try Interruption.shared.check()
      let (state, revision) = try publishing.publish()
      return .released(state, revision: revision)
    case .keep:
      let (state, revision) = try publishing.keep()
      return .released(state, revision: revision)
    case .merge:
      try Interruption.shared.check()
      let merged = try merging.merge(course.report.sources, course.report.gates)
      return .merged(merged.merges, merged.sources, merged.gates, revision: merged.revision)
    case .drop:
      try context.retry.attempt {
        for table in context.tables.values { try table.drop(on: try context.connection) }
      }
      return .dropped
    case .recordEnd:
      let report = course.report
      try recordEnd(
        Ledger.Entry(
          run: context.run, stages: report.stages, sources: report.sources, gates: report.gates))
      return .ended
    case .recordFailure: return recordFailure()
    case .finish: return .ended
    }
  }

  private func compare() throws -> RunCourse.Event {
    let report = course.report
    guard context.destination.isMerge else {
      return .compared(try publishing.compare(), [], report.sources, report.gates)
    }
    let merged = try merging.compare(report.sources, report.gates)
    return .compared(nil, merged.merges, merged.sources, merged.gates)
  }

  private var publishing: PublishStep {
    let rows = course.report.sources.reduce(into: [:]) { $0.merge($1.targets, uniquingKeysWith: +) }
    return PublishStep(
      context: context,
      recordEnd: { [self] ledger, state, revision in
        let report = course.report
        try record(report.sources, report.gates, state, revision, on: ledger)
      }, loadedRows: rows)
  }

  private var merging: MergeStep {
    MergeStep(context: context) { [self] ledger, outcome in
      try record(outcome.sources, outcome.gates, .merged, outcome.revision, on: ledger)
    }
  }

  // MARK: The ledger

  /// Records the stage that has begun, with all that was found since the last time.
  private func recordStage() throws {
    guard course.hasNewStage else { return }
    let report = course.report
    let loaded = report.sources.map(\.loaded)
    let entry = Ledger.Entry(
      run: context.run, stages: course.clock.reports,
      // Rules may have taken rows out since.
      sources: loaded == recordedLoads ? [] : report.sources.filter(\.addsUp), gates: report.gates)
    try context.setting.connections.record { try $0.note(entry) }
    recordedLoads = loaded
    course.stageIsRecorded()
    if let stage = entry.stages.last?.stage { context.isRecorded(stage) }
  }

  /// Records how the run ends, with all that was found since the last stage. A run that is no longer at work,
  /// since another took it for dead, must not publish.
  private func record(
    _ sources: [SourceReport], _ gates: [GateReport], _ state: RunState, _ revision: Int?, on ledger: Ledger
  ) throws {
    let entry = Ledger.Entry(
      run: context.run, stages: course.stages(at: Machine.seconds), sources: sources, gates: gates,
      change: course.report.change)
    guard try ledger.end(entry, state: state, revision: revision, error: nil) else {
      throw RunError.takenOver(run: context.run)
    }
  }

  /// Records the end of a run that publishes nothing. Where the answer was lost it may have been recorded
  /// already.
  private func recordEnd(_ entry: Ledger.Entry) throws {
    let report = course.report
    try context.setting.connections.record { ledger in
      if try ledger.end(entry, state: report.state, revision: report.revision, error: nil) { return }
      guard try ledger.state(of: context.run) == report.state else {
        throw RunError.takenOver(run: context.run)
      }
    }
  }

  /// Records a failure and drops what was staged; what cannot be recorded any more is found by the next run.
  private func recordFailure() -> RunCourse.Event {
    let (report, error) = (course.report, course.failure)
    Interruption.shared.settle()
    let entry = Ledger.Entry(
      run: context.run, stages: report.stages, sources: report.sources.filter(\.addsUp), gates: report.gates)
    // By its content a file is known again that is refused.
    let hashes = report.state == .refused ? (try? context.found.files.hashesPutOff()) ?? [:] : [:]
    // A COMMIT that is still under way is waited for here, and what is recorded here keeps a later one from
    // being done.
    let done = try? context.setting.connections.recordAtOnce { ledger -> Ledger.Ended? in
      try ledger.note(hashes, run: context.run)
      let reason = error.map(Ledger.shownReason)
      if try ledger.end(entry, state: report.state, revision: nil, error: reason) { return nil }
      return try ledger.ended(run: context.run)
    }
    if let ended = done ?? nil, ended.state.isDone {
      let merges =
        (try? context.setting.connections.recordAtOnce { try $0.merges(ofRun: context.run) }) ?? []
      return .foundDone(ended.state, revision: ended.revision, ended.state == .merged ? merges : [])
    }
    for _ in 0..<2 where (try? dropStaged()) != nil { break }
    return .failureRecorded
  }

  private func dropStaged() throws {
    let connection = try context.setting.connections.main
    try connection.transaction { try Leftovers.dropStaged(run: context.run, on: connection) }
  }
}
