/// Why something failed that may succeed when it is tried again.
public enum TransientCause: Sendable {
  /// The connection was lost, or the server goes down or comes up.
  case connection
  /// No connection could be made.
  case unreachable
  /// The transaction could not be ordered among others that ran at the same time.
  case serialization
  /// The server has ended a circle of waiting transactions at the cost of this one.
  case deadlock
  /// A lock was not granted within `lock_timeout`.
  case lockTimeout

  /// The SQLSTATEs of each; every connection exception (class 08) counts too.
  init?(sqlState: String) {
    switch sqlState {
    case "57P01", "57P02", "57P03": self = .connection
    case _ where sqlState.hasPrefix("08"): self = .connection
    case "40001": self = .serialization
    case "40P01": self = .deadlock
    case Self.lockTimeoutState: self = .lockTimeout
    default: return nil
    }
  }

  fileprivate static let lockTimeoutState = "55P03"
}

/// An error that may know that another try can succeed.
public protocol TransientError: Error {
  /// Why it may; nil where the same would fail again.
  var transientCause: TransientCause? { get }
}

extension ServerError: TransientError {
  /// By its SQLSTATE.
  public var transientCause: TransientCause? { TransientCause(sqlState: sqlState) }

  /// Another transaction holds a lock that was needed, or has won a deadlock.
  public var isLockConflict: Bool { transientCause == .lockTimeout || transientCause == .deadlock }
}

extension PostgreSQLError: TransientError {
  /// By what broke, or by the server's SQLSTATE. Where a COMMIT was under way as the connection was lost, it
  /// may have been done.
  public var transientCause: TransientCause? {
    switch self {
    case .connectionLost(let reason): Self.saysTimeout(reason) ? nil : .connection
    case .connectionFailed: .unreachable
    case .server(let error): error.transientCause
    case .unexpectedAnswer, .unreadableValue: nil
    }
  }

  /// The server has ended the session because its transaction took too long (`transaction_timeout`, from 17
  /// on), as it would again. Of a session that is lost libpq has words alone: those of a server that speaks
  /// another language than English say nothing here.
  private static func saysTimeout(_ reason: String) -> Bool { reason.contains("due to transaction timeout") }

  /// The connection was lost, the server goes down or comes up, or another transaction was in the way
  /// (serialization failure, deadlock).
  public var isTransient: Bool {
    switch transientCause {
    case .connection, .serialization, .deadlock: true
    case .unreachable, .lockTimeout, nil: false
    }
  }

  /// The server, the database or the role has no connection left to give.
  ///
  /// libpq has no SQLSTATE of a connection that was not made: a server that says so in another language than
  /// English is not understood.
  public var isOutOfConnections: Bool {
    guard case .connectionFailed(_, let reason) = self else { return false }
    return ["too many clients", "too many connections", "remaining connection slots"].contains {
      reason.contains($0)
    }
  }

  /// A lock was not granted in time (55P03).
  public var isLockTimeout: Bool { transientCause == .lockTimeout }

  /// What says that locks were not granted in time, where no single one is to blame.
  public static func lockTimeout(_ message: String) -> PostgreSQLError {
    .server(ServerError(sqlState: TransientCause.lockTimeoutState, message: message))
  }
}
