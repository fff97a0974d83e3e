/// A view as it is in the database.
public struct ViewStatus: Sendable {
  /// A table or view that it reads.
  public struct Source: Sendable {
    /// `schema.name`.
    public let name: String
    /// groups, rebuild or untracked; nil where the view is live, and a change needs no remembering.
    public let change: String?
    /// The columns remembered of changed rows.
    public let capture: [String]
    /// Rows waiting in its queue.
    public let pending: Int
  }

  /// A refresh that was done.
  public struct Refresh: Sendable {
    /// full or incremental.
    public let kind: String
    /// When, ISO 8601 in UTC.
    public let at: String
    /// How long it took.
    public let seconds: Double
    /// How many groups were computed; nil where all were.
    public let groups: Int?
    /// Rows written.
    public let rowsChanged: Int
  }

  /// `schema.name`.
  public let name: String
  /// live, full or incremental.
  public let strategy: String
  /// Changes are added up, `sums` by the statements that make them, or `rows` by the refresh; nil where groups
  /// are computed from their rows, or everything is.
  public let adds: String?
  /// Why statements do not add up what they change of an incremental view; nil where they do.
  public let sumsReason: String?
  /// The definition's file.
  public let file: String?
  /// Rows that it holds; nil for a live view and one that was never filled.
  public let rows: Int?
  /// When what it shows was true, ISO 8601 in UTC; nil for a live view and one that was never filled.
  public let refreshedAt: String?
  /// Since then, in seconds.
  public let age: Double?
  /// The date that it was computed for, ISO; nil where it depends on none.
  public let asOf: String?
  /// How long it may lag behind, in seconds; nil for not at all.
  public let freshFor: Double?
  /// What is waiting to be computed, in words; empty where the view is exact.
  public let behind: [String]
  /// It is behind, and for longer than it may be.
  public let isStale: Bool
  /// Rows waiting in its queues.
  public let pending: Int
  /// The space that its queues take.
  public let queueBytes: Int
  /// What its definition might do better, such as an index that is missing.
  public let warnings: [String]
  /// The SELECT as it was made.
  public let definition: String
  /// What it reads.
  public let sources: [Source]
  /// The views that read it, those of others too.
  public let readBy: [String]
  /// The indexes of its table, as SQL.
  public let indexes: [String]
  /// The last refreshes, the newest first.
  public let refreshes: [Refresh]
}
