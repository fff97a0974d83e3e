import Definitions
import Values

/// What `Benchmarks/scaling/measure.py` has measured.
public struct ScaleFigures: Sendable {
  /// A median of several runs.
  public struct Line: Sendable {
    /// What was done: `load`, `merge`, `copy`, `roll-up`, `refresh`, `count`, `top`, `look-up`.
    public let operation: String
    /// How many workers there were, and how many shards each table had.
    public let workers, shards: Int
    /// Records, rows or look-ups that were worked on.
    public let count: Double
    /// Records that were there before, where that is another number; 0 elsewhere.
    public let base: Double
    /// What it took.
    public let used: Resources
    /// Seconds of a processor of the worker that was busiest.
    public let busiest: Double
    /// What else is known of it: `stored` bytes of its tables, `largest_table` as a share of all rows,
    /// `largest_shard` in times of the average, `statements`.
    public let more: [String: Double]
  }

  /// On what, with what and when, for people.
  public let machine: String
  /// The first bytes of the SHA-256 of the file, in hexadecimal: a page that names it is of these figures.
  public let digest: String
  /// All that was measured.
  public let lines: [Line]

  /// Reads the file's text; `name` is what errors call it.
  public init(_ text: String, name: String) throws {
    let root = try YAMLReader.read(Array(text.utf8), file: name)
    digest = String(SHA256.hex(of: text).prefix(12))
    let machine = root["machine"]
    func said(_ key: String) -> String { machine?[key]?.scalar ?? "unknown" }
    self.machine =
      "\(said("cpu")), \(said("cores")) cores, Linux \(said("kernel")), PostgreSQL \(said("postgresql")), "
      + "Citus \(said("citus")), \(said("date"))"
    lines = try (root["measured"]?.items ?? []).map(Line.init)
  }

  /// What was measured of an operation with so many workers and shards, the largest count first.
  func lines(of operation: String, workers: Int, shards: Int) -> [Line] {
    lines.filter { $0.operation == operation && $0.workers == workers && $0.shards == shards }
      .sorted { $0.count > $1.count }
  }

  /// Something that is known beside the seconds, of the largest count of one worker.
  public func known(_ key: String, of operation: String) throws -> Double {
    for line in lines.sorted(by: { $0.count > $1.count }) where line.operation == operation {
      if let value = line.more[key] { return value }
    }
    throw ScalingError(message: "the figures lack \(key) of '\(operation)'")
  }
}

extension ScaleFigures.Line {
  init(_ node: YAMLNode) throws {
    func number(_ key: String) throws -> Double {
      guard let value = node[key]?.number else {
        throw ScalingError(message: "the figures lack a number '\(key)' at line \(node.mark.line)")
      }
      return value
    }
    guard let operation = node["operation"]?.scalar else {
      throw ScalingError(message: "the figures lack an operation at line \(node.mark.line)")
    }
    self.operation = operation
    workers = Int(try number("workers"))
    shards = Int(try number("shards"))
    count = try number("count")
    base = node["base"]?.number ?? 0
    used = Resources(
      program: try number("program"), coordinator: try number("coordinator"), worker: try number("worker"),
      bytes: try number("bytes"))
    busiest = (node["worker_each"]?.items ?? []).compactMap(\.number).max() ?? used.worker
    let names = ["stored", "largest_table", "largest_shard", "rows", "statements"]
    more = names.reduce(into: [:]) { $0[$1] = node[$1]?.number }
  }
}

/// Why nothing can be computed.
public struct ScalingError: Error, CustomStringConvertible {
  let message: String

  /// For people.
  public var description: String { message }
}

extension YAMLNode {
  fileprivate subscript(key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  fileprivate var items: [YAMLNode] {
    if case .sequence(let items) = content { items } else { [] }
  }

  fileprivate var scalar: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  fileprivate var number: Double? { scalar.flatMap { Double($0) } }
}
