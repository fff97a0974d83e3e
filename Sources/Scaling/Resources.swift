/// What a piece of work takes of each machine that takes part.
public struct Resources: Sendable, Equatable {
  /// Seconds of a processor of the program that asks: rivulet or psql.
  public var program: Double
  /// Seconds of a processor of the coordinator.
  public var coordinator: Double
  /// Seconds of a processor of all workers together.
  public var worker: Double
  /// Bytes between the coordinator and the workers, headers included.
  public var bytes: Double

  /// Nothing.
  public static var none: Resources { Resources(program: 0, coordinator: 0, worker: 0, bytes: 0) }

  /// Seconds of processors, and bytes.
  public init(program: Double, coordinator: Double, worker: Double, bytes: Double) {
    (self.program, self.coordinator, self.worker, self.bytes) = (program, coordinator, worker, bytes)
  }

  /// Each of the four of two pieces of work by the same rule.
  static func of(
    _ left: Resources, _ right: Resources, _ rule: (Double, Double) -> Double
  ) -> Resources {
    Resources(
      program: rule(left.program, right.program), coordinator: rule(left.coordinator, right.coordinator),
      worker: rule(left.worker, right.worker), bytes: rule(left.bytes, right.bytes))
  }

  static func + (left: Resources, right: Resources) -> Resources { of(left, right, +) }
  static func * (left: Resources, factor: Double) -> Resources { of(left, none) { one, _ in one * factor } }

  /// What more of something costs each: the difference by how much more there was. Below zero it is noise, and
  /// taken as nothing.
  static func slope(from less: Resources, to more: Resources, by amount: Double) -> Resources {
    of(less, more) { max(0, ($1 - $0) / amount) }
  }

  /// What is left of this without another; nothing where that is more.
  func rest(without other: Resources) -> Resources { Resources.of(self, other) { max(0, $0 - $1) } }
}
