/// What a run did.
public struct RunReport: Sendable {
  /// Its number in the ledger.
  public let run: Int
  /// The pipeline.
  public let pipeline: String
  /// The release; nil where a dataset has none.
  public let release: String?
  /// Counts the contents that were loaded under the release's name, from 1.
  public var revision: Int?
  /// How it ended.
  public var state: RunState
  /// By source.
  public var sources: [SourceReport] = []
  /// What is odd about the bundle as a whole, for the user.
  public package(set) var warnings: [String] = []
  /// The tables, and the parts of tables, that the bundle lacks, for the user.
  public package(set) var missing: [String] = []
  /// Why records were refused, the commonest reason first.
  public var rejects: [RejectReason] = []
  /// In order. Where the next source loads meanwhile, stages of two runs overlap.
  public var stages: [StageReport] = []
  /// From the first look at the source to the end, wall-clock.
  public var seconds = 0.0
  /// How often something was tried again, as after a lost connection.
  public var retries = 0
  /// In order.
  public var gates: [GateReport] = []
  /// How the bundle's other formats compare, where that was asked for.
  public var crossChecks: [CrossCheck] = []
  /// What was written to tables that are published, or of a dry run what would be; in the order of the
  /// sources.
  public package(set) var merges: [MergeReport] = []
  /// Of a dry run what publishing would change; nil where there is nothing to compare with.
  public package(set) var differences: StagedDiff?
  /// What the release changes against the one before it, where the pipeline asks for it and there is one.
  public package(set) var change: ReleaseChange?

  /// The report of a run that has begun.
  package init(run: Int, pipeline: String, release: String?, revision: Int?, state: RunState) {
    (self.run, self.pipeline, self.release) = (run, pipeline, release)
    (self.revision, self.state) = (revision, state)
  }
}
