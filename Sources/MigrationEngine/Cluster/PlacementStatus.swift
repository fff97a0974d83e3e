/// What a cluster is made of, and how tables lie on it.
public struct PlacementStatus: Sendable {
  /// A server of the cluster.
  public struct Node: Sendable {
    /// Its number.
    public let number: Int
    /// Host and port, as the coordinator knows them.
    public let address: String
    /// `coordinator`, `worker` or `standby`.
    public let role: String
    /// Whether it is used at all.
    public let isActive: Bool
    /// Whether it answers the coordinator now.
    public let answers: Bool
    /// How many shards it has, those of tables under others too.
    public let shards: Int
    /// What these take with their indexes; nil where it does not answer.
    public let bytes: Int?
  }

  /// A table that lies on the workers, with those under it and those of its releases.
  public struct Table: Sendable {
    /// Its name.
    public let name: String
    /// The column that it is distributed by; nil of one that is whole on every server.
    public let key: String?
    /// The number that it has in common with tables whose rows of the same key lie on the same server.
    public let colocation: Int
    /// The shards that its rows are divided into.
    public let shards: Int
    /// The tables under it.
    public let partitions: Int
    /// Tables of its releases that are not attached.
    public let kept: Int
    /// Rows as the servers' statistics have them.
    public let rows: Int
    /// What they take with their indexes, on all servers that answer.
    public let bytes: Int
    /// The largest shard and the average one, in bytes.
    public let shardBytes: (largest: Int, average: Int)
    /// What the server takes that has most of it, and the average, in bytes.
    public let nodeBytes: (largest: Int, average: Int)
  }

  /// A table that is not where its mark says.
  public struct Misplaced: Sendable {
    /// The table.
    public let table: String
    /// As its mark has it.
    public let declared: String
    /// As it is, in the same words.
    public let found: String
    /// How many tables of its releases are not attached and not beside it.
    public let releases: Int
    /// What brings it there.
    public let remedy: String
  }

  /// What a move has left, or is at.
  public struct Leftover: Sendable {
    /// `job`: of moving shards; `shard`, or another thing that is to be dropped.
    public let kind: String
    /// What it is called.
    public let name: String
    /// How a job is; nil of a thing.
    public let state: String?
    /// The number of the server that has it; nil of a job.
    public let node: Int?
  }

  /// The servers, the coordinator first.
  public internal(set) var nodes: [Node]
  /// The tables, by name.
  public internal(set) var tables: [Table]
  /// How many tables have a mark that says another place than the coordinator, and are there.
  public internal(set) var declared: Int
  /// Those that are not where it says.
  public internal(set) var misplaced: [Misplaced]
  /// What moves of shards have left.
  public internal(set) var leftovers: [Leftover]

  /// All servers answer that are used, and all tables are where they should be.
  public var isGood: Bool { misplaced.isEmpty && nodes.allSatisfy { $0.answers || !$0.isActive } }
}
