import Definitions
import PipelineCore
import Testing

@Suite("The course of a run")
struct RunCourseTests {
  private let pipeline: Pipeline
  private let source: Source

  init() throws {
    pipeline = try Known.pipeline("cms-rvu")
    source = pipeline.sources[0]
  }

  private func course(_ change: (inout RunCourse.Settings) -> Void = { _ in }) -> RunCourse {
    var settings = RunCourse.Settings()
    change(&settings)
    var clock = StageClock()
    clock.start("stage", at: 0)
    return RunCourse(
      RunReport(run: 7, pipeline: "cms-rvu", release: "2025D", revision: nil, state: .running), settings,
      pipeline: pipeline, clock: clock)
  }

  /// A course that was led to its verdict: all rows loaded, nothing found.
  private func judged(
    _ change: (inout RunCourse.Settings) -> Void = { _ in }, gates: [GateReport] = []
  ) -> (RunCourse, RunCourse.Action) {
    var course = course(change)
    let outcomes = [Known.outcome(source)]
    _ = course.next(after: .loaded(outcomes), at: 1)
    _ = course.next(after: .duplicatesSetAside(outcomes, [], []), at: 2)
    _ = course.next(after: .checked(outcomes, gates, []), at: 3)
    let action = course.next(after: .quarantined(outcomes), at: 4)
    return (course, action)
  }

  /// Why a run has failed.
  private func why(_ course: RunCourse) -> String { course.failure.map { "\($0)" } ?? "" }

  // MARK: Ends

  @Test func `A release is loaded, checked and published`() {
    var course = course()
    let outcomes = [Known.outcome(source)]
    #expect(course.start(isLoading: true) == .collect)
    #expect(course.next(after: .loaded(outcomes), at: 1) == .setDuplicatesAside)
    #expect(course.next(after: .duplicatesSetAside(outcomes, [], []), at: 2) == .check(amends: true))
    #expect(course.hasNewStage)
    #expect(course.next(after: .checked(outcomes, [], []), at: 3) == .quarantine)
    #expect(course.next(after: .quarantined(outcomes), at: 4) == .publish)
    #expect(course.next(after: .released(.published, revision: 2), at: 5) == .finish)
    #expect(course.failure == nil)
    #expect(course.report.state == .published)
    #expect(course.report.revision == 2)
    #expect(course.report.stages.map(\.stage) == ["stage", "check", "publish"])
    #expect(course.report.stages.map(\.seconds) == [2, 2, 1])
    #expect(course.report.stages[0].records == 10)
  }

  @Test func `Content that is published already is confirmed`() {
    var course = course()
    #expect(course.start(isLoading: false) == .confirm)
    #expect(course.next(after: .confirmed, at: 1) == .finish)
    #expect(course.failure == nil)
  }

  @Test func `What passes goes where the settings say`() {
    let cases: [((inout RunCourse.Settings) -> Void, RunCourse.Action)] = [
      ({ _ in }, .publish), ({ $0.publishes = false }, .keep), ({ $0.isDryRun = true }, .compare),
      ({ $0.isMerge = true }, .merge), ({ $0.countsChange = true }, .countChange),
      ({ $0.isCompared = true }, .drop),
      (
        {
          $0.isDryRun = true
          $0.isMerge = true
        }, .compare
      ),
    ]
    for (change, action) in cases { #expect(judged(change).1 == action) }
  }

  @Test func `The change is counted before a release is published or kept`() {
    for (publishes, action) in [(true, RunCourse.Action.publish), (false, .keep)] {
      var (course, _) = judged {
        $0.countsChange = true
        $0.publishes = publishes
      }
      #expect(course.next(after: .changeCounted(nil, warning: "not counted"), at: 5) == action)
      #expect(course.report.sources[0].warnings == ["not counted"])
    }
  }

  @Test func `A dry run leaves nothing`() {
    var (course, _) = judged { $0.isDryRun = true }
    let report = course.report
    #expect(course.next(after: .compared(nil, [], report.sources, report.gates), at: 5) == .drop)
    #expect(course.next(after: .dropped, at: 6) == .recordEnd)
    #expect(course.report.state == .dryRun)
    #expect(course.report.revision == nil)
    #expect(course.next(after: .ended, at: 7) == .finish)
    #expect(course.failure == nil)
  }

  @Test func `Published content that is loaded to be compared is dropped again`() {
    var (course, _) = judged {
      $0.isCompared = true
      $0.comparedRevision = 3
    }
    #expect(course.next(after: .dropped, at: 5) == .recordEnd)
    #expect(course.report.state == .unchanged)
    #expect(course.report.revision == 3)
  }

  @Test func `A merge reports what it wrote`() {
    var (course, _) = judged { $0.isMerge = true }
    let merge = MergeReport(source: "providers", target: "directory.provider")
    let report = course.report
    #expect(
      course.next(after: .merged([merge], report.sources, report.gates, revision: 4), at: 5) == .finish)
    #expect(course.report.state == .merged)
    #expect(course.report.revision == 4)
    #expect(course.report.merges.count == 1)
  }

