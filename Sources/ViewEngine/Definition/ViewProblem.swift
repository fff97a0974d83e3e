public import Definitions
import PostgreSQL

/// What is wrong with a view's definition, or with its SQL as the server sees it.
public struct ViewProblem: Error, Sendable, CustomStringConvertible {
  /// The view's name.
  public let view: String
  /// The definition's file.
  public let file: String
  /// The place in the file; nil where the view as a whole is meant.
  public let mark: Mark?
  /// What is wrong, with no value of any row.
  public let message: String
  /// What to do about it.
  public let hint: String?
  /// SQLSTATE, where the server found it.
  public let sqlState: String?

  init(
    _ view: ViewDefinition, at mark: Mark?, _ message: String, hint: String? = nil, sqlState: String? = nil
  ) {
    self.view = view.name
    file = view.file
    self.mark = mark
    self.message = message
    self.hint = hint
    self.sqlState = sqlState
  }

  /// What the view reads is not there: an undefined table, schema, column or function.
  public var isMissing: Bool { sqlState.map(["42P01", "3F000", "42703", "42883"].contains) ?? false }

  /// `file:line:column: message; hint`.
  public var description: String {
    let place = mark.map { "\(file):\($0.line):\($0.column)" } ?? file
    return "\(place): \(message)" + (hint.map { "; \($0)" } ?? "")
  }
}
