/// Why views cannot be refreshed as asked.
public enum RefreshError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The view is the same on every date.
  case notByDate(String)
  /// A view is not in the database as it is defined.
  case outOfStep(String)
  /// Another refresh of the view is at work.
  case busy(String)
  /// A view that this one reads could not be refreshed.
  case behind(String)
  /// Session locks would be anybody's behind a transaction pooler.
  case behindPooler

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .notByDate(let name): "\(name) does not depend on the date"
    case .outOfStep(let name):
      "\(name) is not in the database as it is defined"
    case .busy(let name): "another refresh of \(name) is at work"
    case .behind(let name): "\(name), which it reads, could not be refreshed"
    case .behindPooler:
      "the connection goes through a transaction pooler, which gives session locks to others"
    }
  }

  /// How to go on.
  public var hint: String {
    switch self {
    case .notByDate: "leave --on out"
    case .outOfStep: "'rivulet migrate up' makes it"
    case .busy: "wait for it, or use --lock-wait SECONDS"
    case .behind(let name): "'rivulet refresh \(name)' says why"
    case .behindPooler: "connect to the server itself, or to a pool in session mode"
    }
  }
}
