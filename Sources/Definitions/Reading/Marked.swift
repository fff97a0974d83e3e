/// A value with the place it was written at, for errors that are found later than it is read.
public struct Marked<Value: Sendable>: Sendable {
  /// What was written.
  public var value: Value
  /// Where it was written.
  public var mark: Mark

  /// A value and its place.
  public init(_ value: Value, at mark: Mark) {
    self.value = value
    self.mark = mark
  }
}

extension Marked: Equatable where Value: Equatable {}
extension Marked: Hashable where Value: Hashable {}
