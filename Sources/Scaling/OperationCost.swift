/// What an operation takes, by what there is of it: a sum of four terms.
///
/// They are taken from one worker alone: more rows, more shards and more records beneath, each with the others
/// the same. Nothing of it comes from two workers, which are there to check it.
public struct OperationCost: Sendable {
  /// Those that the workers carry out whole: the coordinator and the program see no row of them, only what each
  /// shard has answered, so that a row costs them nothing.
  private static let pushedDown: Set = ["roll-up", "refresh", "count", "top"]

  /// Whatever there is: start, session, ledger, planning.
  public let fixed: Resources
  /// For each shard: a connection, its part of each plan, and of each commit in two phases.
  public let shard: Resources
  /// For each row, record or look-up.
  public let row: Resources
  /// For each record that was there before.
  public let base: Resources

  /// From the figures; throws where they lack a case.
  public init(of operation: String, in figures: ScaleFigures) throws {
    let few = figures.lines(of: operation, workers: 1, shards: 8)
    guard let large = few.first, let small = few.min(by: { ($0.base, $0.count) < ($1.base, $1.count) }),
      let many = figures.lines(of: operation, workers: 1, shards: 32).last
    else { throw ScalingError(message: "the figures lack '\(operation)'") }
    // Where records beneath count, as many changes as of the small one were made to the large one, too.
    let short = few.first { $0.base == large.base && $0.count == small.count } ?? small
    guard large.count > short.count, many.count == small.count, many.base == small.base else {
      throw ScalingError(message: "the figures of '\(operation)' differ in more than one thing at a time")
    }
    var row = Resources.slope(from: short.used, to: large.used, by: large.count - short.count)
    if Self.pushedDown.contains(operation) { (row.program, row.coordinator, row.bytes) = (0, 0, 0) }
    self.row = row
    shard = .slope(from: small.used, to: many.used, by: Double(many.shards - small.shards))
    base =
      large.base > small.base
      ? .slope(from: small.used, to: short.used, by: large.base - small.base) : .none
    fixed = large.used.rest(
      without: shard * Double(large.shards) + row * large.count + base * large.base)
  }

  /// What so much of it takes.
  public func used(count: Double, base beneath: Double = 0, shards: Int) -> Resources {
    fixed + shard * Double(shards) + row * count + base * beneath
  }
}
