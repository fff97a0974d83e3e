/// What gives a role the right that it lacked, and no more than that.
public struct RightsRemedy: Sendable, Equatable {
  /// The role.
  public let role: String
  /// What an administrator runs once, each without its semicolon; none where no statement gives the right.
  public let statements: [String]
  /// What has to be known beside them.
  public var note: String?

  /// A sentence for the user.
  public var sentence: String {
    let script = statements.map { $0 + ";" }.joined(separator: " ")
    let run = statements.isEmpty ? nil : "An administrator runs once: \(script)"
    return "'\(role)' lacks a right. " + [run, note].compactMap(\.self).joined(separator: " ")
  }
}

extension ServerError {
  /// Whether a role was refused to make another.
  public var isAboutMakingRoles: Bool { Refusal(self) == .attribute("CREATEROLE") }
}
