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
  /// The statement that code of the database ran, and that is to blame; may quote values of the table.
  public var internalQuery: String?
  /// Where in ``internalQuery``, in characters from 1.
  public var internalPosition: Int?
  /// The table named by a constraint's error.
  public var table: String?
  /// The column named by a constraint's error.
  public var column: String?
  /// The constraint that was violated.
  public var constraint: String?
  /// The statement that was refused; empty for COPY data.
  public var statement = ""
  /// What gives the right that was missing, where that was looked up; not the server's word.
  public var remedy: RightsRemedy?
  /// Who held the lock that was not to be had in time, where that was looked up, as a sentence with no values;
  /// not the server's word.
  public var lockHolder: String?
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

  /// What was asked for is to blame, rather than the state that the server, the session or its rights are in.
  public var isAboutStatement: Bool {
    guard let sqlState else { return false }
    return sqlState != "42501"
      && !["08", "25", "40", "53", "55", "57", "58", "F0", "XX"].contains { sqlState.hasPrefix($0) }
  }
}

extension ServerError {
  /// The classes of SQLSTATE whose texts may quote a row: bad data, broken constraints, errors raised by
  /// code.
  private var quotesRows: Bool { ["22", "23", "P0"].contains { sqlState.hasPrefix($0) } }

  /// The message, or where it may quote a value of a row, a sentence in its place that does not.
  public var discreetMessage: String {
    switch sqlState {
    case "22012": message
    case _ where isOwnWord: message
    case _ where sqlState.hasPrefix("22"):
      "a value does not fit\(column.map { " column '\($0)'" } ?? "") where the statement puts it"
    case _ where sqlState.hasPrefix("P0"): "the statement's own code raised an error"
    default: message
    }
  }

  /// DETAIL, unless it may quote a row.
  public var discreetDetail: String? { quotesRows ? nil : detail }

  /// HINT, unless it may quote a row.
  public var discreetHint: String? { quotesRows && !isOwnWord ? nil : hint }

  /// All that the server said, rows included, where that is more than is usually shown; else nil.
  public var indiscreetWords: String? {
    guard quotesRows, !isOwnWord || detail != nil else { return nil }
    let parts = [("DETAIL", detail), ("HINT", hint), ("CONTEXT", context)].compactMap { name, text in
      text.map { "\n\(name): \($0)" }
    }
    return "\(severity) \(sqlState): \(message)" + parts.joined()
  }

  /// Whether what was sent is to blame: values, constraints, sizes, or what the database's own code says of
  /// them; not a full disk, a lock or a server that goes down.
  public var isAboutData: Bool { quotesRows || sqlState.hasPrefix("54") }

  /// Where code of the database stood, innermost first, as `function fill(integer) line 4`: names and lines
  /// only.
  public var codePlaces: [String] {
    (context ?? "").split(whereSeparator: \.isNewline).compactMap { line in
      line.firstMatch(of: #/^PL/pgSQL (function .+ line \d+) at /#).map { String($0.1) }
    }
  }

  /// The same error with positions in characters, where the server counts bytes: in a database that knows no
  /// encoding.
  func countingCharacters() -> ServerError {
    func characters(_ position: Int?, _ text: String?) -> Int? {
      guard let position, let text else { return position }
      return String(decoding: Array(text.utf8.prefix(max(0, position - 1))), as: UTF8.self).unicodeScalars
        .count + 1
    }
    var error = self
    error.position = characters(position, statement)
    error.internalPosition = characters(internalPosition, internalQuery)
    return error
  }

  /// Whether the text was raised by a DO block of the statement itself, whose author words it for who runs
  /// it.
  private var isOwnWord: Bool {
    sqlState.hasPrefix("P0") && codePlaces.first?.hasPrefix("function inline_code_block ") == true
  }

  /// Where COPY stood, as `row 12, column 'work_rvu'`, from CONTEXT; rows count from 1.
  public var copyPlace: String? { copyPlace(after: 0) }

  /// The same where rows count from behind some.
  public func copyPlace(after rows: Int) -> String? {
    guard let found = copyContext else { return nil }
    return "row \(found.row - rows)" + (found.column.map { ", column '\($0)'" } ?? "")
  }

  /// The row at which COPY stood, from 1.
  public var copyRow: Int? { copyContext?.row }

  private var copyContext: (row: Int, column: Substring?)? {
    guard let context, context.hasPrefix("COPY "),
      let found = context.firstMatch(of: /line (\d+)(?:, column ([^:]+))?/), let row = Int(found.1)
    else { return nil }
    return (row, found.2)
  }
}

extension ServerError: CustomStringConvertible {
  /// Severity, SQLSTATE and message, then the line with a caret, DETAIL and HINT.
  public var description: String {
    var text = sqlState.isEmpty ? "\(severity): \(message)" : "\(severity) \(sqlState): \(discreetMessage)"
    if let excerpt { text += "\n\(excerpt)" }
    if let detail = discreetDetail { text += "\nDETAIL: \(detail)" }
    if let hint = discreetHint { text += "\nHINT: \(hint)" }
    if let copyPlace { text += "\nCONTEXT: COPY, \(copyPlace)" }
    for place in codePlaces { text += "\nCONTEXT: \(place)" }
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
    let lines = statement.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard place.line <= lines.count else { return nil }
    // Nothing that would move the caret away.
    let line = String.UnicodeScalarView(
      lines[place.line - 1].map { $0.properties.isWhitespace ? " " : $0 })
    var shown = Substring(String(line))
    while shown.last == " " { shown.removeLast() }
    return "  " + shown + "\n  " + String(repeating: " ", count: place.column - 1) + "^"
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
