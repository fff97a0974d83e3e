/// What a pending migration will do to tables that exist already.
public struct PlannedMigration: Sendable {
  /// The strongest lock it takes on one table.
  public struct Lock: Sendable, Equatable {
    /// The table, view, sequence or index as `schema.name`, quoted where need be.
    public let table: String
    /// The lock.
    public let mode: LockMode
    /// How many rows the table has in the target, by its statistics; nil where it was never analysed.
    public let rows: Int?
    /// Whether it is a table of any sort: a view, a sequence and an index have no rows to count.
    public let isTable: Bool
    /// The table that it is a partition of.
    public let parent: String?
  }

  /// An index that is built while its table is locked.
  public struct Index: Sendable, Equatable {
    /// The index as `schema.name`, quoted where need be.
    public let index: String
    /// Its table.
    public let table: String
    /// How many rows the table has in the target, by its statistics; nil where it was never analysed.
    public let rows: Int?
  }

  /// The migration itself.
  public let migration: Migration
  /// Whether it is one transaction.
  public let isTransaction: Bool
  /// The worst first, then by name.
  public let locks: [Lock]
  /// Tables that get a new file: rewritten, or emptied by TRUNCATE; by name.
  public let rewrites: [String]
  /// Indexes built without CONCURRENTLY, by name.
  public let indexes: [Index]
  /// The rows and values of the target that go for good, by table.
  public let losses: [DataLoss]
  /// What runs in batches.
  public let batches: [PlannedBatches]
  /// The first line of each statement that no transaction can hold.
  public let statementsOutside: [String]
  /// Where tables go that it makes; none where the target has no Citus.
  public internal(set) var placements: [PlacementMark] = []
}
