/// Several views were made that could not be filled.
public struct UnfilledViews: Error, Sendable, CustomStringConvertible {
  /// One of them, and why.
  public struct Failure: Sendable {
    /// The view's name.
    public let view: String
    /// What its refresh ended with.
    public let error: any Error
  }

  /// The first that failed.
  public let first: Failure
  /// Those after it; at least one.
  public let others: [Failure]

  /// A sentence with their names.
  public var description: String {
    "\(([first] + others).map(\.view).joined(separator: ", ")) could not be filled"
  }
}
