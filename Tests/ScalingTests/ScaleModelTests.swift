import Scaling
import Testing

@Suite("The scale model")
struct ScaleModelTests {
  private static let operations = ["load", "merge", "copy", "roll-up", "refresh", "count", "top", "look-up"]

  /// What no row of passes the coordinator.
  private static let pushedDown: Set = ["roll-up", "refresh", "count", "top"]

  /// Figures of a machine on which everything costs what these numbers say: a second to begin, a quarter of one a
  /// shard, a thousandth a row of the coordinator and two of the workers, ten bytes a row.
  private func figures(
    shard: Double = 0.25, beneath: Double = 0, without missing: String = ""
  ) throws -> ScaleFigures {
    func line(
      _ operation: String, _ workers: Int, _ shards: Int, _ count: Double, _ base: Double
    ) -> String {
      let begun = 1 + shard * Double(shards) + beneath * base
      let worker = begun + 0.002 * count
      let passing = Self.pushedDown.contains(operation) ? 0 : count
      let each = (0..<workers).map { _ in "\(worker / Double(workers))" }.joined(separator: ", ")
      return """
        {"operation": "\(operation)", "workers": \(workers), "shards": \(shards), "count": \(count),
          "base": \(base),
          "program": 0.5, "coordinator": \(begun + 0.001 * passing), "worker": \(worker),
          "worker_each": [\(each)], "bytes": \(10 * passing), "stored": \(100 * count), "largest_table": 0.25, "statements": 10}
        """
    }
    let lines = Self.operations.filter { $0 != missing }.flatMap { name -> [String] in
      let base = name == "merge" ? 10.0 : 0
      return [
        line(name, 1, 8, 1000, 100 * base), line(name, 1, 8, 500, 50 * base),
        line(name, 1, 8, 100, 10 * base), line(name, 1, 32, 100, 10 * base),
        line(name, 2, 8, 1000, 100 * base),
      ] + (base > 0 ? [line(name, 1, 8, 100, 100 * base)] : [])
    }
    return try ScaleFigures("{\"measured\": [\(lines.joined(separator: ",\n"))]}", name: "figures.json")
  }

  private func seconds(_ work: Workload, _ cluster: ScaledCluster, shard: Double = 0) throws -> Estimate {
    Estimate(work, costing: try OperationCost(of: work.operation, in: figures(shard: shard)), on: cluster)
  }

  @Test("finds what a row, a shard, a record beneath and the begin cost")
  func costs() throws {
    for name in Self.operations {
      let cost = try OperationCost(of: name, in: figures(beneath: 0.01))
      let isPushedDown = Self.pushedDown.contains(name)
      #expect(abs(cost.row.coordinator - (isPushedDown ? 0 : 0.001)) < 1e-9)
      #expect(abs(cost.row.worker - 0.002) < 1e-9)
      #expect(abs(cost.row.bytes - (isPushedDown ? 0 : 10)) < 1e-9)
      #expect(abs(cost.shard.coordinator - 0.25) < 1e-9)
      #expect(abs(cost.fixed.coordinator - 1) < 1e-9)
      #expect(abs(cost.fixed.program - 0.5) < 1e-9)
      #expect(abs(cost.base.worker - (name == "merge" ? 0.01 : 0)) < 1e-9)
    }
  }

  @Test("is not taken from two workers, of whom it is right where they do the same work")
  func check() throws {
    let figures = try figures()
    let checks = try ScaleCheck.all(figures, ScaleQuestion(figures))
    #expect(checks.count == 2 * Self.operations.count)
    for check in checks {
      for pair in [check.coordinator, check.worker, check.bytes] {
        #expect(abs(pair.predicted - pair.measured) < 1e-6)
      }
    }
  }

  @Test("grows with rows, shards, records beneath and statements, and never with workers of the same shards")
  func monotone() throws {
    let few = ScaledCluster(workers: 4)
    let cost = try OperationCost(of: "merge", in: figures(beneath: 0.01))
    func merge(_ count: Double, _ base: Double, _ statements: Double, on cluster: ScaledCluster) -> Double {
      Estimate(
        Workload("m", "merge", count: count, base: base, keys: 1e6, statements: statements), costing: cost,
        on: cluster
      ).seconds
    }
    let least = merge(1000, 1000, 1, on: few)
    #expect(merge(2000, 1000, 1, on: few) > least)
    #expect(merge(1000, 2000, 1, on: few) > least)
    #expect(merge(1000, 1000, 2, on: few) > least)
    var more = few
    more.shardsPerCore = 4
    #expect(merge(1000, 1000, 1, on: more) > least)
    for isStream in [true, false] {
      let work = Workload("c", "copy", count: 1e9, keys: 1e6, isStream: isStream)
      let times = try ScaleQuestion.workers.map { try seconds(work, ScaledCluster(workers: $0)).seconds }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 >= $1 })
    }
  }

  @Test("leaves the coordinator's share however many workers there are")
  func limit() throws {
    let work = Workload("c", "copy", count: 1e9, keys: 1e12, isStream: true)
    let few = try seconds(work, ScaledCluster(workers: 1))
    var fast = ScaledCluster(workers: 1)
    fast.cores = 1
    #expect(try seconds(work, fast).bound == .workers)
    let many = try seconds(work, ScaledCluster(workers: 1_000_000))
    #expect(many.bound == .coordinator)
    #expect(abs(many.seconds / 1e6 - 1) < 0.01 && many.seconds <= few.seconds)
    // Side by side it is divided by the cores of the coordinator, and by no more than these.
    let beside = Workload(
      "c", "copy", count: 1e9, keys: 1e12, isStream: true, lane: 0.001, programLane: 0.001)
    #expect(abs(try seconds(beside, ScaledCluster(workers: 1_000_000)).seconds / (1e6 / 16) - 1) < 0.01)
    // What each shard costs grows with the workers, so that at some number more of them make it longer.
    let count = Workload("n", "count", count: 1e6, keys: 1e12)
    #expect(
      try seconds(count, ScaledCluster(workers: 1000), shard: 0.25).seconds
        > seconds(count, ScaledCluster(workers: 10), shard: 0.25).seconds)
  }

  @Test("adds the times of what waits for each other, and takes the longest of what does not")
  func parts() throws {
    let cluster = ScaledCluster(workers: 4)
    let one = try seconds(Workload("c", "copy", count: 1e9, keys: 1e9), cluster)
    let parts = one.parts.map(\.seconds)
    #expect(abs(one.seconds - parts.reduce(0, +)) < 1e-6)
    let stream = try seconds(Workload("c", "copy", count: 1e9, keys: 1e9, isStream: true), cluster)
    #expect(abs(stream.seconds - ((parts.dropLast().max() ?? 0) + (parts.last ?? 0))) < 1e-6)
  }

  @Test("knows that few keys make one shard larger than others")
  func skew() {
    #expect(Estimate.skew(keys: 1e9, lanes: 1) == 1)
    #expect(Estimate.skew(keys: 1e3, lanes: 64) > Estimate.skew(keys: 1e6, lanes: 64))
    #expect(Estimate.skew(keys: 1, lanes: 64) == 64)
  }

  @Test("says what its figures lack")
  func lacking() throws {
    #expect(throws: ScalingError.self) { try ScaleQuestion(figures(without: "refresh")) }
    #expect(throws: ScalingError.self) { try ScaleFigures("{\"measured\": [{\"workers\": 1}]}", name: "f") }
    #expect(throws: ScalingError.self) { try ScalingPage(figures()).page(from: "# Scaling\n") }
  }
}
