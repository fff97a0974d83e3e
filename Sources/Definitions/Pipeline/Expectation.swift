/// What must hold of the rows of a source as a whole before anybody sees them: `expect` in `pipeline.yaml`.
public struct Expectation: Sendable, Hashable {
  /// What becomes of a run whose rows are too far from those of the release before.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// Nothing is published.
    case fail
    /// It is reported.
    case warn
  }

  /// How far something may move from one release to the next.
  public struct Limit: Sendable, Hashable {
    /// In percent of what was before; of shares, in percentage points.
    public var percent: Double
    /// What becomes of a run that goes beyond it.
    public var severity: Severity

    /// As a definition writes it: `10%`.
    public var description: String { RejectLimit.percent(percent).description }
  }

  /// A column whose values as a whole stay much the same from release to release.
  public struct Drift: Sendable, Hashable {
    /// What is compared of the column.
    public enum Measure: String, Sendable, Hashable {
      /// The share of rows that each of its values has.
      case shareOf = "share-of"
      /// The sum of its numbers.
      case sumOf = "sum-of"
    }

    /// What is compared.
    public var measure: Measure
    /// The column of the source's own table.
    public var column: String
    /// How far it may move.
    public var limit: Limit
  }

  /// How few rows are too few; nil when any number will do.
  public var leastRows: Int?
  /// How many rows are not yet too many; nil when any number will do.
  public var mostRows: Int?
  /// How far the number of rows may move; nil when it may move as it likes.
  public var rowChange: Limit?
  /// What else is held against the release before.
  public var drifts: [Drift] = []

  /// Nothing is expected.
  public init() {}

  /// Whether the release before is needed to judge it.
  public var looksBack: Bool { rowChange != nil || !drifts.isEmpty }
}