  // MARK: Formats

  @Test func `Other formats are compared before the rules, and what differs refuses`() {
    var course = course { $0.crossChecks = true }
    let outcomes = [Known.outcome(source)]
    _ = course.next(after: .loaded(outcomes), at: 1)
    #expect(course.next(after: .duplicatesSetAside(outcomes, [], []), at: 2) == .crossCheck)
    var check = CrossCheck(source: "pprrvu", formats: ("csv", "txt"))
    check.onlyInFirst = 1
    #expect(course.next(after: .crossChecked([check]), at: 3) == .check(amends: true))
    _ = course.next(after: .checked(outcomes, [], []), at: 4)
    #expect(course.next(after: .quarantined(outcomes), at: 5) == .recordFailure)
    #expect(course.report.state == .refused)
  }

  @Test func `Tables without their keys are neither compared nor amended`() {
    var course = course { $0.crossChecks = true }
    var outcome = Known.outcome(source)
    outcome.duplicateKeys = ["cms.rvu": 2]
    _ = course.next(after: .loaded([outcome]), at: 1)
    #expect(course.next(after: .duplicatesSetAside([outcome], [], []), at: 2) == .check(amends: false))
  }

  // MARK: Refusals

  @Test func `Too many rejects refuse before a rule is asked`() {
    var course = course { $0.rejectLimit = .count(2) }
    let outcomes = [Known.outcome(source, rejected: 3)]
    #expect(course.next(after: .loaded(outcomes), at: 1) == .limitRejects)
    #expect(course.next(after: .rejectsLimited(kept: 3), at: 2) == .recordFailure)
    #expect(why(course).contains("3 of 10 records were refused, 2 allowed"))
    #expect(course.report.state == .refused)
    #expect(course.next(after: .failureRecorded, at: 3) == .finish)
  }

