import Definitions

extension RunCourse {
  /// The first action.
  ///
  /// `isLoading`: false where the same content is published already, and nothing is loaded.
  package func start(isLoading: Bool) -> Action { isLoading ? .collect : .confirm }

  /// Takes what came of an action, and gives the next one.
  ///
  /// `now`: seconds of the machine's clock.
  package mutating func next(after event: Event, at now: Double) -> Action {
    switch event {
    case .confirmed:
      report.stages = clock.reports
      return .finish
    case .loaded(let outcomes): return loaded(outcomes, at: now)
    case .rejectsLimited(let kept): return fail(tooManyRejects(kept: kept), isInterrupted: false, at: now)
    case .duplicatesSetAside(let outcomes, let gates, let rejected):
      (self.outcomes, gatesOfDuplicates, self.rejected) = (outcomes, gates, rejected)
      // What the bundle has is compared before it is amended.
      guard settings.crossChecks, haveKeys else { return check(at: now) }
      begin("cross-check", at: now)
      return .crossCheck
    case .crossChecked(let checks):
      report.crossChecks = checks
      return check(at: now)
    case .checked(let outcomes, let gates, let rejected):
      self.outcomes = outcomes
      report.gates = (report.crossChecks.map(\.gate) + gatesOfDuplicates + gates).map {
        $0.accepted(settings.acceptedRules)
      }
      self.rejected += rejected
      return .quarantine
    case .quarantined(let outcomes): return judge(outcomes, at: now)
    case .compared(let differences, let merges, let sources, let gates):
      (report.differences, report.merges) = (differences, merges)
      (report.sources, report.gates) = (sources, gates)
      return .drop
    case .changeCounted(let change, let warning):
      report.change = change
      if let warning, !report.sources.isEmpty { report.sources[0].warnings.append(warning) }
      begin("publish", at: now)
      return settings.publishes ? .publish : .keep
    case .blocked:
      // What was loaded and checked is kept, for another try that needs no loading.
      if settings.isMerge {
        return fail(RunError.mergeBlocked(pipeline: report.pipeline), isInterrupted: false, at: now)
      }
      return .keep
    case .released(let state, let revision):
      (report.state, report.revision) = (state, revision)
      return done(at: now)
    case .merged(let merges, let sources, let gates, let revision):
      (report.merges, report.sources, report.gates) = (merges, sources, gates)
      (report.state, report.revision) = (.merged, revision)
      return done(at: now)
    case .dropped:
      report.state = settings.isDryRun ? .dryRun : .unchanged
      report.revision = settings.isDryRun ? nil : settings.comparedRevision
      clock.stop(at: now)
      report.stages = clock.reports
      return .recordEnd
    case .ended: return .finish
    case .failed(let error, let isInterrupted): return fail(error, isInterrupted: isInterrupted, at: now)
    case .loadFailed(let sources, let error, let isInterrupted):
      report.sources = sources
      return fail(error, isInterrupted: isInterrupted, at: now)
    case .failureRecorded: return .finish
    case .foundDone(let state, let revision, let merges):
      (report.state, report.revision, report.merges) = (state, revision, merges)
      failure = nil
      return done(at: now)
    }
  }

  /// The stage that began last is recorded.
  package mutating func stageIsRecorded() { hasNewStage = false }

  /// The stages as if the running one ended now.
  package func stages(at now: Double) -> [StageReport] { clock.reports(endedAt: now) }

  // MARK: Steps

  private mutating func begin(_ stage: String, at now: Double) {
    clock.start(stage, at: now)
    hasNewStage = true
  }

  private mutating func loaded(_ outcomes: [LoadOutcome], at now: Double) -> Action {
    self.outcomes = outcomes
    unknownKinds.warn(in: &self.outcomes)
    report.sources = self.outcomes.flatMap(\.reports)
    report.rejects = RejectReason.ordered(outcomes.flatMap(\.reasons))
    if let began = outcomes.map(\.began).min() { clock.waited(until: began) }
    clock.count(report.sources.reduce(0) { $0 + $1.read })
    if let refusal = refusalOfSums() { return fail(refusal, isInterrupted: false, at: now) }
    return hasTooManyRejects ? .limitRejects : .setDuplicatesAside
  }

  private mutating func check(at now: Double) -> Action {
    begin("check", at: now)
    return .check(amends: haveKeys)
  }

  /// Judges what rules have found, once the rejected records are kept.
  private mutating func judge(_ outcomes: [LoadOutcome], at now: Double) -> Action {
    self.outcomes = outcomes
    report.rejects = RejectReason.ordered(outcomes.flatMap(\.reasons))
    report.sources = outcomes.flatMap(\.reports)
    if let refusal = refusalOfSums() { return fail(refusal, isInterrupted: false, at: now) }
    if !rejected.isEmpty, hasTooManyRejects { return .limitRejects }
    let failed = report.gates.filter(\.refuses)
    guard failed.isEmpty else { return fail(RunError.gatesFailed(failed), isInterrupted: false, at: now) }
    // A download that has failed must not replace what is there.
    guard settings.isReplay || report.sources.contains(where: { $0.loaded + $0.rejected > 0 }) else {
      return fail(RunError.nothingLoaded, isInterrupted: false, at: now)
    }
    return conclude(at: now)
  }

  private mutating func conclude(at now: Double) -> Action {
    if settings.isDryRun {
      begin("compare", at: now)
      return .compare
    }
    if settings.isCompared { return .drop }
    if settings.isMerge {
      begin("publish", at: now)
      return .merge
    }
    if settings.countsChange {
      begin("compare", at: now)
      return .countChange
    }
    begin("publish", at: now)
    return settings.publishes ? .publish : .keep
  }

  /// Ends a run that has done what it could: what was to be published and is only kept is a failure.
  private mutating func done(at now: Double) -> Action {
    clock.stop(at: now)
    report.stages = clock.reports
    if settings.publishes, report.state == .staged {
      failure = RunError.publishBlocked(pipeline: report.pipeline, release: report.release ?? "")
    }
    return .finish
  }

  private mutating func fail(_ error: any Error, isInterrupted: Bool, at now: Double) -> Action {
    // What fails once more as it is recorded fails for the same reason.
    guard failure == nil else { return .finish }
    failure = error
    report.state = isInterrupted ? .interrupted : RunError.refuses(error) ? .refused : .failed
    report.revision = nil
    report.merges = []
    report.stages = clock.reports
    return .recordFailure
  }

  // MARK: Verdicts

  /// Tables without their keys are refused by the rules, and are not amended.
  private var haveKeys: Bool { outcomes.allSatisfy { $0.duplicateKeys.values.allSatisfy { $0 == 0 } } }

  private func refusalOfSums() -> RunError? {
    for outcome in outcomes {
      if let refusal = outcome.refusalOfSums { return refusal }
    }
    return nil
  }

  private var hasTooManyRejects: Bool {
    let (read, rejected) = report.sources.records
    return !settings.rejectLimit.allows(rejected: rejected, of: read)
  }

  private func tooManyRejects(kept: Int) -> RunError {
    let (read, rejected) = report.sources.records
    return .tooManyRejects(
      rejected: rejected, read: read, limit: settings.rejectLimit.description, kept: kept,
      reasons: report.rejects)
  }
}
