/// What the server said when it refused a statement.
public struct ServerError: Error, Sendable {
  /// `ERROR`, `FATAL` or `PANIC`, in English whatever the server's language.
  public var severity = "ERROR"
  /// The five characters of SQLSTATE; empty when the error came from libpq itself.
  public var sqlState = ""
  /// The primary message.
  public var message = ""
  /// DETAIL; may quote values of the table.
  public var detail: String?
  /// HINT.
  public var hint: String?
  /// CONTEXT; may quote values of the table.
  public var context: String?
  /// Where in the statement, in characters from 1.
  public var position: Int?
  /// The table named by a constraint's error.
  public var table: String?
  /// The column named by a constraint's error.
  public var column: String?
  /// The constraint that was violated.
  public var constraint: String?
  /// The statement that was refused; empty for COPY data.
  public var statement = ""
}

/// What can go wrong between this program and a server.
public enum PostgreSQLError: Error, Sendable {
  /// No connection could be made; `reason` is libpq's own.
  case connectionFailed(target: String, reason: String)
  /// The connection broke while in use.
  case connectionLost(reason: String)
  /// The server refused a statement.
  case server(ServerError)
  /// The server answered with something that the statement does not ask for.
  case unexpectedAnswer(String)
  /// A result's field does not hold a value of the type asked for.
  case unreadableValue(column: String, type: String)

  /// SQLSTATE, where the server gave one.
  public var sqlState: String? {
    guard case .server(let error) = self, !error.sqlState.isEmpty else { return nil }
    return error.sqlState
  }

  /// The statement was cancelled, by a user or a time-out (57014).
  public var isCancellation: Bool { sqlState == "57014" }

  /// A lock was not given up in time (55P03).
  public var isLockTimeout: Bool { sqlState == "55P03" }
}

extension ServerError: CustomStringConvertible {
  /// Severity, SQLSTATE and message, then the line with a caret, DETAIL and HINT.
  public var description: String {
    var text = sqlState.isEmpty ? "\(severity): \(message)" : "\(severity) \(sqlState): \(message)"
    if let excerpt { text += "\n\(excerpt)" }
    if let detail { text += "\nDETAIL: \(detail)" }
    if let hint { text += "\nHINT: \(hint)" }
    return text
  }

  /// The line and column (both from 1) of the error's position in the statement.
  public var place: (line: Int, column: Int)? {
    guard let position, !statement.isEmpty else { return nil }
    var line = 1
    var column = 1
    for scalar in statement.unicodeScalars.prefix(position - 1) {
      if scalar == "\n" {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return (line, column)
  }

  /// The line of the statement with a caret under the place of the error.
  public var excerpt: String? {
    guard let place else { return nil }
    let lines = statement.split(omittingEmptySubsequences: false) { $0.isNewline }
    guard place.line <= lines.count else { return nil }
    let line = lines[place.line - 1].map { $0 == "\t" ? " " : $0 }
    return "  " + String(line) + "\n  " + String(repeating: " ", count: place.column - 1) + "^"
  }
}

extension PostgreSQLError: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .connectionFailed(let target, let reason): "cannot connect to \(target): \(reason)"
    case .connectionLost(let reason): "the connection to the server was lost: \(reason)"
    case .server(let error): error.description
    case .unexpectedAnswer(let what): "unexpected answer from the server: \(what)"
    case .unreadableValue(let column, let type): "column '\(column)' does not hold a \(type)"
    }
  }
}
