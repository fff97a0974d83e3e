import Definitions

/// Which views are to be refreshed, and how.
public struct RefreshRequest: Sendable {
  /// Which of the stored views.
  public enum Scope: Sendable, Equatable {
    /// All of them.
    case all
    /// Those named, and no others.
    case named([String])
    /// Those named that are there, without what they read: who asks knows what waits to be computed, and that
    /// no transaction pooler is between.
    case exactly([String])
    /// Those that read one of these tables, directly or through other views.
    case readers(of: [String])
  }

  /// Which of the stored views.
  public var scope: Scope
  /// Of those only the stale ones: ``ViewStatus/isStale``.
  public var isOnlyStale: Bool
  /// Compute every group, whatever has changed.
  public var isFull: Bool
  /// The date to compute date-dependent views for, ISO; the date now in the project's time zone when nil.
  public var date: String?
  /// How long to wait for another refresh of the same view, in seconds.
  public var lockWait: Double
  /// A view that others are at work on fails at once, for who comes again soon.
  public var failsIfBusy = false

  /// It is for all views, each as far as something waits for it.
  var bringsAllUpToDate: Bool { scope == .all && !isFull && !isOnlyStale && date == nil }

  /// It names what is to be refreshed, no more and no less.
  var isGivenExactly: Bool { if case .exactly = scope { true } else { false } }

  /// A request for some views.
  public init(
    _ scope: Scope = .all, isOnlyStale: Bool = false, isFull: Bool = false, date: String? = nil,
    lockWait: Double = 0
  ) {
    self.scope = scope
    self.isOnlyStale = isOnlyStale
    self.isFull = isFull
    self.date = date
    self.lockWait = lockWait
  }
}

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
  /// Rows that it has now; nil where they were not counted.
  var rows: Int?
  /// Rows taken off its queues.
  var taken = 0
  /// From the wait for its lock to the commit, wall-clock.
  public var seconds = 0.0
  /// Why it failed.
  public var error: (any Error)?

  init(_ view: ViewDefinition, _ outcome: Outcome = .unchanged, _ error: (any Error)? = nil) {
    self.view = view.name
    strategy = view.strategy.rawValue
    self.outcome = outcome
    self.error = error
  }

  /// Rows written.
  public var rowsChanged: Int { inserted + updated + deleted }
  /// It is not as it should be.
  public var hasFailed: Bool { outcome == .failed || outcome == .skipped }
}
