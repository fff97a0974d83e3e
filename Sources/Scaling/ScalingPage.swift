import Pages
import Reporting

/// The tables of `Documentation/Scaling.md`, which are between marks.
public struct ScalingPage {
  private let figures: ScaleFigures
  private let question: ScaleQuestion

  /// Of what was measured.
  public init(_ figures: ScaleFigures) throws {
    self.figures = figures
    question = try ScaleQuestion(figures)
  }

  /// The page with its tables as the model makes them; throws where it lacks a mark.
  public func page(from text: String) throws -> String {
    try [("scale", scale()), ("costs", costs()), ("check", check())].reduce(text) { page, part in
      let (begin, end) = ("<!-- \(part.0): made by make scaling -->\n", "<!-- end of \(part.0) -->")
      guard let first = page.firstRange(of: begin), let last = page.firstRange(of: end),
        first.upperBound <= last.lowerBound
      else { throw ScalingError(message: "the page lacks the marks of '\(part.0)'") }
      return page[..<first.upperBound] + "\n" + part.1 + "\n" + page[last.lowerBound...]
    }
  }

  /// How long each piece of work takes on each cluster, and what bounds it.
  private func scale() throws -> String {
    let clusters = question.clusters
    let heads = ["work"] + clusters.map { "\($0.workers) worker\($0.workers == 1 ? "" : "s")" }
    var rows = try question.work.map { work in
      try [work.name]
        + clusters.map { cluster in
          let estimate = try question.estimate(work, on: cluster)
          return "\(estimate.seconds.duration), \(estimate.bound.rawValue)"
        }
    }
    rows.append(
      try ["look-ups by key, a second"]
        + clusters.map { cluster in
          let found = try question.lookUps(on: cluster)
          let bound = found.coordinator < found.workers ? Bound.coordinator : .workers
          return "\(min(found.coordinator, found.workers).rounded2), \(bound.rawValue)"
        })
    rows.append(
      ["stored by each worker"] + clusters.map { question.stored(on: $0).bytes })
    rows.append(["shards of a table"] + clusters.map { $0.shards.grouped })
    return table(heads, rows)
  }

  /// What the model takes each operation to cost.
  private func costs() throws -> String {
    let heads = [
      "operation", "of", "program", "coordinator", "workers", "network", "coordinator, a shard",
      "workers, a shard",
    ]
    let names = ["load", "merge", "copy", "roll-up", "refresh", "count", "top", "look-up"]
    let rows = try names.flatMap { name in
      let cost = try question.cost(of: name)
      func row(_ of: String, _ each: Resources, _ shard: Resources?) -> [String] {
        [
          name, of, each.program.micro, each.coordinator.micro, each.worker.micro,
          "\(each.bytes.decimal(each.bytes < 10 ? 1 : 0)) B", shard.map { $0.coordinator.milli } ?? "",
          shard.map { $0.worker.milli } ?? "",
        ]
      }
      let units = [
        "load": "provider", "merge": "changed provider", "look-up": "look-up", "refresh": "changed procedure",
      ]
      let rows = [row(units[name] ?? "procedure", cost.row, cost.shard)]
      return rows + (cost.base == .none ? [] : [row("provider beneath", cost.base, nil)])
    }
    return "\(figures.machine) (figures \(figures.digest)).\n\n" + table(heads, rows)
  }

  /// What the model says beside what was measured.
  private func check() throws -> String {
    let heads = [
      "operation", "of", "workers", "shards", "coordinator", "measured", "error", "worker", "measured",
      "error", "network", "measured", "error",
    ]
    let rows = try ScaleCheck.all(figures, question).map { check in
      func pair(_ pair: ScaleCheck.Pair, _ shown: (Double) -> String) -> [String] {
        let error = (pair.error * 100).rounded()
        return [shown(pair.predicted), shown(pair.measured), "\(error > 0 ? "+" : "")\(error.decimal(0)) %"]
      }
      let line = check.line
      return [line.operation, Int(line.count).grouped, "\(line.workers)", "\(line.shards)"]
        + pair(check.coordinator) { "\($0.decimal($0 < 0.1 ? 4 : 2)) s" }
        + pair(check.worker) { "\($0.decimal($0 < 0.1 ? 4 : 2)) s" } + pair(check.bytes, \.bytes)
    }
    return table(heads, rows)
  }

  private func table(_ heads: [String], _ rows: [[String]]) -> String {
    let rule = heads.indices.map { $0 == 0 ? "---" : "--:" }
    return ([heads, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}

extension Double {
  /// Seconds as microseconds of two digits.
  fileprivate var micro: String {
    let value = self * 1e6
    return value == 0 ? "0" : "\(value.decimal(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0)) us"
  }

  /// Seconds as milliseconds.
  fileprivate var milli: String { self == 0 ? "0" : "\((self * 1000).decimal(2)) ms" }

  /// A count with two digits that say something.
  fileprivate var rounded2: String {
    var (unit, value) = (1.0, self)
    while value >= 100 { (unit, value) = (unit * 10, value / 10) }
    return (value.rounded() * unit).decimal(0)
  }
}
