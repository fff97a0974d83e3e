/// Which records are no rows of their own but go on with the text of the record before them.
public struct Continuation: Sendable, Hashable {
  /// The rule's name, by which such records are counted.
  public var rule: String
  /// The column whose value marks them.
  public var column: String
  /// The values that do.
  public var values: [String]
  /// The columns whose text goes on.
  public var joined: [String]

  /// A rule for records that go on.
  public init(rule: String, column: String, values: [String], joined: [String]) {
    self.rule = rule
    self.column = column
    self.values = values
    self.joined = joined
  }
}
