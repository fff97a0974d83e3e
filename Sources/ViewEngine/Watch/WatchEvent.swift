public import PostgreSQL

/// What happens while changes are watched for.
public enum WatchEvent: Sendable {
  /// So many stored views are watched from now on.
  case began(views: Int)
  /// A view is as it should be; a change of it was visible after so many seconds at most, where that is known.
  case refreshed(ViewRefresh, seconds: Double?)
  /// A view could not be refreshed; said once for each reason.
  case failed(String, any Error)
  /// A view that had failed is as it should be.
  case recovered(String)
  /// Nothing is to be done for now.
  case rested
}

/// Somebody else watches the database.
public struct WatchedByOther: Error, Sendable, CustomStringConvertible {
  /// The session that does; nil where it could not be found.
  public let holder: LockHolder?

  /// A sentence for the user.
  public var description: String {
    let session = holder.map { ": " + ViewWatch.describe($0) } ?? ""
    return "another 'rivulet refresh --watch' keeps the views of this database up to date\(session)"
  }

  /// How to go on.
  public var hint: String { "end it, or use --lock-wait SECONDS" }
}
