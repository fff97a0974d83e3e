/// What is asked of the model: a directory of 50 million providers and 10 billion procedures of a million users.
public struct ScaleQuestion: Sendable {
  static let providers = 50e6
  static let procedures = 10e9
  static let users = 1e6
  /// How many workers.
  public static let workers = [1, 4, 16, 64]

  /// The clusters, in their order.
  public let clusters = ScaleQuestion.workers.map(ScaledCluster.init)
  /// The work, in the order of the table.
  public let work: [Workload]
  /// What each operation takes.
  let costs: [String: OperationCost]
  /// Bytes that are stored of a provider with all that belongs to it, and of a procedure.
  let providerBytes, procedureBytes: Double

  /// The work with the costs that were measured.
  public init(_ figures: ScaleFigures) throws {
    let table = try figures.known("largest_table", of: "load")
    let (providers, procedures, users) = (Self.providers, Self.procedures, Self.users)
    let (loading, merging) = try (
      figures.known("statements", of: "load"), figures.known("statements", of: "merge")
    )
    work = [
      Workload(
        "load 50 million providers", "load", count: providers, keys: providers, isStream: true, lane: table,
        statements: loading),
      Workload(
        "merge a week of 1 % of them", "merge", count: providers / 100, base: providers, keys: providers,
        statements: merging),
      Workload("COPY 10 billion procedures, one", "copy", count: procedures, keys: users, isStream: true),
      Workload(
        "COPY 10 billion procedures, eight side by side", "copy", count: procedures, keys: users,
        isStream: true, lane: 1.0 / 8, programLane: 1.0 / 8),
      Workload("roll-up of all users, stored", "roll-up", count: procedures, keys: users),
      Workload(
        "refresh after changes of 1 % of users", "refresh", count: procedures / 100, keys: users,
        statements: 7),
      Workload("count of all procedures", "count", count: procedures, keys: users),
      Workload("the 20 users of the most work", "top", count: procedures, keys: users),
    ]
    let names = Set(work.map(\.operation) + ["look-up"])
    costs = try names.reduce(into: [:]) { $0[$1] = try OperationCost(of: $1, in: figures) }
    let records = figures.lines(of: "load", workers: 1, shards: 8).first?.count ?? 1
    let rows = figures.lines(of: "roll-up", workers: 1, shards: 8).first?.count ?? 1
    providerBytes = try figures.known("stored", of: "load") / records
    procedureBytes = try figures.known("stored", of: "roll-up") / rows
  }

  /// How long a piece of work takes on a cluster.
  public func estimate(_ work: Workload, on cluster: ScaledCluster) throws -> Estimate {
    Estimate(work, costing: try cost(of: work.operation), on: cluster)
  }

  /// What an operation takes.
  public func cost(of operation: String) throws -> OperationCost {
    guard let cost = costs[operation] else {
      throw ScalingError(message: "the figures lack '\(operation)'")
    }
    return cost
  }

  /// Look-ups by key: seconds of one, and how many a second the coordinator and the workers can answer.
  func lookUps(on cluster: ScaledCluster) throws -> (seconds: Double, coordinator: Double, workers: Double) {
    let row = try cost(of: "look-up").row
    return (
      row.coordinator + row.worker + row.program + cluster.roundTrip,
      Double(cluster.cores) / row.coordinator, Double(cluster.cores * cluster.workers) / row.worker
    )
  }

  /// Bytes that each worker stores.
  func stored(on cluster: ScaledCluster) -> Double {
    (Self.providers * providerBytes + Self.procedures * procedureBytes) / Double(cluster.workers)
  }
}
