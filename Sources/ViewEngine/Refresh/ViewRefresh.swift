/// What a refresh did to one view.
public struct ViewRefresh: Sendable {
  /// How it went.
  public enum Outcome: String, Sendable {
    /// The view equals its SELECT as of the refresh.
    case refreshed
    /// Nothing had changed.
    case unchanged
    /// It is as it was before, for the reason in ``ViewRefresh/error``.
    case failed
    /// It is as it was before, since a view that it reads could not be refreshed.
    case skipped
  }

  /// How much was computed.
  public enum Kind: String, Sendable {
    /// Every group.
    case full
    /// The groups that something has changed in.
    case incremental
  }

  /// The view's name.
  public let view: String
  /// full or incremental, as defined.
  public let strategy: String
  /// How it went.
  public var outcome: Outcome
  /// How much was computed; nil where nothing was.
  public var kind: Kind?
  /// Why every group was computed of a view that is incremental; nil otherwise.
  public var reason: String?
  /// How many groups were computed; nil where all were.
  public var groups: Int?
  /// Rows that were not there before.
  public var inserted = 0
  /// Rows that were there and differ now.
  public var updated = 0
  /// Rows that are there no more.
  public var deleted = 0
  /// From the lock to the commit, wall-clock.
  public var seconds = 0.0
  /// Why it failed.
  public var error: (any Error)?

  /// Rows written.
  public var rowsChanged: Int { inserted + updated + deleted }
  /// It is not as it should be.
  public var hasFailed: Bool { outcome == .failed || outcome == .skipped }
}
