/// What came of holding a stored view beside what its SELECT gives. Nothing is written for it.
public struct ViewComparison: Sendable {
  /// What was found.
  public enum Outcome: String, Sendable {
    /// With what waits for it, the view equals its SELECT, and so does what is stored of its groups.
    case exact
    /// It does not: something has changed it, or a source, past the program.
    case different
    /// It was not compared: the next refresh computes all of it.
    case behind
    /// It could not be compared, for the reason in ``ViewComparison/error``.
    case failed
  }

  /// In how many rows two tables differ.
  public struct Rows: Sendable, Equatable {
    /// Rows that should be there and are not.
    public var missing = 0
    /// Rows that are there and should not be.
    public var surplus = 0
    /// Rows that are there with other values.
    public var changed = 0

    /// They are the same.
    public var isEmpty: Bool { self == Rows() }

    mutating func add(_ other: Rows) {
      missing += other.missing
      surplus += other.surplus
      changed += other.changed
    }
  }

  /// The view's name.
  public let view: String
  /// What was found.
  public var outcome: Outcome
  /// Of the view's own rows.
  public var rows = Rows()
  /// Of what is stored of each group, where changes are added up; nil for other views.
  public var groups: Rows?
  /// Why it was not compared, in clauses that can follow its name.
  public var reasons: [String] = []
  /// Wall-clock.
  public var seconds = 0.0
  /// Why it failed.
  public var error: (any Error)?

  init(_ view: String, _ outcome: Outcome, _ reasons: [String] = [], _ error: (any Error)? = nil) {
    self.view = view
    self.outcome = outcome
    self.reasons = reasons
    self.error = error
  }
}
