import Glibc

/// The cluster that is asked about.
public struct ScaledCluster: Sendable {
  /// How many workers.
  public var workers: Int
  /// Cores of each worker, and of the coordinator, each as fast as one of the machine that was measured.
  public var cores = 16
  /// Shards of a table for each core of the workers: two, so that a core that is done has another.
  public var shardsPerCore = 2
  /// Bytes a second over the coordinator's network: 10 Gbit/s.
  public var bandwidth = 1.25e9
  /// Seconds of a message to a worker and back.
  public var roundTrip = 0.0005
  /// Seconds until a commit is on a disk.
  public var flush = 0.001

  /// So many workers.
  public init(workers: Int) { self.workers = workers }

  /// Shards of a table.
  public var shards: Int { workers * cores * shardsPerCore }
  /// How many of the workers' processes can be at work on one statement: a shard has one.
  public var lanes: Int { min(workers * cores, shards) }
}

/// A piece of work at scale.
public struct Workload: Sendable {
  /// What it is called in the table.
  public let name: String
  /// The operation that was measured.
  public let operation: String
  /// Rows, records or look-ups, and records beneath them.
  public let count, base: Double
  /// How many values the key has.
  public let keys: Double
  /// Whether rows run through the program, the coordinator and the workers at the same time, as those of COPY
  /// do; what waits for another machine in each statement takes their times one after the other.
  public let isStream: Bool
  /// The share of the program's and the coordinator's work that its busiest process does: 1 of one COPY or one
  /// statement, an eighth of eight COPYs side by side.
  public let lane: Double
  /// The share of the program's work that one thread does.
  public let programLane: Double
  /// How many statements wait for the workers one after the other.
  public let statements: Double

  /// A piece of work.
  public init(
    _ name: String, _ operation: String, count: Double, base: Double = 0, keys: Double,
    isStream: Bool = false, lane: Double = 1, programLane: Double = 1, statements: Double = 1
  ) {
    (self.name, self.operation, self.count, self.base, self.keys) = (name, operation, count, base, keys)
    (self.isStream, self.lane, self.programLane, self.statements) = (isStream, lane, programLane, statements)
  }
}

/// What bounds a piece of work.
public enum Bound: String, Sendable {
  case program, coordinator, workers, network, waiting
}

/// How long a piece of work takes, and why.
public struct Estimate: Sendable {
  /// Seconds of each part.
  public let parts: [(bound: Bound, seconds: Double)]
  /// Seconds from begin to end.
  public let seconds: Double
  /// The largest part.
  public var bound: Bound { parts.max { $0.seconds < $1.seconds }?.bound ?? .coordinator }

  /// Of what an operation costs on a cluster.
  public init(_ work: Workload, costing cost: OperationCost, on cluster: ScaledCluster) {
    let used = cost.used(count: work.count, base: work.base, shards: cluster.shards)
    let lanes = Double(cluster.lanes)
    // One process each, unless several are at work side by side; never more than there are cores.
    let coordinator = used.coordinator * max(work.lane, 1 / Double(cluster.cores))
    let workers = used.worker / lanes * Self.skew(keys: work.keys, lanes: lanes)
    // Each statement waits for its answer. A commit in two phases waits twice, and for the disk each time.
    let waiting = work.statements * cluster.roundTrip + 2 * (cluster.roundTrip + cluster.flush)
    parts = [
      (.program, used.program * work.programLane), (.coordinator, coordinator), (.workers, workers),
      (.network, used.bytes / cluster.bandwidth), (.waiting, waiting),
    ]
    let seconds = parts.map(\.seconds)
    self.seconds =
      work.isStream ? (seconds.dropLast().max() ?? 0) + waiting : seconds.reduce(0, +)
  }

  /// The largest of so many parts in times of the average, where keys, at least one, fall into them at random
  /// and each has as many rows as any other.
  public static func skew(keys: Double, lanes: Double) -> Double {
    min(lanes, max(lanes / keys, 1 + sqrt(2 * log(max(1, lanes)) * lanes / keys)))
  }
}
