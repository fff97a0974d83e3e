/// A named reason to leave a record out; the record counts as skipped.
public struct SkipRule: Sendable, Hashable {
  /// What makes a record no data.
  public enum Condition: Sendable, Hashable {
    /// Only the first field of the record holds text: a footnote of a delimited file.
    case singleField
    /// The record begins with a text: a banner of a fixed-width file.
    case startsWith(String)
    /// The field of a column holds text and no digit: a heading or footnote of a fixed-width file, above or
    /// below a column of codes or numbers.
    case noDigit(column: String)
    /// The field of a column holds one of some values: a record of another kind.
    case value(column: String, oneOf: [String])
    /// The field of a column holds none of some values: a record of another kind, where those wanted are
    /// known.
    case otherValue(column: String, noneOf: [String])
  }

  /// The rule's name, by which skipped records are counted.
  public var rule: String
  /// What makes a record no data.
  public var condition: Condition

  /// A named reason to leave a record out.
  public init(rule: String, condition: Condition) {
    self.rule = rule
    self.condition = condition
  }
}
