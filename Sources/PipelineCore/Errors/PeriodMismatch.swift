public import Definitions

/// Why changes cannot be merged into a release now.
public struct PeriodMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// How a period and what the release holds fit together.
  public enum Problem: Sendable {
    /// The release holds all of it, or more.
    case known
    /// The release holds a part of it.
    case overlapping
    /// Days before it are missing.
    case gap
    /// The release has a list of a later day, which it would undo.
    case beforeList
  }

  /// The source.
  public let source: String
  /// The days whose changes it brings.
  public let period: Period
  /// The release that they would be merged into.
  public let release: String
  /// The last day that the release holds of the source.
  public let held: String
  /// What is wrong.
  public let problem: Problem

  package init(source: String, period: Period, release: String, held: String, problem: Problem) {
    (self.source, self.period) = (source, period)
    (self.release, self.held, self.problem) = (release, held, problem)
  }

  /// A sentence for the user.
  public var description: String { "\(finding): \(hint)" }

  /// What is wrong.
  package var finding: String {
    let isThere = problem == .known ? " already" : ""
    let start = "\(source) brings the changes of \(period), and \(release)"
    guard problem != .beforeList else {
      return "\(start) has a list of \(held), which they would undo"
    }
    return "\(start) holds those until \(held)\(isThere)"
  }

  /// How to go on.
  public var hint: String {
    let next = Period.day(after: held)
    return switch problem {
    case .known where period.isAsOf: "a list of a later day is expected"
    case .known: "a period that begins on \(next) is expected, or --force, which merges the last one again"
    case .overlapping: "a period that begins on \(next) is expected"
    case .beforeList: "load them with --force, and after them that list with --force, too"
    case .gap:
      "load the changes from \(next) to \(Period.day(before: period.from)) first, or do without them by --allow-gap"
    }
  }
}
