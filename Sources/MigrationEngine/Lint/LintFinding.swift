/// How much a finding weighs.
public enum LintSeverity: String, Sendable {
  /// It stops traffic, fails or loses what is needed: `migrate lint` ends with 5.
  case error
  /// Worth a look; `migrate lint` ends with 0.
  case notice
}

/// Something that a rule found in a migration.
public struct LintFinding: Sendable, Equatable {
  /// The rule's name.
  public let rule: String
  /// How much it weighs.
  public let severity: LintSeverity
  /// The migration's version; of a repeatable one its name.
  public let version: String
  /// The path of the file.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in characters.
  public let column: Int
  /// What is wrong.
  public let message: String
  /// What to do instead.
  public let fix: String
}
