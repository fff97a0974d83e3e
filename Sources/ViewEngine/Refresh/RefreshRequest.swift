/// Which views are to be refreshed, and how.
public struct RefreshRequest: Sendable {
  /// Which of the stored views.
  public enum Scope: Sendable, Equatable {
    /// All of them.
    case all
    /// Those named, and no others.
    case named([String])
    /// Those that read one of these tables, directly or through other views.
    case readers(of: [String])
  }

  /// Which of the stored views.
  public var scope: Scope
  /// Of those only the stale ones: ``ViewStatus/isStale``.
  public var isOnlyStale = false
  /// Compute every group, whatever has changed.
  public var isFull = false
  /// The date to compute date-dependent views for, ISO; the date now in the project's time zone when nil.
  public var date: String?
  /// How long to wait for another refresh of the same view, in seconds.
  public var lockWait = 0.0

  /// It is for all views, each as far as something waits for it.
  var bringsAllUpToDate: Bool { scope == .all && !isFull && !isOnlyStale && date == nil }

  /// A request for some views.
  public init(_ scope: Scope = .all) { self.scope = scope }
}