  @Test func `As many rejects as are allowed do not refuse`() {
    var course = course { $0.rejectLimit = .percent(30) }
    #expect(
      course.next(after: .loaded([Known.outcome(source, rejected: 3)]), at: 1) == .setDuplicatesAside)
  }

  @Test func `Records that rules reject count against the limit`() {
    var course = course { $0.rejectLimit = .count(0) }
    let outcomes = [Known.outcome(source)]
    let rejected = RejectedRows(check: pipeline.checks[0], sourceFileID: 1, lines: [4])
    _ = course.next(after: .loaded(outcomes), at: 1)
    _ = course.next(after: .duplicatesSetAside(outcomes, [], []), at: 2)
    let after = [Known.outcome(source, rejected: 1)]
    _ = course.next(after: .checked(after, [], [rejected]), at: 3)
    #expect(course.rejected.count == 1)
    #expect(course.next(after: .quarantined(after), at: 4) == .limitRejects)
  }

  @Test func `A rule that fails refuses, unless the user accepts it`() {
    let gate = GateReport(rule: "totals-add-up", severity: .fail, passed: false, found: 3)
    let (refused, action) = judged(gates: [gate])
    #expect(action == .recordFailure)
    #expect(why(refused).contains("rules that must hold do not:\n  totals-add-up: 3 found"))
    let (accepted, next) = judged({ $0.acceptedRules = ["totals-add-up"] }, gates: [gate])
    #expect(next == .publish)
    #expect(accepted.report.gates[0].isAccepted)
  }

  @Test func `Files without a record refuse, but not a replay`() {
    for (isReplay, action) in [(false, RunCourse.Action.recordFailure), (true, .publish)] {
      var course = course { $0.isReplay = isReplay }
      let outcomes = [Known.outcome(source, read: 2, skipped: 2)]
      _ = course.next(after: .loaded(outcomes), at: 1)
      _ = course.next(after: .duplicatesSetAside(outcomes, [], []), at: 2)
      _ = course.next(after: .checked(outcomes, [], []), at: 3)
      #expect(course.next(after: .quarantined(outcomes), at: 4) == action)
    }
  }

  @Test func `Counts that do not add up end the run, wherever they are seen`() {
    var outcome = Known.outcome(source)
    outcome.reports[0].loaded -= 1
    var early = course()
    #expect(early.next(after: .loaded([outcome]), at: 1) == .recordFailure)
    #expect(early.report.state == .failed)
    var late = course()
    let good = [Known.outcome(source)]
    _ = late.next(after: .loaded(good), at: 1)
    _ = late.next(after: .duplicatesSetAside(good, [], []), at: 2)
    _ = late.next(after: .checked([outcome], [], []), at: 3)
    #expect(late.next(after: .quarantined([outcome]), at: 4) == .recordFailure)
  }

  // MARK: Failures

  @Test func `A failure differs from a refusal and an interruption`() {
    let cases: [(any Error, Bool, RunState)] = [
      (RunError.nothingLoaded, false, .refused), (RunError.busy(pipeline: "p"), false, .failed),
      (RunError.nothingLoaded, true, .interrupted), (RunError.cancelled, false, .failed),
    ]
    for (error, isInterrupted, state) in cases {
      var course = course()
      #expect(course.next(after: .failed(error, isInterrupted: isInterrupted), at: 1) == .recordFailure)
      #expect(course.report.state == state)
      #expect(course.next(after: .failureRecorded, at: 2) == .finish)
      #expect(course.failure != nil)
    }
  }

  @Test func `A failure in every state leads to its record and the end`() {
    let outcomes = [Known.outcome(source)]
    let events: [RunCourse.Event] = [
      .loaded(outcomes), .duplicatesSetAside(outcomes, [], []), .checked(outcomes, [], []),
      .quarantined(outcomes),
    ]
    for count in 0...events.count {
      var course = course()
      for event in events.prefix(count) { _ = course.next(after: event, at: 1) }
      #expect(course.next(after: .failed(RunError.cancelled, isInterrupted: false), at: 2) == .recordFailure)
      // What fails once more is not recorded twice.
      #expect(course.next(after: .failed(RunError.cancelled, isInterrupted: false), at: 3) == .finish)
    }
  }

  @Test func `What became of the other loads is reported when one fails`() {
    var course = course()
    let reports = Known.outcome(source).reports
    let event = RunCourse.Event.loadFailed(reports, RunError.cancelled, isInterrupted: false)
    #expect(course.next(after: event, at: 1) == .recordFailure)
    #expect(course.report.sources.count == 1)
  }

  @Test func `A release whose tables readers hold is kept, and the run is a failure`() {
    var (course, _) = judged()
    #expect(course.next(after: .blocked, at: 5) == .keep)
    #expect(course.next(after: .released(.staged, revision: 2), at: 6) == .finish)
    #expect(why(course).hasPrefix("readers hold the published tables of cms-rvu 2025D"))
    #expect(course.report.state == .staged)
    #expect(course.report.revision == 2)
  }

  @Test func `A merge whose rows others hold changes nothing`() {
    var (course, _) = judged { $0.isMerge = true }
    #expect(course.next(after: .blocked, at: 5) == .recordFailure)
    #expect(why(course).contains("others hold rows or tables that cms-rvu would change"))
  }

  @Test func `A COMMIT whose answer was lost ends the run well`() {
    var (course, _) = judged()
    _ = course.next(after: .failed(RunError.cancelled, isInterrupted: false), at: 5)
    #expect(course.next(after: .foundDone(.published, revision: 2, []), at: 6) == .finish)
    #expect(course.failure == nil)
    #expect(course.report.state == .published)
    var (kept, _) = judged()
    _ = kept.next(after: .failed(RunError.cancelled, isInterrupted: false), at: 5)
    _ = kept.next(after: .foundDone(.staged, revision: 2, []), at: 6)
    #expect(kept.failure != nil)
  }
}
