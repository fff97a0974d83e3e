/// What a check has found.
public struct Finding: Sendable {
  /// How serious it is.
  public enum State: String, Sendable {
    /// It is as it should be.
    case ok
    /// Worth knowing; nothing has to be done.
    case note
    /// It works, and will hurt.
    case warning
    /// Something does not work.
    case error
  }

  /// How serious it is.
  public var state: State
  /// What was found, with its numbers; no value of a row, and no password.
  public var found: String
  /// A complete line that fixes it, for a shell, or for psql where it ends in a semicolon; nil where nothing
  /// has to be done.
  public var fix: String?
  /// The check could not look: `found` says why.
  public var isUnseen = false

  /// As it should be.
  static func ok(_ found: String) -> Finding { Finding(state: .ok, found: found) }

  /// Worth knowing.
  static func note(_ found: String, fix: String? = nil) -> Finding {
    Finding(state: .note, found: found, fix: fix)
  }

  /// It works, and will hurt.
  static func warning(_ found: String, fix: String? = nil) -> Finding {
    Finding(state: .warning, found: found, fix: fix)
  }

  /// Something does not work.
  static func error(_ found: String, fix: String? = nil) -> Finding {
    Finding(state: .error, found: found, fix: fix)
  }

  /// The check could not look.
  static func unseen(_ why: String, state: State = .note, fix: String? = nil) -> Finding {
    Finding(state: state, found: "not looked at: \(why)", fix: fix, isUnseen: true)
  }
}

/// Why a check cannot look at what it is about; another check says what is to be done.
struct Unseen: Error {
  /// The rest of a sentence: `there is no connection`.
  let why: String
}
