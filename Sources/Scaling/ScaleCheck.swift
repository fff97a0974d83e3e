/// What the model says of a case that it was not taken from, beside what was measured of it.
public struct ScaleCheck: Sendable {
  /// One of the figures, in seconds of a processor or in bytes.
  public struct Pair: Sendable {
    /// What the model says, and what was measured.
    public let predicted, measured: Double
    /// How much more the model says, as a share of what was measured.
    public var error: Double { measured == 0 ? 0 : (predicted - measured) / measured }
  }

  /// What was done, on how many workers, with how many shards.
  public let line: ScaleFigures.Line
  /// Of the coordinator, of the worker that was busiest, and of the network.
  public let coordinator, worker, bytes: Pair

  /// All cases of one and of two workers that no cost is taken from.
  public static func all(_ figures: ScaleFigures, _ question: ScaleQuestion) throws -> [ScaleCheck] {
    let cases = figures.lines.filter { line in
      let same = figures.lines(of: line.operation, workers: 1, shards: 8)
      let ends = [same.map(\.count).max(), same.map(\.count).min()]
      return line.workers > 1 || !ends.contains(line.count)
    }
    return try cases.map { line in
      let used = try question.cost(of: line.operation).used(
        count: line.count, base: line.base, shards: line.shards)
      return ScaleCheck(
        line: line,
        coordinator: Pair(predicted: used.coordinator, measured: line.used.coordinator),
        worker: Pair(predicted: used.worker / Double(line.workers), measured: line.busiest),
        bytes: Pair(predicted: used.bytes, measured: line.used.bytes))
    }
  }
}
