package import Definitions

/// The course of one run, from the end of its loading to its end: events go in, the next action comes out.
///
/// It decides and does nothing. The engine carries each action out and hands back what came of it:
///
/// ```swift
/// var action = course.start(at: now)
/// while case let step = action, step != .finish {
///   action = course.next(after: perform(step), at: now)
/// }
/// ```
package struct RunCourse: Sendable {
  /// What is decided before the run begins.
  package struct Settings: Sendable {
    /// What passes is published; otherwise it stays staged.
    package var publishes = true
    /// Everything is done but to publish, and nothing stays.
    package var isDryRun = false
    /// The bundle's other formats are compared.
    package var crossChecks = false
    /// The rules in spite of which it is published.
    package var acceptedRules: Set<String> = []
    /// How many records may be rejected.
    package var rejectLimit = RejectLimit.count(0)
    /// What differs is written to rows that are published already.
    package var isMerge = false
    /// What is new, gone and changed is counted before it is published.
    package var countsChange = false
    /// The records are corrected ones of an earlier run, of which there may be none.
    package var isReplay = false
    /// The same content is published, and is loaded only to be compared.
    package var isCompared = false
    /// The revision of that content; nil where it holds no releases.
    package var comparedRevision: Int?

    package init() {}
  }

  /// What the engine has to do next.
  package enum Action: Sendable, Equatable {
    /// Nothing has to be loaded, since the same content is published: make sure that code lists are, and
    /// record the end.
    case confirm
    /// Wait for the loads.
    case collect
    /// Remove what is kept of rejected records beyond the limit, as the run has too many.
    case limitRejects
    /// Take records out that share their key with others, where their source says so, and build the keys.
    case setDuplicatesAside
    /// Compare the bundle's other formats with the staged tables.
    case crossCheck
    /// Apply amendments where the tables have their keys, and find what the rules find.
    case check(amends: Bool)
    /// Keep the records that rules have rejected.
    case quarantine
    /// Compare what is staged with what is published.
    case compare
    /// Count what is new, gone and changed.
    case countChange
    /// Publish the revision.
    case publish
    /// Register the revision as staged.
    case keep
    /// Merge what is staged.
    case merge
    /// Drop what is staged.
    case drop
    /// Record the end of a run that publishes nothing.
    case recordEnd
    /// Record why the run fails, and drop what is staged.
    case recordFailure
    /// The run has ended: ``RunCourse/failure`` says whether well.
    case finish
  }

  /// What came of an action.
  package enum Event: Sendable {
    case confirmed
    case loaded([LoadOutcome])
    /// How many rejected records are kept.
    case rejectsLimited(kept: Int)
    case duplicatesSetAside([LoadOutcome], [GateReport], [RejectedRows])
    case crossChecked([CrossCheck])
    case checked([LoadOutcome], [GateReport], [RejectedRows])
    case quarantined([LoadOutcome])
    /// What publishing, or merging, would change.
    case compared(StagedDiff?, [MergeReport], [SourceReport], [GateReport])
    case changeCounted(ReleaseChange?, warning: String?)
    /// The release is published, or registered as staged.
    case released(RunState, revision: Int)
    /// Readers held the published tables for too long.
    case blocked
    case merged([MergeReport], [SourceReport], [GateReport], revision: Int?)
    case dropped
    case ended
    case failed(any Error, isInterrupted: Bool)
    /// The same of the loads; what became of the records of others may be known.
    case loadFailed([SourceReport], any Error, isInterrupted: Bool)
    case failureRecorded
    /// A COMMIT whose answer was lost has ended the run well.
    case foundDone(RunState, revision: Int?, [MergeReport])
  }

  /// What is known of the run so far.
  package internal(set) var report: RunReport
  /// How long its stages take.
  package internal(set) var clock: StageClock
  /// What became of the records, by source.
  package internal(set) var outcomes: [LoadOutcome] = []
  /// Why the run did not end well; nil where it did.
  package internal(set) var failure: (any Error)?
  /// A stage has begun since ``stageIsRecorded()`` was called.
  package internal(set) var hasNewStage = false
  let settings: Settings
  let unknownKinds: UnknownKinds
  var gatesOfDuplicates: [GateReport] = []
  /// The records that rules have rejected.
  package internal(set) var rejected: [RejectedRows] = []

  /// A run that has begun.
  ///
  /// `clock`: with the stages so far.
  package init(_ report: RunReport, _ settings: Settings, pipeline: Pipeline, clock: StageClock) {
    (self.report, self.settings, self.clock) = (report, settings, clock)
    unknownKinds = UnknownKinds(pipeline)
  }
}
