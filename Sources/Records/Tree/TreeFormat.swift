/// How a file of tree-shaped records is written, and what is wanted of them.
public struct TreeFormat: Sendable {
  /// How the records are written, and distinguished.
  public enum Syntax: Sendable, Hashable {
    /// JSON, each line a record (NDJSON).
    case jsonLines
    /// One JSON document: an array of records, an object that holds records, or one record.
    case json
    /// One XML document that holds records, or is one.
    case xml
  }

  /// How the records are written.
  public let syntax: Syntax
  /// What is wanted of them.
  public let plan: TreePlan
  /// The names that lead from a document that holds records to each of them, such as `entry` and `resource`;
  /// empty where a document is a record or an array of them.
  public let records: [String]
  /// The most bytes that a record may have.
  public let recordLimit: Int

  /// A form of records; by default they have at most 4 MiB.
  public init(_ syntax: Syntax, plan: TreePlan, records: [String] = [], recordLimit: Int = 4 << 20) {
    self.syntax = syntax
    self.plan = plan
    self.records = records
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(16, recordLimit), 1 << 30)
  }
}
